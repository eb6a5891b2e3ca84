import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  given,
  historyTo,
  orderAfter,
  orderId,
  publicHistory,
  start,
  type TimedEvent,
  when,
} from "../../../testing/domain/order-fixture.ts";
import { endPurge } from "../../../testing/domain/purge-fixture.ts";
import type { CommandMetadata } from "../../decider.ts";
import { addDays } from "../../instant.ts";
import type { OrderCommand } from "../commands.ts";
import { staffTasks } from "../staff/work-queues.ts";
import { owed } from "../tasks/owed.ts";
import type { DisputeOutcome } from "../vocabulary.ts";
import { chargedBackPence, hasOpenDispute, refundablePence, refundedPence } from "./money.ts";

const by = (id: string): CommandMetadata => ({ ...given(), actor: { kind: "staff", id } });
const andThen = (
  history: readonly TimedEvent[],
  command: OrderCommand,
  metadata = by("ann"),
): TimedEvent[] => [
  ...history,
  ...when(history, command, metadata).map((event): TimedEvent => [event, 1000]),
];

const refund = (amountPence: number, approvalAbovePence: number | null = 5000): OrderCommand => ({
  type: "RequestRefund",
  data: { intentId: "pi_1", amountPence, reason: "staffDecision", approvalAbovePence },
});
const approve = (proposal = 1): OrderCommand => ({ type: "ApproveProposal", data: { proposal } });
const decline = (proposal = 1): OrderCommand => ({ type: "DeclineProposal", data: { proposal } });
const dispute = (outcome: DisputeOutcome | null = null, amountPence = 9000): OrderCommand => ({
  type: "RecordDispute",
  data: { disputeId: "du_1", intentId: "pi_1", amountPence, reason: "general", outcome },
});
const sampleRefund = refund(500, null);
const refundedBy = (rule: string) => expect.objectContaining({ code: "forbidden-in-phase", rule });

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const owedKinds = (history: readonly TimedEvent[]) =>
  owed(orderAfter(history), addDays(start, 4000), settings).map(({ kind }) => kind);
const tasksOf = (history: readonly TimedEvent[]) => staffTasks(orderAfter(history), addDays(start, 1));

describe("a refund that staff choose", () => {
  it("goes at once up to the limit, and is proposed above it", () => {
    expect(when(historyTo.Paid, refund(5000), by("ann")).map(({ type }) => type)).toEqual([
      "RefundRequested",
    ]);
    expect(when(historyTo.Paid, refund(5001), by("ann"))).toEqual([
      {
        type: "RefundProposed",
        data: {
          proposal: 1,
          intentId: "pi_1",
          amountPence: 5001,
          reason: "staffDecision",
          proposedBy: "ann",
        },
      },
    ]);
  });

  it("counts with what staff gave before: a sum in small parts is the same sum", () => {
    const once = andThen(historyTo.Paid, refund(3000));
    expect(when(once, refund(2000), by("bob")).map(({ type }) => type)).toEqual(["RefundRequested"]);
    expect(when(once, refund(2001), by("bob")).map(({ type }) => type)).toEqual(["RefundProposed"]);
  });

  it("leaves when a second person approves, and tells which proposal it carries out", () => {
    const proposed = andThen(historyTo.Paid, refund(9000));
    expect(tasksOf(proposed)).toEqual(["refundProposed"]);
    expect(owedKinds(proposed)).not.toContain("refund");
    expect(when(proposed, approve(), by("bob"))).toEqual([
      {
        type: "RefundRequested",
        data: {
          refundId: `order-${orderId}-refund-1`,
          intentId: "pi_1",
          amountPence: 9000,
          reason: "staffDecision",
          proposal: 1,
        },
      },
    ]);
    const approved = andThen(proposed, approve(), by("bob"));
    expect(tasksOf(approved)).toEqual([]);
    expect(owedKinds(approved)).toContain("refund");
    expect(orderAfter(approved).proposals).toMatchObject([{ status: "approved", proposedBy: "ann" }]);
    expect(when(approved, approve(), by("cat"))).toEqual([]);
  });

  it("is approved only by a second person", () => {
    const proposed = andThen(historyTo.Paid, refund(9000));
    expect(() => when(proposed, approve(), by("ann"))).toThrow(refundedBy("second-person-needed"));
    expect(() => when(proposed, approve(), given(1000, "system"))).toThrow(
      refundedBy("second-person-needed"),
    );
  });

  it("is approved or declined only once", () => {
    const proposed = andThen(historyTo.Paid, refund(9000));
    const declined = andThen(proposed, decline(), by("bob"));
    expect(orderAfter(declined).proposals).toMatchObject([{ status: "declined" }]);
    expect(when(declined, decline(), by("cat"))).toEqual([]);
    expect(() => when(declined, approve(), by("cat"))).toThrow(refundedBy("proposal-declined"));
    const approved = andThen(proposed, approve(), by("bob"));
    expect(() => when(approved, decline(), by("cat"))).toThrow(refundedBy("proposal-approved"));
    expect(() => when(approved, approve(2), by("cat"))).toThrow(refundedBy("no-such-proposal"));
  });

  it("is not approved any more when the money went back another way meanwhile", () => {
    const proposed = andThen(historyTo.Paid, refund(9000));
    const elsewhere = andThen(proposed, {
      type: "RecordRefund",
      data: { refundId: null, providerRefundId: "re_1", intentId: "pi_1", amountPence: 1 },
    });
    expect(() => when(elsewhere, approve(), by("bob"))).toThrow(refundedBy("above-captured"));
  });

  it("keeps the contact data for as long as it is proposed", () => {
    const proposed = andThen(historyTo.Fulfilled, refund(9000));
    expect(owedKinds(historyTo.Fulfilled)).toContain("purge");
    expect(owedKinds(proposed)).not.toContain("purge");
    expect(() => when(proposed, sample.StartContactDataPurge)).toThrow(refundedBy("refund-open"));
    expect(owedKinds(andThen(proposed, decline(), by("bob")))).toContain("purge");
  });
});

