import { describe, expect, it } from "vitest";
import { sample } from "../../testing/domain/command-fixture.ts";
import {
  failedAttempt,
  given,
  historyTo,
  orderAfter,
  orderId,
  start,
  submitted,
  type TimedEvent,
  uuid,
  when,
} from "../../testing/domain/order-fixture.ts";
import { addSeconds } from "../instant.ts";
import type { OrderCommand } from "./commands.ts";
import { capturedPence, refundablePence, refundedPence } from "./payment/money.ts";

const andThen = (history: readonly TimedEvent[], command: OrderCommand, seconds = 2000): TimedEvent[] => [
  ...history,
  ...when(history, command, given(seconds)).map((event): TimedEvent => [event, seconds]),
];
const cancel = (
  reason: "expired" | "replaced" | "unconfirmed" | "customerRequest",
  closedIntentId: string | null = null,
) => ({ type: "CancelOrder", data: { reason, closedIntentId } }) as const;

describe("cancelling", () => {
  it("says who asked", () => {
    expect(when(historyTo.Paid, cancel("customerRequest"), given(1000, "customer"))).toEqual([
      { type: "OrderCancelled", data: { reason: "customerRequest", by: "customer" } },
    ]);
  });

  it("needs the open intent to be cancelled at the provider first", () => {
    expect(() => when(historyTo.AwaitingPayment, cancel("expired"))).toThrow(
      expect.objectContaining({ rule: "payment-open", details: { intentId: "pi_1" } }),
    );
    expect(when(historyTo.AwaitingPayment, cancel("expired", "pi_1"))).toMatchObject([
      { type: "OrderCancelled" },
    ]);
  });

  it.each(["expired", "replaced"] as const)("as %s stops where a payment came first", (reason) => {
    for (const history of [historyTo.Paid, historyTo.Confirmed, historyTo.Submitting])
      expect(() => when(history, cancel(reason, "pi_1"))).toThrow(
        expect.objectContaining({ rule: "already-paid" }),
      );
  });

  it("for want of a confirmation stops where one arrived", () => {
    expect(when(historyTo.Paid, cancel("unconfirmed"))).toMatchObject([{ type: "OrderCancelled" }]);
    expect(() => when(historyTo.Confirmed, cancel("unconfirmed"))).toThrow(
      expect.objectContaining({ rule: "already-confirmed" }),
    );
    expect(() => when(historyTo.Priced, cancel("unconfirmed"))).toThrow(
      expect.objectContaining({ rule: "not-paid" }),
    );
  });
});

describe("reporting the arrival", () => {
  const report = { type: "ReportArrival", data: {} } as const;
  const reported = andThen(historyTo.Fulfilled, report, 200_000);
  const refundOf = (intentId: string, amountPence: number): OrderCommand => ({
    type: "RequestRefund",
    data: { intentId, amountPence, reason: "staffDecision", approvalAbovePence: null },
  });
  const refused = expect.objectContaining({ rule: "already-refunded" });

  it("is recorded once, and changes neither phase nor end", () => {
    expect(when(historyTo.Fulfilled, report)).toEqual([{ type: "CertificateArrived", data: {} }]);
    expect(when(reported, report)).toEqual([]);
    const { phase, end } = orderAfter(historyTo.Fulfilled);
    expect(orderAfter(reported)).toMatchObject({ phase, end, arrivedAt: addSeconds(start, 200_000) });
  });

  it("is possible before the order is fulfilled, which follows all the same", () => {
    const early = andThen(historyTo.Dispatched, report, 100_000);
    expect(when(early, { type: "FulfilOrder", data: {} })).toEqual([{ type: "OrderFulfilled", data: {} }]);
  });

  it.each([
    ["all of it", 9000],
    ["some of it", 500],
  ])("is refused once the payment was refunded, %s", (_, amountPence) => {
    const refunded = andThen(historyTo.Fulfilled, refundOf("pi_1", amountPence));
    expect(() => when(refunded, report)).toThrow(refused);
  });

  it("is refused after a refund that was issued at the provider, and after a lost dispute", () => {
    const issued = andThen(historyTo.Fulfilled, sample.RecordRefund);
    expect(() => when(issued, report)).toThrow(refused);
    const disputed = andThen(historyTo.Fulfilled, sample.RecordDispute);
    expect(when(disputed, report)).toHaveLength(1);
    const lost: TimedEvent[] = [
      ...disputed,
      [
        {
          type: "DisputeClosed",
          data: { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null },
        },
        3000,
      ],
    ];
    expect(() => when(lost, report)).toThrow(refused);
  });

  it("counts no refund of a payment that was not due", () => {
    const twice = andThen(historyTo.Fulfilled, {
      type: "ConfirmPayment",
      data: { intentId: "pi_2", amountPence: 9000 },
    });
    expect(orderAfter(twice).refunds).toHaveLength(1);
    expect(when(twice, report)).toHaveLength(1);
  });

  it("that was made before a refund stays true", () => {
    expect(when(andThen(reported, refundOf("pi_1", 500), 300_000), report)).toEqual([]);
  });
});

