import { describe, expect, test } from "vitest";
import { CommandReused } from "../../../infra/commands/repeats.ts";
import {
  execute,
  paidOrder,
  recordConfirmation,
  startAttempt,
  submit,
} from "../../../testing/services/paid-order-fixture.ts";
import {
  awaitingPayment,
  customer,
  pricedOrder,
  type TestDependencies,
  testDependencies,
} from "../../../testing/services/use-case-fixture.ts";
import type { StaffAct } from "../command-ids.ts";
import { requestPayment } from "../payments/request-payment.ts";
import { recordManualSubmission, startManualSubmission } from "../submission/submit-order.ts";
import { approveProposal, declineProposal, proposeRefund } from "./proposals.ts";
import {
  amendByStaff,
  cancelByStaff,
  correctContactByStaff,
  failOrder,
  recordDispatch,
  recordOutcome,
  recordSubmissionFailure,
  requestErasure,
} from "./staff-actions.ts";

const act = (change: Partial<StaffAct> = {}): StaffAct => ({
  by: { userId: "ann" },
  reason: "groPhoned",
  correlationId: "a-click",
  ...change,
});
const bob = (change: Partial<StaffAct> = {}) => act({ by: { userId: "bob" }, ...change });
const refusedBy = (rule: string) => expect.objectContaining({ name: "Refused", rule });

const typesOf = async (deps: TestDependencies, orderId: string, from = 0) =>
  (await deps.events(orderId)).slice(from).map(({ type }) => type);

async function confirmedOrder(deps: TestDependencies): Promise<string> {
  const orderId = await paidOrder(deps);
  await recordConfirmation(deps, orderId, "sent");
  return orderId;
}

