import { describe, expect, test } from "vitest";
import { CommandReused } from "../../../infra/commands/repeats.ts";
import {
  paidOrder,
  recordConfirmation,
  startAttempt,
  submit,
  tell,
} from "../../../testing/services/paid-order-fixture.ts";
import { awaitingPayment, type TestDesk, testDesk } from "../../../testing/services/use-case-fixture.ts";
import { approveProposal, declineProposal } from "./approve-proposal.ts";
import { proposeRefund } from "./propose-refund.ts";
import { recordManualSubmission, startManualSubmission } from "./record-manual-submission.ts";
import type { StaffAct } from "./staff-act.ts";
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

const typesOf = async (desk: TestDesk, orderId: string, from = 0) =>
  (await desk.events(orderId)).slice(from).map(({ type }) => type);

async function confirmedOrder(desk: TestDesk): Promise<string> {
  const orderId = await paidOrder(desk);
  await recordConfirmation(desk, orderId, "sent");
  return orderId;
}

const submittedAt = "2026-11-21T08:00:00.000Z";
const application = { certificateType: "Birth", certificateDetails: {}, eventDetails: {}, gro: "" };

describe("A submission by hand", () => {
  test("is begun and ended at once, its reference sealed", async () => {
    const desk = testDesk();
    const orderId = await confirmedOrder(desk);
    const by = { groOrderReference: "GRO-4711", submittedAt };
    const { order } = await recordManualSubmission(desk, orderId, by, act());
    expect(order).toMatchObject({ phase: "Submitted", submission: { attempt: 1, submittedAt } });
    const [ref = ""] = order.vault.groReferences;
    expect(desk.vault.records.get(ref)).toMatchObject({
      kind: "groOrderReference",
      dataClass: "contact",
      body: { groOrderReference: "GRO-4711" },
    });
    expect((await typesOf(desk, orderId)).slice(-2)).toEqual(["SubmissionStarted", "SubmittedToGRO"]);
    expect(JSON.stringify(await desk.events(orderId))).not.toContain("GRO-4711");
  });

  test("that is sent twice under one key is one submission", async () => {
    const desk = testDesk();
    const orderId = await confirmedOrder(desk);
    const once = act({ idempotencyKey: "k1" });
    const by = { groOrderReference: null, submittedAt };
    await recordManualSubmission(desk, orderId, by, once);
    const before = await typesOf(desk, orderId);
    await recordManualSubmission(desk, orderId, by, once);
    expect(await typesOf(desk, orderId)).toEqual(before);
  });

  test("may be begun first and told later; its revision is looked at once", async () => {
    const desk = testDesk();
    const orderId = await confirmedOrder(desk);
    const { revision } = await desk.orders.load(orderId);
    const seen = act({ expectedRevision: revision, idempotencyKey: "k1" });
    await startManualSubmission(desk, orderId, seen);
    await startManualSubmission(desk, orderId, seen);
    const by = { groOrderReference: null, submittedAt };
    await expect(recordManualSubmission(desk, orderId, by, seen)).rejects.toEqual(
      refusedBy("changed-meanwhile"),
    );
    const { order } = await recordManualSubmission(
      desk,
      orderId,
      by,
      act({ expectedRevision: revision + 1 }),
    );
    expect([order.attempts.count, order.phase]).toEqual([1, "Submitted"]);
  });

  test("waits for the customer's confirmation, and for an order to submit", async () => {
    const desk = testDesk();
    const by = { groOrderReference: null, submittedAt };
    const paid = await paidOrder(desk);
    await expect(recordManualSubmission(desk, paid, by, act())).rejects.toEqual(refusedBy("not-confirmed"));
    const orderId = await confirmedOrder(desk);
    await recordManualSubmission(desk, orderId, by, act());
    await expect(recordManualSubmission(desk, orderId, by, act())).rejects.toEqual(
      refusedBy("already-submitted"),
    );
  });
});