describe("the despatch", () => {
  const sent = (dispatchedAt: string) =>
    orderAfter([
      ...historyTo.Submitted,
      [{ type: "CertificateDispatched", data: { attempt: 1, dispatchedAt } }, 100_000],
    ]);

  it.each([
    ["when the GRO says that it was", addSeconds(start, 50_000), 50_000],
    ["when the log learnt of it, if the GRO names a later moment", addSeconds(start, 900_000), 100_000],
    ["when the order was made, if the GRO names an earlier one", "2001-01-01T00:00:00.000Z", 0],
  ])("was %s", (_, reportedAt, seconds) => {
    const learntAt = addSeconds(start, 100_000);
    expect(sent(reportedAt)).toMatchObject({ leftGroAt: addSeconds(start, seconds), dispatchedAt: learntAt });
  });
});

describe("cancelling while an attempt is open", () => {
  const asked = andThen(historyTo.Submitting, cancel("customerRequest"));

  it("waits for the outcome, and is asked for once", () => {
    expect(orderAfter(asked)).toMatchObject({
      phase: "Submitting",
      cancellationRequested: { reason: "customerRequest", by: "system" },
    });
    expect(when(asked, cancel("customerRequest"))).toEqual([]);
  });

  const certain = {
    type: "RecordSubmissionFailure",
    data: { attempt: 1, code: "rejected", certain: true },
  } as const;
  const doubtful = {
    type: "RecordSubmissionFailure",
    data: { attempt: 1, code: "timeout", certain: false },
  } as const;

  it("is done by a certain failure", () => {
    expect(when(asked, certain)).toEqual([
      { type: "SubmissionFailed", data: certain.data },
      { type: "OrderCancelled", data: { reason: "customerRequest", by: "system" } },
    ]);
  });

  it("goes on waiting after a doubtful one", () => {
    expect(when(asked, doubtful).map(({ type }) => type)).toEqual(["SubmissionFailed"]);
  });

  it("is answered by mail that it was too late when the GRO has it", () => {
    const late = orderAfter([...asked, [submitted(), 2001]]);
    expect(late).toMatchObject({ phase: "Submitted", cancellationRequested: null });
    expect(late.mails.owed.map(({ template }) => template)).toContain("cancellationTooLate");
    expect(orderAfter(historyTo.Submitted).mails.owed.map(({ template }) => template)).not.toContain(
      "cancellationTooLate",
    );
  });

  it("changes nothing for a failure without a request to cancel", () => {
    expect(when(historyTo.Submitting, certain).map(({ type }) => type)).toEqual(["SubmissionFailed"]);
    expect(orderAfter([...historyTo.Submitting, [failedAttempt(1, true), 70]]).phase).toBe("Confirmed");
  });
});