const submittedAt = "2026-11-21T08:00:00.000Z";
const amendment = {
  application: { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" },
  groReferenceKnown: false,
};

describe("A submission by hand", () => {
  test("is begun and ended at once, its reference sealed", async () => {
    const deps = testDependencies();
    const orderId = await confirmedOrder(deps);
    const by = { groOrderReference: "GRO-4711", submittedAt };
    const { order } = await recordManualSubmission(deps, orderId, by, act());
    expect(order).toMatchObject({ phase: "Submitted", submission: { attempt: 1, submittedAt } });
    const [ref = ""] = order.vault.groReferences;
    expect(deps.vault.records.get(ref)).toMatchObject({
      kind: "groOrderReference",
      dataClass: "contact",
      body: { groOrderReference: "GRO-4711" },
    });
    expect((await typesOf(deps, orderId)).slice(-2)).toEqual(["SubmissionStarted", "SubmittedToGRO"]);
    expect(JSON.stringify(await deps.events(orderId))).not.toContain("GRO-4711");
  });

  test("that is sent twice under one key is one submission", async () => {
    const deps = testDependencies();
    const orderId = await confirmedOrder(deps);
    const once = act({ idempotencyKey: "k1" });
    const by = { groOrderReference: null, submittedAt };
    await recordManualSubmission(deps, orderId, by, once);
    const before = await typesOf(deps, orderId);
    await recordManualSubmission(deps, orderId, by, once);
    expect(await typesOf(deps, orderId)).toEqual(before);
  });

  test("may be begun first and reported later; its revision is looked at once", async () => {
    const deps = testDependencies();
    const orderId = await confirmedOrder(deps);
    const { revision } = await deps.orders.load(orderId);
    const seen = act({ expectedRevision: revision, idempotencyKey: "k1" });
    await startManualSubmission(deps, orderId, seen);
    await startManualSubmission(deps, orderId, seen);
    const by = { groOrderReference: null, submittedAt };
    await expect(recordManualSubmission(deps, orderId, by, seen)).rejects.toEqual(
      refusedBy("changed-meanwhile"),
    );
    const { order } = await recordManualSubmission(
      deps,
      orderId,
      by,
      act({ expectedRevision: revision + 1 }),
    );
    expect([order.attempts.count, order.phase]).toEqual([1, "Submitted"]);
  });

  test("waits for the customer's confirmation, and for an order to submit", async () => {
    const deps = testDependencies();
    const by = { groOrderReference: null, submittedAt };
    const paid = await paidOrder(deps);
    await expect(recordManualSubmission(deps, paid, by, act())).rejects.toEqual(refusedBy("not-confirmed"));
    const orderId = await confirmedOrder(deps);
    await recordManualSubmission(deps, orderId, by, act());
    await expect(recordManualSubmission(deps, orderId, by, act())).rejects.toEqual(
      refusedBy("already-submitted"),
    );
  });
});

describe("What staff learnt of the GRO", () => {
  test("ends an attempt with an unknown outcome, and lets the next begin", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await startAttempt(deps, orderId);
    deps.wait(900);
    const once = act({ idempotencyKey: "k1" });
    const { order } = await recordSubmissionFailure(deps, orderId, once);
    expect(order).toMatchObject({ phase: "Confirmed", attempts: { open: null } });
    const event = (await deps.events(orderId)).at(-1);
    expect(event?.data).toEqual({ attempt: 1, code: "staffConfirmed", certain: true });
    expect(event?.metadata).toMatchObject({ reason: "groPhoned", actor: { kind: "staff", id: "ann" } });
    expect((await recordSubmissionFailure(deps, orderId, once)).order.phase).toBe("Confirmed");
    await expect(recordSubmissionFailure(deps, orderId, act())).rejects.toEqual(refusedBy("no-attempt-open"));
  });

  test("ends no attempt that a process which stood still may yet send", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await startAttempt(deps, orderId);
    deps.wait(899);
    const underWay = refusedBy("attempt-under-way");
    const by = { groOrderReference: null, submittedAt };
    await expect(recordSubmissionFailure(deps, orderId, act())).rejects.toEqual(underWay);
    await expect(recordManualSubmission(deps, orderId, by, act())).rejects.toEqual(underWay);
    deps.wait(1);
    expect((await recordManualSubmission(deps, orderId, by, act())).order.phase).toBe("Submitted");
  });

  test("is an outcome, then an answer to it that goes out again", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await submit(deps, orderId);
    const asked = { outcome: "queried", question: "Which Bangor?" } as const;
    expect((await recordOutcome(deps, orderId, asked, act())).order.outcome?.outcome).toBe("queried");
    await expect(amendByStaff(deps, orderId, amendment, act())).rejects.toEqual(refusedBy("purge-pending"));
  });

  test("is a despatch, once", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await expect(recordDispatch(deps, orderId, submittedAt, act())).rejects.toEqual(
      refusedBy("not-submitted"),
    );
    await submit(deps, orderId);
    const once = act({ idempotencyKey: "k1" });
    expect((await recordDispatch(deps, orderId, submittedAt, once)).order.phase).toBe("Dispatched");
    expect((await recordDispatch(deps, orderId, submittedAt, once)).order.phase).toBe("Dispatched");
    await expect(recordDispatch(deps, orderId, submittedAt, act())).rejects.toEqual(
      refusedBy("already-dispatched"),
    );
  });
});