describe("a dispute", () => {
  it("is a fact, also of an order whose contact data is purged", () => {
    const begun = andThen(historyTo.Fulfilled, sample.StartContactDataPurge);
    const forgotten = andThen(begun, endPurge(orderAfter(begun), "contact"));
    const disputed = andThen(forgotten, dispute());
    expect(disputed.at(-1)?.[0]).toMatchObject({ type: "DisputeOpened", data: { disputeId: "du_1" } });
    expect(tasksOf(disputed)).toEqual(["disputeOpen"]);
    expect(owedKinds(disputed)).toEqual([]);
  });

  it("is recorded once however often it is reported, and closed by whatever report says so first", () => {
    const open = andThen(historyTo.Paid, dispute());
    expect(when(open, dispute())).toEqual([]);
    const closed = andThen(open, dispute("won"));
    expect(closed.at(-1)?.[0]).toEqual({
      type: "DisputeClosed",
      data: { disputeId: "du_1", outcome: "won", toldBy: "provider", proposal: null },
    });
    expect(when(closed, dispute("won"))).toEqual([]);
    expect(when(closed, dispute())).toEqual([]);
    expect(when(historyTo.Paid, dispute("lost")).map(({ type }) => type)).toEqual([
      "DisputeOpened",
      "DisputeClosed",
    ]);
  });

  it("keeps money in the house until the bank has decided, by staff, by policy and at the provider", () => {
    const cancelledAndAsked = andThen(historyTo.Cancelled, refund(1000));
    expect(owedKinds(cancelledAndAsked).sort()).toEqual(["mail", "purge", "refund", "requestRefund"].sort());
    const disputed = andThen(cancelledAndAsked, dispute());
    expect(owedKinds(disputed).sort()).toEqual(["mail", "purge"]);
    expect(() => when(disputed, refund(1))).toThrow(refundedBy("dispute-open"));
    const proposed = andThen(andThen(historyTo.Paid, refund(9000)), dispute());
    expect(() => when(proposed, approve(), by("bob"))).toThrow(refundedBy("dispute-open"));
    expect(when(proposed, decline(), by("bob")).map(({ type }) => type)).toEqual(["RefundDeclined"]);
    const unexpected = when(disputed, { type: "ConfirmPayment", data: { intentId: "pi_2", amountPence: 1 } });
    expect(unexpected.map(({ type }) => type)).toEqual(["PaymentReceivedUnexpectedly"]);
  });

  it.each(["won", "warningClosed"] as const)("that is %s lets refunds go on where they stood", (outcome) => {
    const disputed = andThen(historyTo.Cancelled, dispute());
    expect(owedKinds(disputed)).not.toContain("requestRefund");
    expect(owedKinds(andThen(disputed, dispute(outcome)))).toContain("requestRefund");
  });

  it("that is lost has given the money back: it goes back no second time", () => {
    const lost = andThen(historyTo.Cancelled, dispute("lost"));
    const order = orderAfter(lost);
    expect([chargedBackPence(order), refundablePence(order, "pi_1")]).toEqual([9000, 0]);
    expect(owedKinds(lost)).not.toContain("requestRefund");
    expect(() => when(lost, refund(1))).toThrow(refundedBy("above-captured"));
    const part = andThen(historyTo.Cancelled, dispute("lost", 4000));
    const task = owed(orderAfter(part), start, settings).find(({ kind }) => kind === "requestRefund");
    expect(task).toMatchObject({ amountPence: 5000 });
  });

  it("keeps the contact data until it is closed", () => {
    const disputed = andThen(historyTo.Fulfilled, dispute());
    expect(hasOpenDispute(orderAfter(disputed))).toBe(true);
    expect(owedKinds(disputed)).not.toContain("purge");
    expect(() => when(disputed, sample.StartContactDataPurge)).toThrow(refundedBy("dispute-open"));
    expect(owedKinds(andThen(disputed, dispute("lost")))).toContain("purge");
  });
});

