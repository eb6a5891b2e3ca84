import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  disputed,
  given,
  historyTo,
  orderAfter,
  orderId,
  outcomeProposed,
  publicHistory,
  refundStuck,
  start,
  type TimedEvent,
  uuid,
  when,
} from "../../../testing/domain/order-fixture.ts";
import type { CommandMetadata } from "../../decider.ts";
import { addDays } from "../../instant.ts";
import type { OrderCommand } from "../commands.ts";
import { namedRecords } from "../personal-data/vault-records.ts";
import { staffTasks } from "../staff/work-queues.ts";
import { owed } from "../tasks/owed.ts";
import type { DisputeOutcome } from "../vocabulary.ts";
import { chargedBackPence, hasOpenDispute, refundablePence, refundedPence } from "./money.ts";

const by = (id: string): CommandMetadata => ({ ...given(400_000), actor: { kind: "staff", id } });
const andThen = (
  history: readonly TimedEvent[],
  command: OrderCommand,
  metadata = by("ann"),
): TimedEvent[] => [
  ...history,
  ...when(history, command, metadata).map((event): TimedEvent => [event, 400_000]),
];
const refusedBy = (rule: string) => expect.objectContaining({ code: "forbidden-in-phase", rule });

const transfer = (
  amountPence = 9000,
  approvalAbovePence: number | null = 10_000,
  referenceRef: string | null = uuid(207),
): OrderCommand => ({
  type: "RecordBankTransfer",
  data: { intentId: "pi_1", amountPence, referenceRef, approvalAbovePence },
});
const approve: OrderCommand = { type: "ApproveProposal", data: { proposal: 1 } };
const decline: OrderCommand = { type: "DeclineProposal", data: { proposal: 1 } };
const closes = (outcome: DisputeOutcome, approvalAbovePence: number | null = 10_000): OrderCommand => ({
  type: "RecordDisputeOutcome",
  data: { disputeId: "du_1", outcome, approvalAbovePence },
});
const refund: OrderCommand = {
  type: "RequestRefund",
  data: { intentId: "pi_1", amountPence: 500, reason: "staffDecision", approvalAbovePence: null },
};

const settings = {
  purgeAfterSeconds: 5,
  unpaidExpiresAfterSeconds: 86_400,
  contactRetentionDays: 365,
  submissionRequestedWithinSeconds: 60,
};
const owedKinds = (history: readonly TimedEvent[]) =>
  owed(orderAfter(history), addDays(start, 4000), settings).map(({ kind }) => kind);
const purgesContact = (history: readonly TimedEvent[]) =>
  owed(orderAfter(history), addDays(start, 4000), settings).some(
    (task) => task.kind === "purge" && task.dataClass === "contact",
  );
const tasksOf = (history: readonly TimedEvent[]) => staffTasks(orderAfter(history), addDays(start, 1));

const receipt = {
  destroyed: ["contact" as const],
  rule: "retention" as const,
  keyFingerprint: "ef".repeat(32),
  probe: "unreadable" as const,
  records: 1,
};

const reference = { ref: uuid(207), kind: "bankTransfer" };
const recordsOf = (history: readonly TimedEvent[]) => namedRecords(orderAfter(history).vault, "contact");

