import { describe, expect, it, vi } from "vitest";
import { soon } from "../../testing/setup/patience.ts";
import { placeAndSubmit } from "../../testing/system/orders-fixture.ts";
import { hasty, openTestSystem, type TestSystem } from "../../testing/system/test-system.ts";

const day = 86_400;

const seeEvent = (system: TestSystem, orderId: string, type: string) =>
  vi.waitFor(async () => expect(await system.eventTypes(orderId)).toContain(type), soon);

/**
 * A test system with adjustable retention and an order that was closed a hundred days ago, with only its contact purge
 * left.
 */
async function closedLongAgo(system: TestSystem): Promise<{ orderId: string; keep: (days: number) => void }> {
  let contactRetentionDays = 365;
  const settings = {
    ...hasty,
    get contactRetentionDays() {
      return contactRetentionDays;
    },
  };
  await system.begin({ settings });
  const { orderId } = await placeAndSubmit(system.deps);
  await seeEvent(system, orderId, "SensitiveDataPurged");
  await system.deps.orders.execute({
    orderId,
    commandId: system.deps.newId(),
    by: { actor: { kind: "staff", id: "user_1" }, correlationId: "a-request" },
    command: {
      type: "RecordDispatch",
      data: { attempt: null, dispatchedAt: system.deps.now().toISOString() },
    },
  });
  await seeEvent(system, orderId, "OrderFulfilled");
  await system.deps.orders.execute({
    orderId,
    commandId: system.deps.newId(),
    by: { actor: { kind: "customer", id: orderId }, correlationId: "a-request" },
    command: { type: "ReportArrival", data: {} },
  });
  await vi.waitFor(
    async () => expect(await system.tasksOf(orderId)).toEqual([expect.stringMatching(/^purge-contact-/)]),
    soon,
  );
  system.skip(100 * day);
  await sweptOnce(system, orderId);
  return {
    orderId,
    keep: (days) => {
      contactRetentionDays = days;
    },
  };
}

/** Waits until the sweep has checked the order's sealed records, which it then leaves alone until they are due. */
const sweptOnce = (system: TestSystem, orderId: string) =>
  vi.waitFor(async () => {
    const { rows } = await system.pool.query(
      "select distinct kept_days from vault_records where subject = $1 and destroyed_at is null",
      [orderId],
    );
    expect(rows).toEqual([{ kept_days: 365 }]);
  }, soon);

/** Waits for a sweep: it has claimed a record that was due. */
async function sweptFurther(system: TestSystem): Promise<void> {
  const recordId = system.deps.newId();
  const dueAt = system.deps.now().toISOString();
  await system.deps.vault.seal({
    recordId,
    subject: system.deps.newId(),
    dataClass: "application",
    kind: "application",
    schemaVersion: 1,
    body: {},
    dueAt,
  });
  await vi.waitFor(async () => {
    const { rows } = await system.pool.query(
      "select from vault_records where record_id = $1 and due_at > $2",
      [recordId, dueAt],
    );
    expect(rows).toHaveLength(1);
  }, soon);
}

describe("Retention shortened at runtime", () => {
  it("purges overdue data at once, even if listed for much later", async () => {
    await using system = await openTestSystem();
    const { orderId, keep } = await closedLongAgo(system);
    expect(await system.eventTypes(orderId)).not.toContain("ContactDataPurged");
    keep(60);
    await seeEvent(system, orderId, "ContactDataPurged");
    expect(await system.eventData(orderId, "ContactDataPurged")).toMatchObject({ rule: "retention" });
  });

  it("keeps data until the shorter period ends", async () => {
    await using system = await openTestSystem();
    const { orderId, keep } = await closedLongAgo(system);
    keep(110);
    system.skip(9 * day);
    await sweptFurther(system);
    expect(await system.eventTypes(orderId)).not.toContain("ContactDataPurged");
    system.skip(day + 3_600);
    await seeEvent(system, orderId, "ContactDataPurged");
  });

  it("unchanged, keeps data without reading it (control)", async () => {
    await using system = await openTestSystem();
    const { orderId } = await closedLongAgo(system);
    system.skip(30 * day);
    await sweptFurther(system);
    await sweptOnce(system, orderId);
    expect(await system.eventTypes(orderId)).not.toContain("ContactDataPurged");
  });
});
