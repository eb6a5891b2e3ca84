import { describe, expect, test } from "vitest";
import { MirrorUnreachable } from "../../../infra/key-ring/key-ring.ts";
import { createTaskBench, type TaskBench } from "../../../testing/services/task-fixture.ts";
import { customer, failingAppends } from "../../../testing/services/use-case-fixture.ts";
import { placeAndAsk, placeAndSubmit, placeOrder } from "../../../testing/system/orders-fixture.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { recordDispute } from "../../orders/payments/returns.ts";
import { addNote, recordDispatch } from "../../orders/staff/staff-actions.ts";
import { ProbeFailed, RecordUnreadable } from "../../vault/vault.ts";

async function submittedOrder(bench: TaskBench): Promise<string> {
  const { orderId } = await placeAndSubmit(bench.deps);
  await bench.performAll(orderId);
  bench.wait(5);
  return orderId;
}

const receiptOf = async (bench: TaskBench, orderId: string, type = "SensitiveDataPurged") =>
  (await bench.store.readStream(`order-${orderId}`)).find((event) => event.type === type)?.data;

describe("Purging an application", () => {
  test("leaves nothing of its class, keeps the contact, and records what was erased", async () => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    await bench.performAll(orderId);
    expect(await receiptOf(bench, orderId)).toMatchObject({
      destroyed: ["application", "signature"],
      rule: "submitted",
      probe: "unreadable",
      records: 2,
      secondsSinceSubmission: 5,
    });
    expect(await bench.deps.vault.recordsOf(orderId, "application")).toEqual([]);
    expect(await bench.deps.vault.recordsOf(orderId, "contact")).toHaveLength(3);
  });

  test("includes records that were sealed and never named", async () => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    await bench.deps.vault.seal({
      recordId: bench.deps.newId(),
      subject: orderId,
      dataClass: "application",
      kind: "application",
      schemaVersion: 1,
      body: { SurnameAtBirth: "Llywelyn" },
      dueAt: "2026-12-01T00:00:00.000Z",
    });
    await bench.performAll(orderId);
    expect(await bench.deps.vault.recordsOf(orderId, "application")).toEqual([]);
  });

  test("gives the same receipt after a crash between erasing and appending, unnamed records or not", async () => {
    const undisturbed = createTaskBench();
    const disturbed = createTaskBench({ wrapStore: failingAppends(() => broken && destroyed) });
    let broken = false;
    let destroyed = false;
    const { destroy } = disturbed.deps.vault;
    disturbed.deps.vault.destroy = async (refs) => {
      destroyed = true;
      return destroy(refs);
    };
    const receipts = [];
    for (const bench of [undisturbed, disturbed]) {
      const orderId = await submittedOrder(bench);
      const stray = { recordId: bench.deps.newId(), subject: orderId, dataClass: "application" } as const;
      const due = {
        kind: "signature",
        schemaVersion: 1,
        body: {},
        dueAt: "2026-12-01T00:00:00.000Z",
      } as const;
      await bench.deps.vault.seal({ ...stray, ...due });
      broken = bench === disturbed;
      if (broken) expect(await bench.perform(orderId, "purge-application")).toBe("Error");
      broken = false;
      expect(await bench.deps.vault.recordsOf(orderId, "application")).toHaveLength(
        bench === disturbed ? 0 : 3,
      );
      await bench.performAll(orderId);
      const { receipt: whole } = (await bench.order(orderId)).purges.application;
      const { keyFingerprint, ...receipt } = { keyFingerprint: "", ...whole };
      expect(keyFingerprint).toMatch(/^[0-9a-f]{64}$/);
      receipts.push(receipt);
    }
    expect(receipts[1]).toEqual(receipts[0]);
  });

  test.each([
    ["stillReadable", new ProbeFailed("Still readable.")],
    ["keyRingUnavailable", new MirrorUnreachable("Not mounted.")],
    [
      "keyRingUnavailable",
      Object.assign(new Error("EIO"), { code: "EIO", syscall: "open", path: "/keys/1" }),
    ],
    ["other", new RecordUnreadable("Not the record's key.")],
  ])("that fails as %s is recorded, raises an alarm, and runs once possible", async (code, fault) => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = () => Promise.reject(fault);
    await bench.perform(orderId, "purge-application");
    expect(await receiptOf(bench, orderId, "PurgeFailed")).toEqual({
      dataClass: "application",
      code,
      attempt: 1,
    });
    expect(bench.logLines.filter((line) => line.includes("ALARM"))).toHaveLength(1);
    bench.deps.vault.destroy = destroy;
    bench.wait(10);
    await bench.performAll(orderId);
    expect(await receiptOf(bench, orderId)).toMatchObject({
      destroyed: ["application", "signature"],
      records: 2,
    });
  });

  test("is retried quietly until a failure is due to be recorded, and records success at once", async () => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    const { destroy } = bench.deps.vault;
    bench.deps.vault.destroy = () => Promise.reject(new MirrorUnreachable("Not mounted."));
    await bench.perform(orderId, "purge-application");
    await bench.perform(orderId, "purge-application");
    await bench.perform(orderId, "purge-application");
    expect((await bench.eventTypes(orderId)).filter((type) => type === "PurgeFailed")).toHaveLength(1);
    bench.deps.vault.destroy = destroy;
    await bench.perform(orderId, "purge-application");
    expect(await bench.eventTypes(orderId)).toContain("SensitiveDataPurged");
  });

  test("stopped by a database error is retried, with nothing recorded", async () => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    bench.deps.vault.destroy = () => Promise.reject(Object.assign(new Error("gone"), { code: "57P01" }));
    await expect(bench.perform(orderId, "purge-application")).rejects.toMatchObject({ code: "57P01" });
    expect(await bench.eventTypes(orderId)).not.toContain("PurgeFailed");
    expect(await bench.due(orderId)).toContain("purge-application-1-1");
  });

  test("happens again for a re-entered application, with a new receipt", async () => {
    const bench = createTaskBench();
    const orderId = await submittedOrder(bench);
    await bench.performAll(orderId);
    const execute = (command: Parameters<typeof bench.deps.orders.execute>[0]["command"]) =>
      bench.deps.orders.execute({ orderId, commandId: bench.deps.newId(), by: customer, command });
    await execute({ type: "RecordGROOutcome", data: { attempt: 1, outcome: "queried", questionRef: null } });
    const applicationRef = bench.deps.newId();
    await bench.deps.vault.seal({
      recordId: applicationRef,
      subject: orderId,
      dataClass: "application",
      kind: "application",
      schemaVersion: 1,
      body: {},
      dueAt: "2026-12-01T00:00:00.000Z",
    });
    await execute({ type: "ReplaceApplication", data: { applicationRef, groReferenceKnown: false } });
    await execute({ type: "FailOrder", data: { cause: "ours", reason: "serviceError" } });
    expect(await bench.due(orderId)).toContain("purge-application-1-1");
    await bench.performAll(orderId);
    const purges = (await bench.eventTypes(orderId)).filter((type) => type === "SensitiveDataPurged");
    expect(purges).toHaveLength(2);
    expect(await bench.deps.vault.recordsOf(orderId, "application")).toEqual([]);
  });
});

