import { describe, expect, it } from "vitest";
import { sample } from "../../testing/domain/command-fixture.ts";
import {
  failedAttempt,
  given,
  historyTo,
  orderAfter,
  orderId,
  submitted,
  type TimedEvent,
  uuid,
  when,
} from "../../testing/domain/order-fixture.ts";
import type { OrderCommand } from "./commands.ts";
import { capturedPence, refundablePence, refundedPence } from "./payment/money.ts";

const andThen = (history: readonly TimedEvent[], command: OrderCommand, seconds = 2000): TimedEvent[] => [
  ...history,
  ...when(history, command, given(seconds)).map((event): TimedEvent => [event, seconds]),
];
const cancel = (
  reason: "expired" | "unconfirmed" | "customerRequest",
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

  it("lets an expiry stop where a payment came first", () => {
    expect(() => when(historyTo.Paid, cancel("expired", "pi_1"))).toThrow(
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
    const back = { ...sample.AmendApplication, data: { applicationRef: uuid(103) } };
    expect(() => when(amended, back)).toThrow(expect.objectContaining({ rule: "record-replaced" }));
    const corrected = andThen(historyTo.Paid, sample.CorrectContact);
    const old = { ...sample.CorrectContact, data: { ...sample.CorrectContact.data, contactRef: uuid(101) } };
    expect(() => when(corrected, old)).toThrow(expect.objectContaining({ rule: "record-replaced" }));
  });
});