describe("a bank transfer in the place of a refund that does not reach the card", () => {
  it("counts as given back: nothing waits for staff any more, and the contact data goes when its time comes", () => {
    expect([tasksOf(refundStuck), purgesContact(refundStuck)]).toEqual([["refundFailed"], false]);
    const transferred = andThen(refundStuck, transfer());
    expect(transferred.at(-1)?.[0]).toEqual({
      type: "BankTransferRecorded",
      data: { intentId: "pi_1", amountPence: 9000, referenceRef: uuid(207), proposal: null },
    });
    const order = orderAfter(transferred);
    expect([refundedPence(order), refundablePence(order, "pi_1")]).toEqual([9000, 0]);
    expect([tasksOf(transferred), purgesContact(transferred)]).toEqual([[], true]);
    expect(order.mails.owed.map(({ template }) => template)).toContain("refunded");
  });

  it("of a part leaves the rest to staff", () => {
    const part = andThen(refundStuck, transfer(4000));
    expect([tasksOf(part), purgesContact(part)]).toEqual([["refundFailed"], false]);
    expect(() => when(part, transfer(5001), by("ann"))).toThrow(refusedBy("above-captured"));
    expect(tasksOf(andThen(part, transfer(5000)))).toEqual([]);
  });

  it("is shown to the customer, and its reference is purged with the contact data", () => {
    const transferred = andThen(refundStuck, transfer());
    const shown = publicHistory(transferred);
    expect(shown[0]?.text).toBe("We refunded £90.00 by bank transfer");
    expect(recordsOf(transferred)).toContainEqual(reference);
    const purging = andThen(transferred, sample.StartContactDataPurge);
    expect(orderAfter(purging).purges.contact.open?.records).toContainEqual(reference);
    expect(recordsOf(purging)).toEqual([]);
  });

  it("is refused before a card has failed, while one is tried, and while the bank decides", () => {
    expect(() => when(historyTo.Paid, transfer())).toThrow(refusedBy("no-failed-refund"));
    const trying = andThen(refundStuck, refund);
    expect(() => when(trying, transfer(100))).toThrow(refusedBy("refund-open"));
    const inDispute = andThen(refundStuck, sample.RecordDispute);
    expect(() => when(inDispute, transfer())).toThrow(refusedBy("dispute-open"));
    expect(() => when(refundStuck, transfer(9001))).toThrow(refusedBy("above-captured"));
  });

  it("names its reference for as long as the contact data is kept, and none afterwards", () => {
    expect(() => when(refundStuck, transfer(9000, null, null))).toThrow(refusedBy("reference-missing"));
    const refundId = `order-${orderId}-refund-1`;
    const ids = { refundId, providerRefundId: "re_1", intentId: "pi_1", amountPence: 9000 };
    const forgotten: TimedEvent[] = [
      ...andThen(historyTo.Cancelled, { type: "RecordRefund", data: ids }),
      [{ type: "ContactDataPurged", data: { startedBy: null, ...receipt } }, 390_000],
      [{ type: "RefundFailed", data: { ...ids, code: "declined" } }, 395_000],
    ];
    expect(() => when(forgotten, transfer())).toThrow(refusedBy("contact-purged"));
    expect(when(forgotten, transfer(9000, null, null))).toMatchObject([{ data: { referenceRef: null } }]);
  });

  it("above the limit counts once a second person has approved it, and counts with what staff gave before", () => {
    const proposed = andThen(refundStuck, transfer(9000, 5000));
    expect(proposed.at(-1)?.[0]).toMatchObject({
      type: "BankTransferProposed",
      data: { proposal: 1, referenceRef: uuid(207), proposedBy: "ann" },
    });
    expect(tasksOf(proposed)).toEqual(["refundFailed", "refundProposed"]);
    expect([refundedPence(orderAfter(proposed)), purgesContact(proposed)]).toEqual([0, false]);
    expect(() => when(proposed, approve, by("ann"))).toThrow(refusedBy("second-person-needed"));
    expect(when(proposed, approve, by("bob"))).toEqual([
      {
        type: "BankTransferRecorded",
        data: { intentId: "pi_1", amountPence: 9000, referenceRef: uuid(207), proposal: 1 },
      },
    ]);
    const approved = andThen(proposed, approve, by("bob"));
    expect([tasksOf(approved), refundedPence(orderAfter(approved))]).toEqual([[], 9000]);
    expect(recordsOf(approved).filter(({ ref }) => ref === uuid(207))).toHaveLength(1);
    const once = andThen(refundStuck, transfer(3000, 5000));
    expect(when(once, transfer(2001, 5000)).map(({ type }) => type)).toEqual(["BankTransferProposed"]);
  });

  it("that was declined leaves its reference to be purged with the rest", () => {
    const declined = andThen(andThen(refundStuck, transfer(9000, 5000)), decline, by("bob"));
    expect(declined.at(-1)?.[0]).toEqual({ type: "RefundDeclined", data: { proposal: 1 } });
    expect(tasksOf(declined)).toEqual(["refundFailed"]);
    expect(recordsOf(declined)).toContainEqual(reference);
  });

  it("is not approved once the money went back another way", () => {
    const proposed = andThen(refundStuck, transfer(9000, 5000));
    const elsewhere = andThen(proposed, {
      type: "RecordRefund",
      data: { ...sample.RecordRefund.data, providerRefundId: "re_9" },
    });
    expect(() => when(elsewhere, approve, by("bob"))).toThrow(refusedBy("above-captured"));
  });
});