describe("What staff report again under one key", () => {
  const once = act({ idempotencyKey: "k1" });
  const other = new Date(Date.parse(submittedAt) - 60_000).toISOString();

  test.each([
    ["another time", { groOrderReference: "GRO-4711", submittedAt: other }],
    ["another reference", { groOrderReference: "GRO-4712", submittedAt }],
    ["no reference", { groOrderReference: null, submittedAt }],
  ])("is no repeat: a submission with %s", async (_what, changed) => {
    const deps = testDependencies();
    const orderId = await confirmedOrder(deps);
    await recordManualSubmission(deps, orderId, { groOrderReference: "GRO-4711", submittedAt }, once);
    await expect(recordManualSubmission(deps, orderId, changed, once)).rejects.toThrow(CommandReused);
  });

  test("is no repeat: a submission without a reference, at another time", async () => {
    const deps = testDependencies();
    const orderId = await confirmedOrder(deps);
    await recordManualSubmission(deps, orderId, { groOrderReference: null, submittedAt }, once);
    const changed = { groOrderReference: null, submittedAt: other };
    await expect(recordManualSubmission(deps, orderId, changed, once)).rejects.toThrow(CommandReused);
  });

  test("is no repeat: a despatch at another time", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await submit(deps, orderId);
    await recordDispatch(deps, orderId, submittedAt, once);
    await expect(recordDispatch(deps, orderId, other, once)).rejects.toThrow(CommandReused);
  });

  const asks = { outcome: "queried", question: "Which Bangor?" } as const;
  const hasNone = { outcome: "notFound", question: "" } as const;
  test.each([
    [asks, hasNone],
    [hasNone, asks],
    [asks, { ...asks, question: "Which of the two?" }],
  ])("is no repeat: another answer of the GRO", async (first, changed) => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await submit(deps, orderId);
    const { order } = await recordOutcome(deps, orderId, first, once);
    expect((await recordOutcome(deps, orderId, first, once)).order.outcome).toEqual(order.outcome);
    await expect(recordOutcome(deps, orderId, changed, once)).rejects.toThrow(CommandReused);
  });
});

describe("An order that staff end or set right", () => {
  test("is cancelled in the customer's name where the customer asked, its open intent closed first", async () => {
    const deps = testDependencies();
    const { orderId, intentId } = await awaitingPayment(deps);
    const once = act({ reason: "customerAsked", idempotencyKey: "k1" });
    const { order } = await cancelByStaff(deps, orderId, once);
    expect(order.end).toMatchObject({ reason: "customerRequest" });
    expect(deps.payments.intents.get(intentId)?.status).toBe("cancelled");
    expect((await cancelByStaff(deps, orderId, once)).order.phase).toBe("Cancelled");
    const other = await paidOrder(deps);
    expect((await cancelByStaff(deps, other, act())).order.end).toMatchObject({ reason: "staffRequest" });
  });

  test("is not cancelled by staff who saw it before the card form: the customer's payment stays open", async () => {
    const deps = testDependencies();
    const orderId = await pricedOrder(deps);
    const { revision } = await deps.orders.load(orderId);
    const { order } = await requestPayment(deps, orderId, 4500, customer);
    const outdated = cancelByStaff(deps, orderId, act({ expectedRevision: revision }));
    await expect(outdated).rejects.toMatchObject({
      code: "changed-meanwhile",
      details: { revision: revision + 1 },
    });
    expect(deps.payments.intents.get(order.intents.open?.intentId ?? "")?.status).toBe("unpaid");
  });

  test("is cancelled once by two presses of one button, whichever comes first", async () => {
    const deps = testDependencies();
    const { orderId } = await awaitingPayment(deps);
    const { revision } = await deps.orders.load(orderId);
    const once = act({ idempotencyKey: "k1", expectedRevision: revision });
    const presses = await Promise.all([1, 2].map(() => cancelByStaff(deps, orderId, once)));
    expect(presses.map(({ order }) => order.phase)).toEqual(["Cancelled", "Cancelled"]);
  });

  test("fails with its cause", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const end = { cause: "customer", reason: "notEligible" } as const;
    const { order } = await failOrder(deps, orderId, end, act());
    expect([order.phase, order.end?.cause, order.end?.reason]).toEqual(["Failed", "customer", "notEligible"]);
  });

  test("gets another application, and is asked to be forgotten, with the reason kept", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await amendByStaff(deps, orderId, amendment, act({ reason: "detailsWrong" }));
    await requestErasure(deps, orderId, act({ reason: "lawRequires" }));
    const reasons = (await deps.events(orderId)).slice(-2).map(({ metadata }) => metadata.reason);
    expect(reasons).toEqual(["detailsWrong", "lawRequires"]);
  });

  test("gets another address from one of two people: the other is asked to look again", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const { revision } = await deps.orders.load(orderId);
    const answers = await Promise.allSettled([
      correctContactByStaff(
        deps,
        orderId,
        { email: "one@post.example" },
        act({ expectedRevision: revision }),
      ),
      correctContactByStaff(
        deps,
        orderId,
        { email: "two@post.example" },
        bob({ expectedRevision: revision }),
      ),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "changed-meanwhile", details: { revision: revision + 1 } },
    });
    expect((await typesOf(deps, orderId)).filter((type) => type === "ContactCorrected")).toHaveLength(1);
  });
});

