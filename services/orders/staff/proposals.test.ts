import { describe, expect, test } from "vitest";
import { CommandReused } from "../../../infra/commands/repeats.ts";
import { execute, paidOrder } from "../../../testing/services/paid-order-fixture.ts";
import { type TestDependencies, testDependencies } from "../../../testing/services/use-case-fixture.ts";
import type { StaffAct } from "../command-ids.ts";
import { approveProposal, recordBankTransfer, recordDisputeOutcome } from "./proposals.ts";
import { revealContact } from "./reveal-personal-data.ts";

type BankTransfer = Parameters<typeof recordBankTransfer>[2];

const act = (change: Partial<StaffAct> = {}): StaffAct => ({
  by: { userId: "ann" },
  reason: "customerAsked",
  correlationId: "a-click",
  ...change,
});
const refusedBy = (rule: string) => expect.objectContaining({ name: "Refused", rule });

/** An order of £45 that was paid, and whose refund the card did not take. */
async function refundFailed(deps: TestDependencies): Promise<{ orderId: string; intentId: string }> {
  const orderId = await paidOrder(deps);
  const intentId = (await deps.orders.load(orderId)).order.payments[0]?.intentId ?? "";
  const failed = { refundId: null, providerRefundId: "re_1", intentId, amountPence: 4500 };
  await execute(deps, orderId, {
    type: "RecordRefundFailure",
    data: { ...failed, code: "lostOrStolenCard" },
  });
  return { orderId, intentId };
}

const transferOf = (intentId: string, change: Partial<BankTransfer> = {}): BankTransfer => ({
  intentId,
  amountPence: 4500,
  reference: "FT-4711 Rhys",
  approvalAbovePence: 5000,
  ...change,
});

const sealedTransfers = (deps: TestDependencies) =>
  [...deps.vault.records.values()].filter(({ kind }) => kind === "bankTransfer");

describe("A bank transfer", () => {
  test("is recorded with its reference sealed, and shows it when the contact data is revealed", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await refundFailed(deps);
    await recordBankTransfer(deps, orderId, transferOf(intentId), act());
    const [, last] = (await deps.events(orderId)).slice(-2);
    expect(last).toMatchObject({
      type: "BankTransferRecorded",
      data: { intentId, amountPence: 4500, proposal: null },
      metadata: { actor: { kind: "staff", id: "ann" }, reason: "customerAsked" },
    });
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("FT-4711");
    const { data } = await revealContact(deps, orderId, "customerAsked", act());
    expect(data.bankTransfers).toEqual(["FT-4711 Rhys"]);
  });

  test("sent twice under one key is one; another under the same key is none", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await refundFailed(deps);
    const once = act({ idempotencyKey: "k1" });
    const first = transferOf(intentId, { amountPence: 1000 });
    await recordBankTransfer(deps, orderId, first, once);
    await recordBankTransfer(deps, orderId, { ...first, approvalAbovePence: 1 }, once);
    const other = recordBankTransfer(deps, orderId, { ...first, reference: "FT-4712" }, once);
    await expect(other).rejects.toThrow(CommandReused);
    const { order } = await deps.orders.load(orderId);
    expect(order.refunds.filter(({ way }) => way === "bankTransfer")).toHaveLength(1);
  });

  test("that is refused seals nothing", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const intentId = (await deps.orders.load(orderId)).order.payments[0]?.intentId ?? "";
    const recording = recordBankTransfer(deps, orderId, transferOf(intentId), act({ idempotencyKey: "k1" }));
    await expect(recording).rejects.toEqual(refusedBy("no-failed-refund"));
    expect(sealedTransfers(deps)).toEqual([]);
  });

  test("needs a reference, and above the limit a second person", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await refundFailed(deps);
    const without = recordBankTransfer(deps, orderId, transferOf(intentId, { reference: "" }), act());
    await expect(without).rejects.toEqual(refusedBy("reference-missing"));
    const wish = transferOf(intentId, { approvalAbovePence: 4000 });
    const { order } = await recordBankTransfer(deps, orderId, wish, act());
    expect(order.proposals).toMatchObject([{ kind: "bankTransfer", status: "open", proposedBy: "ann" }]);
    await expect(approveProposal(deps, orderId, 1, act())).rejects.toEqual(refusedBy("second-person-needed"));
    const approved = await approveProposal(deps, orderId, 1, act({ by: { userId: "bob" } }));
    expect(approved.order.refunds.at(-1)).toMatchObject({ way: "bankTransfer", amountPence: 4500 });
    expect(sealedTransfers(deps)).toHaveLength(1);
  });
});