describe("a bank transfer that comes back", () => {
  const returned: OrderCommand = { type: "RecordBankTransferReturn", data: { transfer: 1 } };
  const back = andThen(andThen(refundStuck, transfer()), returned);

  it("counts as not given back: staff are asked again, no task tries the card, and its mail is dropped", () => {
    const order = orderAfter(back);
    expect([refundedPence(order), refundablePence(order, "pi_1")]).toEqual([0, 9000]);
    expect([tasksOf(back), purgesContact(back)]).toEqual([["refundFailed"], false]);
    expect(owedKinds(back)).not.toContain("requestRefund");
    expect(order.mails.owed.map(({ template }) => template)).not.toContain("refunded");
    expect(when(back, returned)).toEqual([]);
    const shown = publicHistory(back);
    expect(shown.map(({ text }) => text).slice(0, 2)).toEqual([
      "Our bank transfer to you came back",
      "We refunded £90.00 by bank transfer",
    ]);
    expect(tasksOf(andThen(back, transfer(9000, null)))).toEqual([]);
  });

  it("is not tried on the card by itself even where that failed once only", () => {
    const once = andThen(historyTo.Cancelled, {
      type: "RecordRefundFailure",
      data: { ...sample.RecordRefundFailure.data, amountPence: 9000, providerRefundId: "re_9" },
    });
    expect(owedKinds(once)).toContain("requestRefund");
    expect(owedKinds(andThen(andThen(once, transfer()), returned))).not.toContain("requestRefund");
  });

  it("counts towards the limit: one person cannot give the same sum away twice", () => {
    const small = andThen(andThen(refundStuck, transfer(4000, 5000)), returned);
    expect(when(small, transfer(4000, 5000)).map(({ type }) => type)).toEqual(["BankTransferProposed"]);
    expect(() => when(refundStuck, returned)).toThrow(refusedBy("no-such-transfer"));
  });
});

describe("a transfer of money that reaches the card after all", () => {
  it("leaves nothing to give, and tells staff that too much went back", () => {
    const refused = { refundId: `order-${orderId}-refund-1`, intentId: "pi_1", amountPence: 9000 };
    const reported = andThen(historyTo.Cancelled, {
      type: "RecordRefundFailure",
      data: { ...refused, providerRefundId: null, code: "other" },
    });
    const transferred = andThen(reported, transfer());
    const twice = andThen(transferred, {
      type: "RecordRefund",
      data: { ...refused, providerRefundId: "re_1" },
    });
    const order = orderAfter(twice);
    expect([refundedPence(order), refundablePence(order, "pi_1")]).toEqual([18_000, 0]);
    expect(owedKinds(twice)).not.toContain("requestRefund");
    expect(() => when(twice, transfer(1))).toThrow(refusedBy("above-captured"));
    expect([tasksOf(transferred), tasksOf(twice)]).toEqual([[], ["overRefunded"]]);
    expect(purgesContact(twice)).toBe(true);
    expect(tasksOf(andThen(twice, sample.StartContactDataPurge))).toEqual([]);
  });

  it("reads the same of a dispute that is lost after the money went back", () => {
    const gone = andThen(andThen(refundStuck, transfer()), {
      type: "RecordDispute",
      data: { ...sample.RecordDispute.data, outcome: "lost" },
    });
    expect(tasksOf(gone)).toEqual(["overRefunded"]);
  });
});

describe("a refund that staff chose", () => {
  const fail = (history: readonly TimedEvent[]) =>
    andThen(history, {
      type: "RecordRefundFailure",
      data: {
        refundId: orderAfter(history).refunds.at(-1)?.refundId ?? null,
        providerRefundId: "re_x",
        intentId: "pi_1",
        amountPence: 500,
        code: "declined",
      },
    });

  it("waits for staff when it fails once: nothing tries it again by itself", () => {
    const failed = fail(andThen(historyTo.Fulfilled, refund));
    expect(owedKinds(failed)).not.toContain("requestRefund");
    expect(tasksOf(failed)).toEqual(["refundFailed"]);
    expect(tasksOf(andThen(failed, refund))).toEqual([]);
    expect(tasksOf(andThen(failed, transfer(500)))).toEqual([]);
  });
});