it("what concerns only staff and the bank leaves the public history as it was", () => {
  const ours: OrderCommand[] = [
    refund(9000),
    decline(),
    dispute(),
    dispute("won"),
    sample.AddNote,
    sample.RevealPersonalData,
  ];
  const history = ours.reduce<TimedEvent[]>(
    (events, command) => andThen(events, command),
    [...historyTo.Paid],
  );
  expect(history.length).toBe(historyTo.Paid.length + ours.length);
  expect(publicHistory(history)).toEqual(publicHistory(historyTo.Paid));
  expect(orderAfter(history).phase).toBe("Paid");
});

describe("a refund made by hand at the provider", () => {
  const byHand = (providerRefundId = "re_hand", amountPence = 9000) => ({
    refundId: null,
    providerRefundId,
    intentId: "pi_1",
    amountPence,
  });
  const succeeds = (id?: string, pence?: number): OrderCommand => ({
    type: "RecordRefund",
    data: byHand(id, pence),
  });
  const fails = (id?: string, pence?: number): OrderCommand => ({
    type: "RecordRefundFailure",
    data: { ...byHand(id, pence), code: "expiredOrCancelledCard" },
  });

  it("that fails after it had succeeded counts no longer, and a cancelled order is refunded again", () => {
    const issued = andThen(historyTo.Cancelled, succeeds());
    expect(owedKinds(issued)).not.toContain("requestRefund");
    const failed = andThen(issued, fails());
    expect(orderAfter(failed).refunds).toMatchObject([{ providerRefundId: "re_hand", status: "failed" }]);
    expect([refundedPence(orderAfter(failed)), refundablePence(orderAfter(failed), "pi_1")]).toEqual([
      0, 9000,
    ]);
    expect(owedKinds(failed)).toContain("requestRefund");
    expect(when(failed, sampleRefund)).toMatchObject([{ data: { refundId: `order-${orderId}-refund-1` } }]);
  });

  it("is distinguished from another of the same sum", () => {
    const both = andThen(andThen(historyTo.Paid, succeeds("re_a", 700)), succeeds("re_b", 700));
    expect(refundedPence(orderAfter(both))).toBe(1400);
    expect(refundedPence(orderAfter(andThen(both, fails("re_a", 700))))).toBe(700);
  });

  it("stays failed when a report of its success was overtaken on its way", () => {
    const failed = andThen(andThen(historyTo.Paid, succeeds()), fails());
    expect(when(failed, succeeds())).toEqual([]);
    expect(when(failed, fails())).toEqual([]);
  });

  it("that carries another's id in its metadata does not replace the other", () => {
    const asked = andThen(historyTo.Cancelled, sampleRefund);
    const ours = { ...byHand("re_ours", 500), refundId: `order-${orderId}-refund-1` };
    const made = andThen(asked, { type: "RecordRefund", data: ours });
    const copied = andThen(made, { type: "RecordRefund", data: { ...ours, providerRefundId: "re_copy" } });
    expect(orderAfter(copied).refunds).toMatchObject([
      { refundId: ours.refundId, providerRefundId: "re_ours" },
      { refundId: null, providerRefundId: "re_copy" },
    ]);
    const edited = { ...byHand("re_copy", 500), refundId: `order-${orderId}-refund-2` };
    const later = andThen(copied, { type: "RecordRefundFailure", data: { ...edited, code: "declined" } });
    expect(orderAfter(later).refunds.at(-1)).toMatchObject({ refundId: null, status: "failed" });
    const foreign = { ...byHand("re_x", 500), refundId: `order-${orderId.replace("0a", "0b")}-refund-1` };
    expect(when(made, { type: "RecordRefund", data: foreign })).toMatchObject([{ data: { refundId: null } }]);
  });

  it("is mailed about only while it counts", () => {
    const mailsOf = (history: readonly TimedEvent[]) =>
      orderAfter(history).mails.owed.filter(({ template }) => template === "refunded");
    const issued = andThen(historyTo.Cancelled, succeeds());
    expect(mailsOf(issued)).toHaveLength(1);
    expect(mailsOf(andThen(issued, fails()))).toEqual([]);
  });
});