describe("What staff learnt of the GRO", () => {
  test("ends an attempt that nobody knew the end of, and lets the next begin", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await startAttempt(desk, orderId);
    desk.wait(900);
    const once = act({ idempotencyKey: "k1" });
    const { order } = await recordSubmissionFailure(desk, orderId, once);
    expect(order).toMatchObject({ phase: "Confirmed", attempts: { open: null } });
    const event = (await desk.events(orderId)).at(-1);
    expect(event?.data).toEqual({ attempt: 1, code: "staffConfirmed", certain: true });
    expect(event?.metadata).toMatchObject({ reason: "groPhoned", actor: { kind: "staff", id: "ann" } });
    expect((await recordSubmissionFailure(desk, orderId, once)).order.phase).toBe("Confirmed");
    await expect(recordSubmissionFailure(desk, orderId, act())).rejects.toEqual(refusedBy("no-attempt-open"));
  });

  test("ends no attempt that a process which stood still may yet send", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await startAttempt(desk, orderId);
    desk.wait(899);
    const underWay = refusedBy("attempt-under-way");
    const by = { groOrderReference: null, submittedAt };
    await expect(recordSubmissionFailure(desk, orderId, act())).rejects.toEqual(underWay);
    await expect(recordManualSubmission(desk, orderId, by, act())).rejects.toEqual(underWay);
    desk.wait(1);
    expect((await recordManualSubmission(desk, orderId, by, act())).order.phase).toBe("Submitted");
  });

  test("is an outcome, then an answer to it that goes out again", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await submit(desk, orderId);
    expect((await recordOutcome(desk, orderId, "queried", act())).order.outcome?.outcome).toBe("queried");
    await expect(amendByStaff(desk, orderId, application, act())).rejects.toEqual(refusedBy("purge-pending"));
  });

  test("is a despatch, once", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await expect(recordDispatch(desk, orderId, submittedAt, act())).rejects.toEqual(
      refusedBy("not-submitted"),
    );
    await submit(desk, orderId);
    const once = act({ idempotencyKey: "k1" });
    expect((await recordDispatch(desk, orderId, submittedAt, once)).order.phase).toBe("Dispatched");
    expect((await recordDispatch(desk, orderId, submittedAt, once)).order.phase).toBe("Dispatched");
    await expect(recordDispatch(desk, orderId, submittedAt, act())).rejects.toEqual(
      refusedBy("already-dispatched"),
    );
  });
});

describe("An order that staff end or set right", () => {
  test("is cancelled in the customer's name where the customer asked, its open intent closed first", async () => {
    const desk = testDesk();
    const { orderId, intentId } = await awaitingPayment(desk);
    const once = act({ reason: "customerAsked", idempotencyKey: "k1" });
    const { order } = await cancelByStaff(desk, orderId, once);
    expect(order.end).toMatchObject({ reason: "customerRequest" });
    expect(desk.payments.intents.get(intentId)?.status).toBe("cancelled");
    expect((await cancelByStaff(desk, orderId, once)).order.phase).toBe("Cancelled");
    const other = await paidOrder(desk);
    expect((await cancelByStaff(desk, other, act())).order.end).toMatchObject({ reason: "staffRequest" });
  });

  test("fails with its cause", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const end = { cause: "customer", reason: "notEligible" } as const;
    const { order } = await failOrder(desk, orderId, end, act());
    expect([order.phase, order.end?.cause, order.end?.reason]).toEqual(["Failed", "customer", "notEligible"]);
  });

  test("gets another application, and is asked to be forgotten, with the reason kept", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await amendByStaff(desk, orderId, application, act({ reason: "detailsWrong" }));
    await requestErasure(desk, orderId, act({ reason: "lawRequires" }));
    const reasons = (await desk.events(orderId)).slice(-2).map(({ metadata }) => metadata.reason);
    expect(reasons).toEqual(["detailsWrong", "lawRequires"]);
  });

  test("gets another address from one of two people: the other is told to look again", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const { revision } = await desk.orders.load(orderId);
    const answers = await Promise.allSettled([
      correctContactByStaff(
        desk,
        orderId,
        { email: "one@post.example" },
        act({ expectedRevision: revision }),
      ),
      correctContactByStaff(
        desk,
        orderId,
        { email: "two@post.example" },
        bob({ expectedRevision: revision }),
      ),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "changed-meanwhile", details: { revision: revision + 1 } },
    });
    expect((await typesOf(desk, orderId)).filter((type) => type === "ContactCorrected")).toHaveLength(1);
  });
});