describe("The outcome of a dispute by the word of staff", () => {
  async function disputed(deps: TestDependencies, outcome: "won" | undefined): Promise<string> {
    const { orderId, intentId } = await refundFailed(deps);
    const dispute = { disputeId: "du_1", intentId, amountPence: 4500 };
    await execute(deps, orderId, {
      type: "RecordDispute",
      data: { ...dispute, reason: "general", outcome: null },
    });
    deps.payments.setDispute({ id: "du_1", intentId, amountPence: 4500, reason: "general", outcome });
    return orderId;
  }
  const known = { disputeId: "du_1", outcome: "lost", approvalAbovePence: 5000 } as const;

  test("counts while the provider has it open, and where the provider knows it no more", async () => {
    for (const forgets of [false, true]) {
      const deps = testDependencies();
      const orderId = await disputed(deps, undefined);
      if (forgets) deps.payments.setDispute({ ...(await deps.payments.retrieveDispute("du_1")), id: "du_2" });
      const { order } = await recordDisputeOutcome(deps, orderId, known, act());
      expect(order.disputes).toMatchObject([{ outcome: "lost" }]);
    }
  });

  test("gives way to what the provider knows by now, which is recorded instead", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, "won");
    await expect(recordDisputeOutcome(deps, orderId, known, act())).rejects.toEqual(
      refusedBy("dispute-closed"),
    );
    expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([{ outcome: "won" }]);
    const same = await recordDisputeOutcome(
      deps,
      await disputed(deps, "won"),
      { ...known, outcome: "won" },
      act(),
    );
    expect(same.order.disputes).toMatchObject([{ outcome: "won" }]);
  });

  test("on an order that has changed since is refused before the provider is asked", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, "won");
    const { revision } = await deps.orders.load(orderId);
    const { calls } = deps.payments;
    const outdated = act({ expectedRevision: revision - 1 });
    await expect(recordDisputeOutcome(deps, orderId, known, outdated)).rejects.toEqual(
      refusedBy("changed-meanwhile"),
    );
    expect(deps.payments.calls).toBe(calls);
    expect((await deps.orders.load(orderId)).revision).toBe(revision);
  });

  test("waits while the provider cannot be asked", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, undefined);
    deps.payments.down = true;
    await expect(recordDisputeOutcome(deps, orderId, known, act())).rejects.toThrow("Taken down by the test");
    expect((await deps.orders.load(orderId)).order.disputes).toMatchObject([{ outcome: null }]);
  });

  test("is recorded once under one key, and waits for a second person above the limit", async () => {
    const deps = testDependencies();
    const orderId = await disputed(deps, undefined);
    const wish = { ...known, approvalAbovePence: 4000 };
    const once = act({ idempotencyKey: "k1" });
    await recordDisputeOutcome(deps, orderId, wish, once);
    await recordDisputeOutcome(deps, orderId, wish, once);
    const { order } = await deps.orders.load(orderId);
    expect(order.proposals).toMatchObject([{ kind: "disputeOutcome", status: "open" }]);
    const closed = await approveProposal(deps, orderId, 1, act({ by: { userId: "bob" } }));
    expect(closed.order.disputes).toMatchObject([{ outcome: "lost" }]);
  });
});
