import { expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../testing/system/orders-fixture.ts";
import { openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";

/** Waits until only the order's contact data is left. */
async function seePurged(system: TestSystem, orderIds: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const orderId of orderIds) {
      expect(await system.eventTypes(orderId)).toContain("SensitiveDataPurged");
      expect(await system.deps.vault.recordsOf(orderId, "application")).toEqual([]);
    }
  }, soon);
}

it("submits a paid order to the GRO and purges its application within seconds", async () => {
  await using system = await openTestSystem();
  await system.begin();
  const { orderId } = await placeAndPay(system.deps);
  await seePurged(system, [orderId]);
  expect(await system.eventTypes(orderId)).toEqual(
    expect.arrayContaining([
      "SubmissionRequested",
      "ConfirmationSent",
      "SubmissionStarted",
      "SubmittedToGRO",
    ]),
  );
  expect(system.around.automation.sent).toHaveLength(1);
  await vi.waitFor(async () => expect((await system.order(orderId)).mails.owed).toEqual([]), soon);
  expect(system.around.mailer.sent.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(["confirmation", "submitted"]),
  );
  expect(system.logLines.filter((line) => line.includes("post.example") || line.includes("Siân"))).toEqual(
    [],
  );
});

it("empties the list once an order has no current tasks", async () => {
  await using system = await openTestSystem();
  await system.begin();
  const { orderId } = await placeAndPay(system.deps);
  await seePurged(system, [orderId]);
  await vi.waitFor(async () => expect(await system.tasksOf(orderId)).toEqual([]), soon);
});

it("expires an unpaid order, closes its intent, and leaves nothing in the vault", async () => {
  await using system = await openTestSystem();
  await system.begin();
  const { orderId, intentId } = await placeAndAsk(system.deps);
  system.skip(86_400);
  await vi.waitFor(async () => expect(await system.deps.vault.recordsOf(orderId)).toEqual([]), soon);
  await vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain("ContactDataPurged"), soon);
  expect((await system.order(orderId)).end?.reason).toBe("expired");
  expect(system.around.payments.intents.get(intentId)?.status).toBe("cancelled");
});

it("keeps an order paid at the last moment", async () => {
  await using system = await openTestSystem();
  const { orderId, intentId } = await placeAndAsk(system.deps);
  system.around.payments.change(intentId, { status: "succeeded" });
  system.skip(86_400);
  await system.begin();
  await seePurged(system, [orderId]);
  expect((await system.order(orderId)).phase).toBe("Submitted");
});

it("runs in two processes at once and does each task once", async () => {
  await using system = await openTestSystem();
  await Promise.all([system.begin(), system.begin()]);
  const placed = await Promise.all(Array.from({ length: 12 }, () => placeAndPay(system.deps)));
  const orderIds = placed.map(({ orderId }) => orderId);
  await seePurged(system, orderIds);
  await vi.waitFor(async () => {
    for (const orderId of orderIds) expect((await system.order(orderId)).mails.owed).toEqual([]);
  }, soon);
  expect(system.around.automation.sent).toHaveLength(orderIds.length);
  const mails = system.around.mailer.sent.map(({ messageId }) => messageId);
  expect(mails.length).toBe(new Set(mails).size);
  for (const orderId of orderIds) {
    const types = (await system.eventTypes(orderId)).filter((type) => type !== "MailSent");
    expect(types.length, "one event of each type").toBe(new Set(types).size);
  }
});

it("resumes after a stop where the previous process ended", async () => {
  await using system = await openTestSystem();
  const before = await system.begin();
  system.around.mailer.mood = "down";
  const { orderId } = await placeAndPay(system.deps);
  await vi.waitFor(
    async () => expect(await system.eventTypes(orderId)).toContain("SubmissionRequested"),
    soon,
  );
  await before.stop();
  system.around.mailer.mood = "well";
  system.skip(60);
  expect(await system.eventTypes(orderId)).not.toContain("ConfirmationSent");
  await system.begin();
  await seePurged(system, [orderId]);
});