describe("Purging contact data", () => {
  test("of an unpaid order leaves no record at all, including the key for repeats", async () => {
    const bench = createTaskBench();
    const { orderId } = await placeAndAsk(bench.deps);
    expect((await bench.deps.vault.recordsOf(orderId)).map(({ kind }) => kind)).toContain("fingerprintKey");
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect(await bench.deps.vault.recordsOf(orderId)).toEqual([]);
    expect(await receiptOf(bench, orderId, "ContactDataPurged")).toMatchObject({
      destroyed: ["contact", "fingerprintKey"],
      rule: "neverPaid",
      records: 2,
    });
    expect(bench.mailer.sent).toEqual([]);
  });

  async function fulfilledOrder(bench: TaskBench): Promise<string> {
    const orderId = await submittedOrder(bench);
    await bench.performAll(orderId);
    const dispatch = { attempt: 1, dispatchedAt: bench.now().toISOString() };
    const by = customer;
    const command = { type: "RecordDispatch" as const, data: dispatch };
    await bench.deps.orders.execute({ orderId, commandId: "dispatch", by, command });
    await bench.performAll(orderId);
    expect((await bench.order(orderId)).phase).toBe("Fulfilled");
    return orderId;
  }

  async function expectPurgedAfter(bench: TaskBench, orderId: string, days: number): Promise<void> {
    bench.wait((days - 1) * 86_400);
    await bench.performAll(orderId);
    expect(await bench.deps.vault.recordsOf(orderId)).toHaveLength(3);
    bench.wait(86_400);
    await bench.performAll(orderId);
    expect(await bench.deps.vault.recordsOf(orderId)).toEqual([]);
  }

  test("waits a year after the reported arrival, and includes the GRO reference", async () => {
    const bench = createTaskBench();
    const orderId = await fulfilledOrder(bench);
    bench.wait(3 * 86_400);
    const command = { type: "ReportArrival", data: {} } as const;
    await bench.deps.orders.execute({ orderId, commandId: "arrival", by: customer, command });
    await expectPurgedAfter(bench, orderId, 365);
  });

  test("waits a year and twenty working days after a despatch whose arrival was not reported", async () => {
    const bench = createTaskBench();
    // From a Monday; the twentieth working day is the Monday four weeks later.
    await expectPurgedAfter(bench, await fulfilledOrder(bench), 365 + 28);
  });

  test("includes staff notes, and waits while a dispute is open", async () => {
    const bench = createTaskBench();
    const { orderId, intentId } = await placeAndSubmit(bench.deps);
    await bench.performAll(orderId);
    const staff = { by: { userId: "ann" }, reason: "complaint" as const, correlationId: "a-click" };
    await addNote(bench.deps, orderId, "Rang twice about Llanbadarn.", staff);
    await recordDispatch(bench.deps, orderId, bench.now().toISOString(), staff);
    const dispute = { id: "du_1", intentId, amountPence: 4500, reason: "general", outcome: undefined };
    await recordDispute(bench.deps, orderId, intentId, dispute, customer);
    await bench.performAll(orderId);
    bench.wait(400 * 86_400);
    await bench.performAll(orderId);
    const kept = (await bench.deps.vault.recordsOf(orderId)).map(({ kind }) => kind);
    expect(kept.sort()).toEqual(["contact", "fingerprintKey", "groOrderReference", "orderNote"]);
    await recordDispute(bench.deps, orderId, intentId, { ...dispute, outcome: "won" }, customer);
    await bench.performAll(orderId);
    expect(await bench.deps.vault.recordsOf(orderId)).toEqual([]);
    expect(await receiptOf(bench, orderId, "ContactDataPurged")).toMatchObject({
      destroyed: ["contact", "fingerprintKey", "groOrderReference", "orderNote"],
      rule: "retention",
      records: 4,
    });
  });

  test("counts records by name when the vault was restored to before they were sealed", async () => {
    const bench = createTaskBench();
    const orderId = await placeOrder(bench.deps);
    await cancelOrder(bench.deps, orderId, "customerRequest", customer);
    const { destroy, recordsOf } = bench.deps.vault;
    bench.deps.vault.recordsOf = async () => [];
    bench.deps.vault.destroy = async (refs) => ({ ...(await destroy(refs)), kinds: [] });
    await bench.performAll(orderId);
    expect(await receiptOf(bench, orderId)).toMatchObject({ destroyed: ["application", "signature"] });
    expect(await recordsOf(orderId)).toEqual([]);
  });
});
