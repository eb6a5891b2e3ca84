import { expect, test } from "vitest";
import { historyTo, orderAfter, type TimedEvent, uuid } from "../../../../testing/domain/order-fixture.ts";
import { createTaskBench } from "../../../../testing/services/task-fixture.ts";
import { placeAndSubmit } from "../../../../testing/system/orders-fixture.ts";
import { changesBetween, factsOf } from "./order-facts.ts";

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

test("An index reference that an amendment adds changes the item and what goes to the GRO, and no total", () => {
  const fees = {
    groReferenceKnown: true,
    feePerCopy: { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 },
  };
  const data = { applicationRef: uuid(301), previousApplicationRef: uuid(103), fees };
  const amended: TimedEvent[] = [...historyTo.Paid, [{ type: "ApplicationAmended", data }, 40]];
  const changes = changesBetween(orderAfter(historyTo.Paid), orderAfter(amended));
  expect(changes.filter(({ label }) => label === "Item" || label === "Price")).toEqual([
    {
      label: "Item",
      before: "Birth certificate × 2, Standard, no GRO reference",
      after: "Birth certificate × 2, Standard, GRO reference given",
    },
    { label: "Price", before: "£90.00 (GRO £32.00)", after: "£90.00 (GRO £25.00)" },
  ]);
});