describe("A refund by staff", () => {
  const wish = async (desk: TestDesk, orderId: string, amountPence: number) => {
    const { order } = await desk.orders.load(orderId);
    return { intentId: order.payments[0]?.intentId ?? "", amountPence, approvalAbovePence: 2000 };
  };

  test("goes at once up to the limit, once under one key", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const once = act({ reason: "goodwill", idempotencyKey: "k1" });
    await proposeRefund(desk, orderId, await wish(desk, orderId, 2000), once);
    const { order } = await proposeRefund(desk, orderId, await wish(desk, orderId, 2000), once);
    expect(order.refunds).toMatchObject([{ amountPence: 2000, status: "pending", proposal: null }]);
  });

  test("is asked for once, also where the limit was changed before the repeat; another sum is no repeat", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const once = act({ reason: "goodwill", idempotencyKey: "k1" });
    const wanted = await wish(desk, orderId, 2000);
    await proposeRefund(desk, orderId, wanted, once);
    const { order } = await proposeRefund(desk, orderId, { ...wanted, approvalAbovePence: 100 }, once);
    expect([order.refunds.length, order.proposals]).toEqual([1, []]);
    const more = { ...wanted, amountPence: 2100 };
    await expect(proposeRefund(desk, orderId, more, once)).rejects.toThrow(CommandReused);
  });

  test("above it waits for a second person, who may decline", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const { order } = await proposeRefund(desk, orderId, await wish(desk, orderId, 2001), act());
    expect([order.refunds, order.proposals.length]).toEqual([[], 1]);
    await expect(approveProposal(desk, orderId, 1, act())).rejects.toEqual(refusedBy("second-person-needed"));
    await declineProposal(desk, orderId, 1, bob());
    await proposeRefund(desk, orderId, await wish(desk, orderId, 4500), act());
    const approved = await approveProposal(desk, orderId, 2, bob({ reason: "ourMistake" }));
    expect(approved.order.refunds).toMatchObject([{ amountPence: 4500, proposal: 2 }]);
    expect((await desk.events(orderId)).at(-1)?.metadata).toMatchObject({
      actor: { id: "bob" },
      reason: "ourMistake",
    });
  });

  test("is approved by one of two managers who press at once, and once", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    await proposeRefund(desk, orderId, await wish(desk, orderId, 4500), act());
    const cat = act({ by: { userId: "cat" } });
    await Promise.all([approveProposal(desk, orderId, 1, bob()), approveProposal(desk, orderId, 1, cat)]);
    expect((await desk.orders.load(orderId)).order.refunds).toHaveLength(1);
  });

  test("waits while a bank decides", async () => {
    const desk = testDesk();
    const orderId = await paidOrder(desk);
    const wanted = await wish(desk, orderId, 100);
    const dispute = {
      disputeId: "du_1",
      intentId: wanted.intentId,
      amountPence: 4500,
      reason: "general",
    } as const;
    await tell(desk, orderId, { type: "RecordDispute", data: { ...dispute, outcome: null } });
    await expect(proposeRefund(desk, orderId, wanted, act())).rejects.toEqual(refusedBy("dispute-open"));
    await tell(desk, orderId, { type: "RecordDispute", data: { ...dispute, outcome: "won" } });
    expect((await proposeRefund(desk, orderId, wanted, act())).order.refunds).toHaveLength(1);
  });
});
