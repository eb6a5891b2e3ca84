import { expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndAsk, placeAndPay } from "../../testing/system/orders-fixture.ts";
import { type House, openHouse } from "../../testing/system/test-system.ts";

/** Waits until all that is left of an order is its contact data. */
async function seePurged(house: House, orderIds: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const orderId of orderIds) {
      expect(await house.eventTypes(orderId)).toContain("SensitiveDataPurged");
      expect(await house.desk.vault.recordsOf(orderId, "application")).toEqual([]);
    }
  }, soon);
}

it("takes a paid order to the GRO and destroys its application, by itself, within seconds", async () => {
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

it("empties its list once an order is owed no more for now", async () => {
  await using house = await openHouse();
  await house.begin();
  const { orderId } = await placeAndPay(house.desk);
  await seePurged(house, [orderId]);
  await vi.waitFor(async () => {
    const { rows } = await house.pool.query("select name from duties where subject_id = $1", [orderId]);
    expect(rows).toEqual([]);
  }, soon);
});

it("expires an order that nobody paid, closes its intent, and leaves nothing in the vault", async () => {
  await using house = await openHouse();
  await house.begin();
  const { orderId, intentId } = await placeAndAsk(house.desk);
  house.skip(86_400);
  await vi.waitFor(async () => expect(await house.desk.vault.recordsOf(orderId)).toEqual([]), soon);
  await vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain("ContactDataPurged"), soon);
  expect((await house.order(orderId)).end?.reason).toBe("expired");
  expect(house.around.payments.intents.get(intentId)?.status).toBe("cancelled");
});

it("keeps an order that was paid at the last moment", async () => {
  await using house = await openHouse();
  const { orderId, intentId } = await placeAndAsk(house.desk);
  house.around.payments.change(intentId, { status: "succeeded" });
  house.skip(86_400);
  await house.begin();
  await seePurged(house, [orderId]);
  expect((await house.order(orderId)).phase).toBe("Submitted");
});

it("runs in two processes side by side and does each thing once", async () => {
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

it("goes on after a stop where the process before it stood", async () => {
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