it("that the provider refuses to make a refund does not undo one that it made", () => {
  const refundId = `order-${orderId}-refund-1`;
  const data = { refundId, intentId: "pi_1", amountPence: 500 };
  const asked = andThen(historyTo.Cancelled, sampleRefund);
  const refusal: OrderCommand = {
    type: "RecordRefundFailure",
    data: { ...data, providerRefundId: null, code: "other" },
  };
  expect(when(asked, refusal)).toMatchObject([{ type: "RefundFailed" }]);
  const made = andThen(asked, { type: "RecordRefund", data: { ...data, providerRefundId: "re_1" } });
  expect(when(made, refusal)).toEqual([]);
  const none = { ...data, refundId: null, providerRefundId: null };
  expect(when(made, { type: "RecordRefund", data: none })).toEqual([]);
});

describe("refunds as the provider reports them, late, twice and in any order", () => {
  type Fate = { readonly pence: number; readonly asked: boolean; readonly reports: readonly string[] };
  const fate: fc.Arbitrary<Fate> = fc.record({
    pence: fc.constantFrom(100, 500, 9000),
    asked: fc.boolean(),
    reports: fc.constantFrom(["succeeded"], ["failed"], ["succeeded", "failed"]),
  });

  const ids = (n: number, { asked, pence }: Fate) => ({
    refundId: asked ? `order-${orderId}-refund-${n + 1}` : null,
    providerRefundId: `re_${n}`,
    intentId: "pi_1",
    amountPence: pence,
  });
  const report = (n: number, refund: Fate, events: string | undefined): OrderCommand =>
    events === "succeeded"
      ? { type: "RecordRefund", data: ids(n, refund) }
      : { type: "RecordRefundFailure", data: { ...ids(n, refund), code: "declined" } };

  it("add up to what the provider gave back", () => {
    const reports = fc.array(fate, { minLength: 1, maxLength: 4 }).chain((fates) => {
      const all = fates.flatMap((refund, n) => refund.reports.map((events) => report(n, refund, events)));
      return fc.record({
        fates: fc.constant(fates),
        shuffled: fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
      });
    });
    fc.assert(
      fc.property(reports, ({ fates, shuffled }) => {
        const order = orderAfter(
          shuffled.reduce<TimedEvent[]>((events, one) => andThen(events, one), [...historyTo.Paid]),
        );
        const kept = fates.filter(({ reports }) => !reports.includes("failed"));
        expect(refundedPence(order)).toBe(kept.reduce((sum, { pence }) => sum + pence, 0));
        expect(order.refunds).toHaveLength(fates.length);
      }),
    );
  });
});