describe("A refund by staff", () => {
  const wish = async (deps: TestDependencies, orderId: string, amountPence: number) => {
    const { order } = await deps.orders.load(orderId);
    return { intentId: order.payments[0]?.intentId ?? "", amountPence, approvalAbovePence: 2000 };
  };

  test("goes at once up to the limit, once under one key", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const once = act({ reason: "goodwill", idempotencyKey: "k1" });
    await proposeRefund(deps, orderId, await wish(deps, orderId, 2000), once);
    const { order } = await proposeRefund(deps, orderId, await wish(deps, orderId, 2000), once);
    expect(order.refunds).toMatchObject([{ amountPence: 2000, status: "pending", proposal: null }]);
  });

  test("is asked for once, also where the limit was changed before the repeat; another sum is no repeat", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const once = act({ reason: "goodwill", idempotencyKey: "k1" });
    const wanted = await wish(deps, orderId, 2000);
    await proposeRefund(deps, orderId, wanted, once);
    const { order } = await proposeRefund(deps, orderId, { ...wanted, approvalAbovePence: 100 }, once);
    expect([order.refunds.length, order.proposals]).toEqual([1, []]);
    const more = { ...wanted, amountPence: 2100 };
    await expect(proposeRefund(deps, orderId, more, once)).rejects.toThrow(CommandReused);
  });

  test("above it waits for a second person, who may decline", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const { order } = await proposeRefund(deps, orderId, await wish(deps, orderId, 2001), act());
    expect([order.refunds, order.proposals.length]).toEqual([[], 1]);
    await expect(approveProposal(deps, orderId, 1, act())).rejects.toEqual(refusedBy("second-person-needed"));
    await declineProposal(deps, orderId, 1, bob());
    await proposeRefund(deps, orderId, await wish(deps, orderId, 4500), act());
    const approved = await approveProposal(deps, orderId, 2, bob({ reason: "ourMistake" }));
    expect(approved.order.refunds).toMatchObject([{ amountPence: 4500, proposal: 2 }]);
    expect((await deps.events(orderId)).at(-1)?.metadata).toMatchObject({
      actor: { id: "bob" },
      reason: "ourMistake",
    });
  });

  test("is approved by one of two managers who press at once, and once", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    await proposeRefund(deps, orderId, await wish(deps, orderId, 4500), act());
    const cat = act({ by: { userId: "cat" } });
    await Promise.all([approveProposal(deps, orderId, 1, bob()), approveProposal(deps, orderId, 1, cat)]);
    expect((await deps.orders.load(orderId)).order.refunds).toHaveLength(1);
  });

  test("waits while a bank decides", async () => {
    const deps = testDependencies();
    const orderId = await paidOrder(deps);
    const wanted = await wish(deps, orderId, 100);
    const dispute = {
      disputeId: "du_1",
      intentId: wanted.intentId,
      amountPence: 4500,
      reason: "general",
    } as const;
    await execute(deps, orderId, { type: "RecordDispute", data: { ...dispute, outcome: null } });
    await expect(proposeRefund(deps, orderId, wanted, act())).rejects.toEqual(refusedBy("dispute-open"));
    await execute(deps, orderId, { type: "RecordDispute", data: { ...dispute, outcome: "won" } });
    expect((await proposeRefund(deps, orderId, wanted, act())).order.refunds).toHaveLength(1);
  });
});
