import { expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, openHouse } from "../../testing/system/test-system.ts";

/** Waits until only the order's contact data is left. */
async function seePurged(house: House, orderIds: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const orderId of orderIds) {
      expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged");
      expect(await house.desk.vault.recordsOf(orderId, "application")).toEqual([]);
    }
  }, soon);
}

it("submits a paid order to the GRO and purges its application within seconds", async () => {
  await using house = await openHouse();
  await house.begin();
  const { orderId } = await placeAndPay(house.desk);
  await seePurged(house, [orderId]);
  expect(await house.eventTypes(orderId)).toEqual(
    expect.arrayContaining([
      "SubmissionRequested",
      "ConfirmationSent",
      "SubmissionStarted",
      "SubmittedToGRO",
    ]),
  );
  expect(house.around.automation.sent).toHaveLength(1);
  await vi.waitFor(async () => expect((await house.order(orderId)).mails.owed).toEqual([]), soon);
  expect(house.around.mailer.sent.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(["confirmation", "submitted"]),
  );
  expect(house.logLines.filter((line) => line.includes("post.example") || line.includes("Siân"))).toEqual([]);
});

it("empties the list once an order has no current tasks", async () => {
  await using house = await openHouse();
  await house.begin();
  const { orderId } = await placeAndPay(house.desk);
  await seePurged(house, [orderId]);
  await vi.waitFor(async () => {
    const { rows } = await house.pool.query("select name from duties where subject_id = $1", [orderId]);
    expect(rows).toEqual([]);
  }, soon);
});

it("expires an unpaid order, closes its intent, and leaves nothing in the vault", async () => {
  await using house = await openHouse();
  await house.begin();
  const { orderId, intentId } = await placeAndAsk(house.desk);
  house.skip(86_400);
  await vi.waitFor(async () => expect(await house.desk.vault.recordsOf(orderId)).toEqual([]), soon);
  await vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain("ContactDataPurged"), soon);
  expect((await house.order(orderId)).end?.reason).toBe("expired");
  expect(house.around.payments.intents.get(intentId)?.status).toBe("cancelled");
});

it("keeps an order paid at the last moment", async () => {
  await using house = await openHouse();
  const { orderId, intentId } = await placeAndAsk(house.desk);
  house.around.payments.change(intentId, { status: "succeeded" });
  house.skip(86_400);
  await house.begin();
  await seePurged(house, [orderId]);
  expect((await house.order(orderId)).phase).toBe("Submitted");
});

it("runs in two processes at once and does each task once", async () => {
  await using house = await openHouse();
  await Promise.all([house.begin(), house.begin()]);
  const placed = await Promise.all(Array.from({ length: 12 }, () => placeAndPay(house.desk)));
  const orderIds = placed.map(({ orderId }) => orderId);
  await seePurged(house, orderIds);
  await vi.waitFor(async () => {
    for (const orderId of orderIds) expect((await house.order(orderId)).mails.owed).toEqual([]);
  }, soon);
  expect(house.around.automation.sent).toHaveLength(orderIds.length);
  const mails = house.around.mailer.sent.map(({ messageId }) => messageId);
  expect(mails.length).toBe(new Set(mails).size);
  for (const orderId of orderIds) {
    const types = (await house.eventTypes(orderId)).filter((type) => type !== "MailSent");
    expect(types.length, "one event of each type").toBe(new Set(types).size);
  }
});

it("resumes after a stop where the previous process ended", async () => {
  await using house = await openHouse();
  const before = await house.begin();
  house.around.mailer.mood = "down";
  const { orderId } = await placeAndPay(house.desk);
  await vi.waitFor(
    async () => expect(await house.eventTypes(orderId)).toContain("SubmissionRequested"),
    soon,
  );
  await before.stop();
  house.around.mailer.mood = "well";
  house.skip(60);
  expect(await house.eventTypes(orderId)).not.toContain("ConfirmationSent");
  await house.begin();
  await seePurged(house, [orderId]);
});