describe("refunds", () => {
  const ask = (amountPence: number, intentId = "pi_1") =>
    ({
      type: "RequestRefund",
      data: { intentId, amountPence, reason: "staffDecision", approvalAbovePence: null },
    }) as const;
  const refundId = (n: number) => `order-${orderId}-refund-${n}`;
  const issue = (n: number, amountPence: number) =>
    ({
      type: "RecordRefund",
      data: { refundId: refundId(n), providerRefundId: `re_${n}`, intentId: "pi_1", amountPence },
    }) as const;
  const fail = (n: number, amountPence: number) =>
    ({
      type: "RecordRefundFailure",
      data: {
        refundId: refundId(n),
        providerRefundId: `re_${n}`,
        intentId: "pi_1",
        amountPence,
        code: "declined",
      },
    }) as const;

  it("never exceed captured minus refunded minus pending", () => {
    const one = andThen(historyTo.Paid, ask(4000));
    expect(() => when(one, ask(5001))).toThrow(
      expect.objectContaining({ rule: "above-captured", details: { refundablePence: 5000 } }),
    );
    const two = andThen(andThen(one, issue(1, 4000)), ask(5000));
    expect(() => when(two, ask(1))).toThrow(expect.objectContaining({ details: { refundablePence: 0 } }));
  });

  it("are numbered within the order, and name their intent", () => {
    expect(when(andThen(historyTo.Paid, ask(4000)), ask(100))).toEqual([
      {
        type: "RefundRequested",
        data: {
          refundId: refundId(2),
          intentId: "pi_1",
          amountPence: 100,
          reason: "staffDecision",
          proposal: null,
        },
      },
    ]);
    expect(() => when(historyTo.Paid, ask(1, "pi_other"))).toThrow(
      expect.objectContaining({ rule: "above-captured" }),
    );
  });

  it("free the money again when they failed", () => {
    const history = andThen(andThen(historyTo.Paid, ask(9000)), fail(1, 9000));
    expect(refundablePence(orderAfter(history), "pi_1")).toBe(9000);
  });

  it("count once when the provider tells twice, and are taken back when they fail after all", () => {
    const issued = andThen(andThen(historyTo.Paid, ask(9000)), issue(1, 9000));
    expect(when(issued, issue(1, 9000))).toEqual([]);
    expect(refundedPence(orderAfter(issued))).toBe(9000);
    expect(refundedPence(orderAfter(andThen(issued, fail(1, 9000))))).toBe(0);
  });

  it("made at the provider are taken over under the provider's id, and take no number of ours", () => {
    const elsewhere = {
      type: "RecordRefund",
      data: { refundId: null, providerRefundId: "re_hand", intentId: "pi_1", amountPence: 700 },
    } as const;
    const history = andThen(historyTo.Paid, elsewhere);
    const order = orderAfter(history);
    expect(order.refunds).toMatchObject([
      { refundId: null, providerRefundId: "re_hand", status: "issued", reason: null },
    ]);
    expect(capturedPence(order) - refundedPence(order)).toBe(8300);
    expect(when(history, ask(100))).toMatchObject([{ data: { refundId: refundId(1) } }]);
  });
});

describe("personal data", () => {
  it("cannot come back under a reference that is being purged", () => {
    const amended = andThen(historyTo.Paid, sample.AmendApplication);
    const back = {
      ...sample.AmendApplication,
      data: { ...sample.AmendApplication.data, applicationRef: uuid(103) },
    };
    expect(() => when(amended, back)).toThrow(expect.objectContaining({ rule: "record-replaced" }));
    const corrected = andThen(historyTo.Paid, sample.CorrectContact);
    const old = { ...sample.CorrectContact, data: { ...sample.CorrectContact.data, contactRef: uuid(101) } };
    expect(() => when(corrected, old)).toThrow(expect.objectContaining({ rule: "record-replaced" }));
  });
});
