import { expect, test } from "vitest";
import { createTaskBench } from "../../../../testing/services/task-fixture.ts";
import { placeAndSubmit } from "../../../../testing/system/orders-fixture.ts";
import { factsOf } from "./order-facts.ts";

test("The facts of an order count how often a submission was asked about in vain", async () => {
  const bench = createTaskBench();
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.perform(orderId, "mail-confirmation");
  const facts = async () => JSON.stringify(factsOf(await bench.order(orderId)));
  bench.automation.mood = "answerLost";
  await bench.perform(orderId, "submit-1");
  expect(await facts()).toContain("checked once without an answer");
  bench.automation.mood = "down";
  bench.wait(120);
  await bench.perform(orderId, "ask-submission-1");
  expect(await facts()).toContain("checked 2 times without an answer");
});
