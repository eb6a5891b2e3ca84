import { describe, expect, it } from "vitest";
import type { CommandMetadata } from "../decider.ts";
import { addDays } from "../instant.ts";
import { sample } from "./command-fixture.ts";
import type { OrderCommand } from "./commands.ts";
import { chargedBackPence, hasOpenDispute, refundablePence } from "./money.ts";
import { given, historyTo, orderAfter, orderId, start, type Told, when } from "./order-fixture.ts";
import { owed } from "./owed.ts";
import { publicHistory } from "./public-history.ts";
import { endPurge } from "./purge-fixture.ts";
import { staffTasks } from "./staff-tasks.ts";
import type { DisputeOutcome } from "./vocabulary.ts";

const by = (id: string): CommandMetadata => ({ ...given(), actor: { kind: "staff", id } });
const andThen = (history: readonly Told[], command: OrderCommand, metadata = by("ann")): Told[] => [
  ...history,
  ...when(history, command, metadata).map((event): Told => [event, 1000]),
];

const refund = (amountPence: number, approvalAbovePence: number | null = 5000): OrderCommand => ({
  type: "RequestRefund",
  data: { intentId: "pi_1", amountPence, reason: "staffDecision", approvalAbovePence },
});
const approve = (proposal = 1): OrderCommand => ({ type: "ApproveRefund", data: { proposal } });
const decline = (proposal = 1): OrderCommand => ({ type: "DeclineRefund", data: { proposal } });
const dispute = (outcome: DisputeOutcome | null = null, amountPence = 9000): OrderCommand => ({
  type: "RecordDispute",
  data: { disputeId: "du_1", intentId: "pi_1", amountPence, reason: "general", outcome },
});
const refundedBy = (rule: string) => expect.objectContaining({ code: "forbidden-in-phase", rule });

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const dutiesOf = (history: readonly Told[]) =>
  owed(orderAfter(history), addDays(start, 4000), settings).map(({ kind }) => kind);
const tasksOf = (history: readonly Told[]) => staffTasks(orderAfter(history), addDays(start, 1));

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
    expect(dutiesOf(proposed)).not.toContain("refund");
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
    expect(dutiesOf(approved)).toContain("refund");
    expect(orderAfter(approved).proposals).toMatchObject([{ status: "approved", proposedBy: "ann" }]);
    expect(when(approved, approve(), by("cat"))).toEqual([]);
  });

  it("is not approved by whoever proposed it, nor by anything but a person", () => {
    const proposed = andThen(historyTo.Paid, refund(9000));
    expect(() => when(proposed, approve(), by("ann"))).toThrow(refundedBy("second-person-needed"));
    expect(() => when(proposed, approve(), given(1000, "system"))).toThrow(
      refundedBy("second-person-needed"),
    );
  });

  it("is settled once: approved or declined", () => {
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
      data: { refundId: null, intentId: "pi_1", amountPence: 1 },
    });
    expect(() => when(elsewhere, approve(), by("bob"))).toThrow(refundedBy("above-captured"));
  });

  it("keeps the contact data for as long as it is proposed", () => {
    const proposed = andThen(historyTo.Fulfilled, refund(9000));
    expect(dutiesOf(historyTo.Fulfilled)).toContain("purge");
    expect(dutiesOf(proposed)).not.toContain("purge");
    expect(() => when(proposed, sample.StartContactDataPurge)).toThrow(refundedBy("refund-open"));
    expect(dutiesOf(andThen(proposed, decline(), by("bob")))).toContain("purge");
  });
});

describe("a dispute", () => {
  it("is a fact, also of an order whose contact data is destroyed", () => {
    const begun = andThen(historyTo.Fulfilled, sample.StartContactDataPurge);
    const forgotten = andThen(begun, endPurge(orderAfter(begun), "contact"));
    const disputed = andThen(forgotten, dispute());
    expect(disputed.at(-1)?.[0]).toMatchObject({ type: "DisputeOpened", data: { disputeId: "du_1" } });
    expect(tasksOf(disputed)).toEqual(["disputeOpen"]);
    expect(dutiesOf(disputed)).toEqual([]);
  });

  it("is told once however often it is reported, and closed by whatever report says so first", () => {
    const open = andThen(historyTo.Paid, dispute());
    expect(when(open, dispute())).toEqual([]);
    const closed = andThen(open, dispute("won"));
    expect(closed.at(-1)?.[0]).toEqual({
      type: "DisputeClosed",
      data: { disputeId: "du_1", outcome: "won" },
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
    expect(dutiesOf(cancelledAndAsked).sort()).toEqual(["mail", "purge", "refund", "requestRefund"].sort());
    const disputed = andThen(cancelledAndAsked, dispute());
    expect(dutiesOf(disputed).sort()).toEqual(["mail", "purge"]);
    expect(() => when(disputed, refund(1))).toThrow(refundedBy("dispute-open"));
    const proposed = andThen(andThen(historyTo.Paid, refund(9000)), dispute());
    expect(() => when(proposed, approve(), by("bob"))).toThrow(refundedBy("dispute-open"));
    expect(when(proposed, decline(), by("bob")).map(({ type }) => type)).toEqual(["RefundDeclined"]);
    const unexpected = when(disputed, { type: "ConfirmPayment", data: { intentId: "pi_2", amountPence: 1 } });
    expect(unexpected.map(({ type }) => type)).toEqual(["PaymentReceivedUnexpectedly"]);
  });

  it.each(["won", "warningClosed"] as const)("that is %s lets refunds go on where they stood", (outcome) => {
    const disputed = andThen(historyTo.Cancelled, dispute());
    expect(dutiesOf(disputed)).not.toContain("requestRefund");
    expect(dutiesOf(andThen(disputed, dispute(outcome)))).toContain("requestRefund");
  });

  it("that is lost has given the money back: it goes back no second time", () => {
    const lost = andThen(historyTo.Cancelled, dispute("lost"));
    const order = orderAfter(lost);
    expect([chargedBackPence(order), refundablePence(order, "pi_1")]).toEqual([9000, 0]);
    expect(dutiesOf(lost)).not.toContain("requestRefund");
    expect(() => when(lost, refund(1))).toThrow(refundedBy("above-captured"));
    const part = andThen(historyTo.Cancelled, dispute("lost", 4000));
    const duty = owed(orderAfter(part), start, settings).find(({ kind }) => kind === "requestRefund");
    expect(duty).toMatchObject({ amountPence: 5000 });
  });

  it("keeps the contact data until it is closed", () => {
    const disputed = andThen(historyTo.Fulfilled, dispute());
    expect(hasOpenDispute(orderAfter(disputed))).toBe(true);
    expect(dutiesOf(disputed)).not.toContain("purge");
    expect(() => when(disputed, sample.StartContactDataPurge)).toThrow(refundedBy("dispute-open"));
    expect(dutiesOf(andThen(disputed, dispute("lost")))).toContain("purge");
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
  const history = ours.reduce<Told[]>((told, command) => andThen(told, command), [...historyTo.Paid]);
  expect(history.length).toBe(historyTo.Paid.length + ours.length);
  const shown = (told: readonly Told[]) => publicHistory(told.map(([event]) => ({ event, at: start })));
  expect(shown(history)).toEqual(shown(historyTo.Paid));
  expect(orderAfter(history).phase).toBe("Paid");
});