describe("a dispute that the provider never closes", () => {
  it.each(["won", "warningClosed"] as const)("is %s by the word of staff: refunds go on", (outcome) => {
    const closed = andThen(disputed, closes(outcome));
    expect(closed.at(-1)?.[0]).toEqual({
      type: "DisputeClosed",
      data: { disputeId: "du_1", outcome, toldBy: "staff", proposal: null },
    });
    expect(hasOpenDispute(orderAfter(closed))).toBe(false);
    expect([tasksOf(closed), purgesContact(closed)]).toEqual([[], true]);
    expect(when(closed, refund).map(({ type }) => type)).toEqual(["RefundRequested"]);
  });

  it("is lost by the word of staff: the money counts as gone back", () => {
    const order = orderAfter(andThen(disputed, closes("lost")));
    expect([chargedBackPence(order), refundablePence(order, "pi_1")]).toEqual([9000, 0]);
  });

  it("above the limit waits for a second person", () => {
    expect(when(disputed, closes("lost", 5000), by("ann"))).toEqual([outcomeProposed.at(-1)?.[0]]);
    expect(tasksOf(outcomeProposed)).toEqual(["refundProposed", "disputeOpen"]);
    expect(() => when(outcomeProposed, approve, by("ann"))).toThrow(refusedBy("second-person-needed"));
    expect(when(outcomeProposed, approve, by("bob"))).toEqual([
      { type: "DisputeClosed", data: { disputeId: "du_1", outcome: "lost", toldBy: "staff", proposal: 1 } },
    ]);
    expect(orderAfter(andThen(outcomeProposed, approve, by("bob"))).proposals).toMatchObject([
      { kind: "disputeOutcome", status: "approved" },
    ]);
    expect(when(outcomeProposed, decline, by("bob"))).toEqual([
      { type: "DisputeOutcomeDeclined", data: { proposal: 1 } },
    ]);
  });

  it("that the provider closes after all leaves nothing to approve, and its word stands", () => {
    const reported = {
      ...sample.RecordDispute,
      data: { ...sample.RecordDispute.data, outcome: "won" },
    } as const;
    const closed = andThen(outcomeProposed, reported);
    expect(orderAfter(closed).proposals).toMatchObject([{ status: "lapsed" }]);
    for (const command of [approve, decline, closes("lost")])
      expect(() => when(closed, command, by("bob"))).toThrow(refusedBy("dispute-closed"));
    const byStaff = andThen(disputed, closes("lost"));
    expect(when(byStaff, reported)).toEqual([
      {
        type: "DisputeClosed",
        data: { disputeId: "du_1", outcome: "won", toldBy: "provider", proposal: null },
      },
    ]);
    expect(() => when(historyTo.Fulfilled, closes("won"))).toThrow(refusedBy("no-such-dispute"));
  });

  it("is open again when the provider says so after staff closed it, and not after the provider closed it", () => {
    const stillOpen = { ...sample.RecordDispute, data: { ...sample.RecordDispute.data, outcome: null } };
    const byStaff = andThen(disputed, closes("won"));
    const reopened = andThen(byStaff, stillOpen);
    expect(reopened.at(-1)?.[0]).toEqual({ type: "DisputeReopened", data: { disputeId: "du_1" } });
    expect([tasksOf(reopened), purgesContact(reopened)]).toEqual([["disputeOpen"], false]);
    expect(() => when(reopened, refund)).toThrow(refusedBy("dispute-open"));
    expect(when(reopened, stillOpen)).toEqual([]);
    expect(tasksOf(andThen(reopened, closes("won")))).toEqual([]);
    const confirmed = andThen(byStaff, {
      ...sample.RecordDispute,
      data: { ...sample.RecordDispute.data, outcome: "won" },
    });
    expect(confirmed.at(-1)?.[0]).toMatchObject({ type: "DisputeClosed", data: { toldBy: "provider" } });
    expect(when(confirmed, stillOpen)).toEqual([]);
  });
});
