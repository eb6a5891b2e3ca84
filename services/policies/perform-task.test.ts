import { describe, expect, test } from "vitest";
import { OtherLogAnswers } from "../../infra/log-binding/guarded-event-store.ts";
import { createTaskBench } from "../../testing/services/task-fixture.ts";
import { placeAndAsk, placeAndPay, placeAndSubmit } from "../../testing/system/orders-fixture.ts";

describe("A task", () => {
  test("runs when due, and is owed until its event removes it", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndPay(bench.deps);
    bench.wait(60);
    await bench.perform(orderId, "request-submission");
    expect(await bench.eventTypes(orderId)).toContain("SubmissionRequested");
    expect(await bench.due(orderId)).not.toContainEqual(expect.stringMatching(/^request-submission/));
  });

  test("remains due if it still applies although its command succeeded", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    bench.deps.orders.execute = ({ orderId: id }) => bench.deps.orders.load(id);
    await bench.perform(orderId, "mail-confirmation");
    expect(await bench.due(orderId)).toEqual([expect.stringMatching(/^mail-confirmation-/)]);
  });

  test("runs on behalf of the request that caused it, and names the causing event", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const asked = (await bench.store.readStream(`order-${orderId}`)).at(-1);
    await bench.perform(orderId, "mail-confirmation");
    const done = (await bench.store.readStream(`order-${orderId}`)).at(-1);
    expect([asked?.type, done?.type]).toEqual(["SubmissionRequested", "ConfirmationSent"]);
    expect(done?.metadata).toMatchObject({
      correlationId: asked?.metadata.correlationId,
      causationId: asked?.id,
      actor: { kind: "system", id: "policies" },
    });
  });

  test("already done does nothing", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    const name = (await bench.due(orderId))[0] ?? "";
    expect(name).toMatch(/^mail-confirmation-/);
    await bench.perform(orderId, name);
    await bench.perform(orderId, name);
    expect(bench.mailer.sent).toHaveLength(1);
  });

  test("of an order missing from the log is left: an event must have caused it", async () => {
    const bench = createTaskBench();
    expect(await bench.performNow(bench.deps.newId(), "expire")).toBe("unread");
    expect(bench.logLines.join("")).toContain("that the log does not hold");
  });

  test("does not run while another log answers", async () => {
    const bench = createTaskBench({ confirmLog: () => Promise.reject(new OtherLogAnswers("Another log.")) });
    const { orderId } = await placeAndSubmit(bench.deps);
    const [name = ""] = await bench.due(orderId);
    await expect(bench.perform(orderId, name)).rejects.toThrow(OtherLogAnswers);
    expect(bench.mailer.sent).toEqual([]);
  });

  test("waits until it is due", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndAsk(bench.deps);
    await bench.perform(orderId, "expire");
    expect((await bench.order(orderId)).phase).toBe("AwaitingPayment");
  });

  test("runs within a second of being due, because machines' clocks differ", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndAsk(bench.deps);
    bench.wait(86_399);
    await bench.perform(orderId, "expire");
    expect((await bench.order(orderId)).phase).toBe("Cancelled");
  });

  test("reports failure in codes alone: what a person typed reaches neither log nor queue", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    bench.mailer.send = ({ to }) => Promise.reject(new TypeError(`Cannot write to ${to}.`));
    expect(await bench.perform(orderId, "mail-confirmation")).toBe("TypeError");
    const logged = bench.logLines.join("");
    expect(logged).toContain("a task failed");
    expect(logged).toContain("perform-task.test.ts");
    expect(logged).not.toContain("post.example");
    expect(await bench.due(orderId)).toEqual([expect.stringMatching(/^mail-confirmation-/)]);
  });
});

describe("A mail", () => {
  test("is sent once, and recorded as sent", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    await bench.perform(orderId, "mail-confirmation");
    expect(bench.mailer.sent.map(({ to, subject }) => [to, subject])).toEqual([
      ["sian.rhys@post.example", "confirmation"],
    ]);
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
  });

  test("waits while the mail server is down", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    bench.mailer.mood = "down";
    expect(await bench.perform(orderId, "mail-confirmation")).toBe("unreachable");
    bench.mailer.mood = "well";
    await bench.perform(orderId, "mail-confirmation");
    expect((await bench.order(orderId)).phase).toBe("Confirmed");
  });

  test.each(["refused address", "refused content", "purged contact"])(
    "with a %s is undeliverable",
    async (why) => {
      const bench = createTaskBench();
      const { orderId } = await placeAndSubmit(bench.deps);
      const { vault } = await bench.order(orderId);
      if (why === "refused address") bench.mailer.mood = "refusesAddress";
      else if (why === "refused content") bench.mailer.mood = "refusesContent";
      else await bench.deps.vault.destroy([vault.contact ?? ""]);
      await bench.perform(orderId, "mail-confirmation");
      expect((await bench.order(orderId)).confirmation.state).toBe("undeliverable");
      expect(bench.mailer.sent).toEqual([]);
    },
  );
});

describe("An unconfirmed order", () => {
  test("is cancelled and fully refunded after seven days", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndSubmit(bench.deps);
    bench.mailer.mood = "refusesAddress";
    await bench.performAll(orderId);
    bench.wait(7 * 86_400);
    await bench.performAll(orderId);
    const { phase, refunds } = await bench.order(orderId);
    expect(phase).toBe("Cancelled");
    expect(refunds.map(({ status, amountPence }) => [status, amountPence])).toEqual([["issued", 4500]]);
  });
});
