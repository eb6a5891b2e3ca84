import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { addDays, addSeconds } from "../../domain/instant.ts";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndPay, placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { followForAnHour, type House, openHouse } from "../../testing/system/test-system.ts";
import { addNote } from "../orders/staff/add-note.ts";
import { recordDispatch } from "../orders/staff/staff-actions.ts";

const day = 86_400;
const staff = { by: { userId: "ann" }, reason: "customerAsked" as const, correlationId: "a-click" };

const stray = (subject: string, dueAt: string) => ({
  recordId: randomUUID(),
  subject,
  dataClass: "contact" as const,
  kind: "orderNote" as const,
  schemaVersion: 1,
  body: { text: "Never named" },
  dueAt,
});

/** Remaining records, each with its due time and row version. */
async function rowsOf(house: House, subject: string) {
  const { rows } = await house.pool.query<{ record_id: string; due_at: Date; version: string }>(
    `select record_id, due_at, xmin::text as version from vault_records
     where subject = $1 and destroyed_at is null order by record_id`,
    [subject],
  );
  return rows.map(({ record_id, due_at, version }) => ({
    recordId: record_id,
    dueAt: due_at.toISOString(),
    version,
  }));
}

/** Waits until a sweep that began after this call has ended: it has claimed due records twice. */
async function swept(house: House): Promise<void> {
  for (const _ of [1, 2]) {
    const record = stray(randomUUID(), house.desk.now().toISOString());
    await house.desk.vault.seal(record);
    const isTaken = ({ dueAt }: { dueAt: string }) => dueAt > record.dueAt;
    await vi.waitFor(
      async () => expect((await rowsOf(house, record.subject)).every(isTaken)).toBe(true),
      soon,
    );
  }
}

/** Policies that record every order they read. */
async function beginNoting(house: House, read: string[]): Promise<void> {
  const { orders } = house.desk;
  const load: typeof orders.load = async (orderId) => {
    read.push(orderId);
    return orders.load(orderId);
  };
  await house.begin({ desk: { ...house.desk, orders: { ...orders, load } } });
}

async function fulfilled(house: House): Promise<{ orderId: string; endedAt: string }> {
  const { orderId } = await placeAndSubmit(house.desk);
  const seen = (type: string) =>
    vi.waitFor(async () => expect(await house.eventTypes(orderId)).toContain(type), soon);
  await seen("SensitiveDataPurged");
  await addNote(house.desk, orderId, "Rang twice.", staff);
  await recordDispatch(house.desk, orderId, house.desk.now().toISOString(), staff);
  await seen("OrderFulfilled");
  return { orderId, endedAt: (await house.order(orderId)).end?.at ?? "" };
}

describe("The sweep", () => {
  it("checks kept records only once their rule makes them due, and neither reads nor writes them before", async () => {
    await using house = await openHouse();
    const read: string[] = [];
    await beginNoting(house, read);
    const { orderId, endedAt } = await fulfilled(house);
    house.skip(8 * day);
    const due = addSeconds(addDays(endedAt, 365), 3_600);
    await vi.waitFor(async () => {
      const times = new Set((await rowsOf(house, orderId)).map(({ dueAt }) => dueAt));
      expect(times).toEqual(new Set([due]));
    }, soon);
    await swept(house);
    const before = await rowsOf(house, orderId);
    expect(before).toHaveLength(4);
    read.length = 0;
    for (const days of [1, 30, 200]) {
      house.skip(days * day);
      await swept(house);
    }
    expect(await rowsOf(house, orderId)).toEqual(before);
    expect(read).not.toContain(orderId);
    house.skip(130 * day);
    await vi.waitFor(async () => expect(await rowsOf(house, orderId)).toEqual([]), soon);
  });

  it("reschedules what it checked, and no other record of the same order", async () => {
    await using house = await openHouse();
    const { orderId } = await placeAndPay(house.desk);
    house.around.mailer.mood = "down"; // Keeps the order's data.
    await house.pool.query("update vault_records set due_at = now() where subject = $1", [orderId]);
    const orphan = stray(orderId, new Date(Date.now() + 7_200_000).toISOString());
    await house.desk.vault.seal(orphan);
    await followForAnHour(house);
    await house.begin();
    const dueOf = async () =>
      (await rowsOf(house, orderId)).find(({ recordId }) => recordId === orphan.recordId)?.dueAt;
    expect(await dueOf()).toBe(orphan.dueAt);
    house.skip(3_600);
    await vi.waitFor(async () => expect(await dueOf()).toBeUndefined(), soon);
    expect(await rowsOf(house, orderId)).not.toEqual([]);
  });

  it("shares due records with the sweeps of other processes: one of them reads each order", async () => {
    await using house = await openHouse();
    const subjects: string[] = Array.from({ length: 40 }, () => randomUUID());
    const dueAt = addSeconds(house.desk.now().toISOString(), 7_200);
    await Promise.all(subjects.map((subject) => house.desk.vault.seal(stray(subject, dueAt))));
    const read: string[] = [];
    await followForAnHour(house);
    await Promise.all([beginNoting(house, read), beginNoting(house, read), beginNoting(house, read)]);
    expect(read).toEqual([]);
    house.skip(3_600);
    await vi.waitFor(async () => {
      for (const subject of subjects) expect(await rowsOf(house, subject)).toEqual([]);
    }, soon);
    expect(read.filter((subject) => subjects.includes(subject)).sort()).toEqual(subjects.toSorted());
  });
});
