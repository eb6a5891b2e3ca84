import { describe, expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { type House, hasty, openHouse } from "../../testing/system/test-system.ts";

const day = 86_400;

const seeEvent = (house: House, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);

/**
 * A test system with adjustable retention and an order that ended a hundred days ago, with only its contact purge left.
 */
async function endedLongAgo(house: House): Promise<{ orderId: string; keep: (days: number) => void }> {
  let contactRetentionDays = 365;
  const settings = {
    ...hasty,
    get contactRetentionDays() {
      return contactRetentionDays;
    },
  };
  await house.begin({ settings });
  const { orderId } = await placeAndSubmit(house.desk);
  await seeEvent(house, orderId, "SensitiveDataPurged");
  await house.desk.orders.tell({
    orderId,
    commandId: house.desk.newId(),
    by: { actor: { kind: "staff", id: "user_1" }, correlationId: "a-request" },
    command: {
      type: "RecordDispatch",
      data: { attempt: null, dispatchedAt: house.desk.now().toISOString() },
    },
  });
  await seeEvent(house, orderId, "OrderFulfilled");
  await vi.waitFor(async () => {
    const { rows } = await house.pool.query("select name from duties where subject_id = $1", [orderId]);
    expect(rows).toEqual([{ name: expect.stringMatching(/^purge-contact-/) }]);
  }, soon);
  house.skip(100 * day);
  await sweptOnce(house, orderId);
  return {
    orderId,
    keep: (days) => {
      contactRetentionDays = days;
    },
  };
}

/** Waits until the sweep has checked the order's sealed records, which it then leaves alone until they are due. */
const sweptOnce = (house: House, orderId: string) =>
  vi.waitFor(async () => {
    const { rows } = await house.pool.query(
      "select distinct kept_days from vault_records where subject = $1 and destroyed_at is null",
      [orderId],
    );
    expect(rows).toEqual([{ kept_days: 365 }]);
  }, soon);

/** Waits for a sweep: it has claimed a record that was due. */
async function sweptFurther(house: House): Promise<void> {
  const recordId = house.desk.newId();
  const dueAt = house.desk.now().toISOString();
  await house.desk.vault.seal({
    recordId,
    subject: house.desk.newId(),
    dataClass: "application",
    kind: "application",
    schemaVersion: 1,
    body: {},
    dueAt,
  });
  await vi.waitFor(async () => {
    const { rows } = await house.pool.query(
      "select from vault_records where record_id = $1 and due_at > $2",
      [recordId, dueAt],
    );
    expect(rows).toHaveLength(1);
  }, soon);
}

describe("Retention shortened at runtime", () => {
  it("purges overdue data at once, even if listed for much later", async () => {
    await using house = await openHouse();
    const { orderId, keep } = await endedLongAgo(house);
    expect(await house.eventTypes(orderId)).not.toContain("ContactDataPurged");
    keep(60);
    await seeEvent(house, orderId, "ContactDataPurged");
    expect(await house.eventData(orderId, "ContactDataPurged")).toMatchObject({ rule: "retention" });
  });

  it("keeps data until the shorter period ends", async () => {
    await using house = await openHouse();
    const { orderId, keep } = await endedLongAgo(house);
    keep(110);
    house.skip(9 * day);
    await sweptFurther(house);
    expect(await house.eventTypes(orderId)).not.toContain("ContactDataPurged");
    house.skip(day + 3_600);
    await seeEvent(house, orderId, "ContactDataPurged");
  });

  it("unchanged, keeps data without reading it (control)", async () => {
    await using house = await openHouse();
    const { orderId } = await endedLongAgo(house);
    house.skip(30 * day);
    await sweptFurther(house);
    await sweptOnce(house, orderId);
    expect(await house.eventTypes(orderId)).not.toContain("ContactDataPurged");
  });
});
