import { describe, expect, it } from "vitest";
import {
  cancellationAsked,
  disputed,
  historyTo,
  orderAfter,
  submitted,
  type TimedEvent,
  uuid,
  when,
} from "../../testing/domain/order-fixture.ts";
import type { OrderCommand } from "./commands.ts";
import { isPaidFor } from "./payment/money.ts";
import { mostCertificateIds } from "./vocabulary.ts";

const ids = (first: number, count: number) => Array.from({ length: count }, (_, nth) => uuid(first + nth));
const same = (certificateIds: string[]): OrderCommand => ({
  type: "RecordSameCertificate",
  data: { certificateIds },
});
const found = (certificateIds: string[]): TimedEvent => [
  { type: "SameCertificateFound", data: { certificateIds } },
  2000,
];

describe("an order for the same certificate as another", () => {
  it("takes the other's ids on, each once", () => {
    const [own = ""] = orderAfter(historyTo.Paid).certificateIds ?? [];
    expect(when(historyTo.Paid, same([own, uuid(302)]))).toEqual([
      { type: "SameCertificateFound", data: { certificateIds: [uuid(302)] } },
    ]);
    const history = [...historyTo.Paid, found([uuid(302)])];
    expect(orderAfter(history).certificateIds).toEqual([own, uuid(302)]);
    expect(when(history, same([own, uuid(302)]))).toEqual([]);
  });

  it("has a limited number of them", () => {
    const history = [...historyTo.Paid, found(ids(400, mostCertificateIds - 2))];
    const [event] = when(history, same(ids(500, 3)));
    expect(event?.data).toEqual({ certificateIds: [uuid(500)] });
    expect(when([...history, found([uuid(500)])], same([uuid(501)]))).toEqual([]);
  });
});

describe("an order is paid for", () => {
  const refunded = (amountPence: number): TimedEvent => [
    {
      type: "RefundRequested",
      data: { refundId: "r-1", intentId: "pi_1", amountPence, reason: "staffDecision", proposal: null },
    },
    3000,
  ];

  it.each([
    ["Opened", false],
    ["AwaitingPayment", false],
    ["Paid", true],
    ["Submitted", true],
    ["Fulfilled", true],
    ["Cancelled", false],
    ["Failed", false],
  ] as const)("in phase %s: %s", (phase, expected) => {
    expect(isPaidFor(orderAfter(historyTo[phase]))).toBe(expected);
  });

  it("until its cancellation is asked for, and again once that came too late", () => {
    expect(isPaidFor(orderAfter(cancellationAsked))).toBe(false);
    expect(isPaidFor(orderAfter([...cancellationAsked, [submitted(), 60]]))).toBe(true);
  });

  it("until all of it goes back", () => {
    expect(isPaidFor(orderAfter([...historyTo.Submitted, refunded(8999)]))).toBe(true);
    expect(isPaidFor(orderAfter([...historyTo.Submitted, refunded(9000)]))).toBe(false);
  });

  it("until the bank takes it back", () => {
    const lost = { disputeId: "du_1", outcome: "lost", toldBy: "provider", proposal: null } as const;
    expect(isPaidFor(orderAfter(disputed))).toBe(true);
    expect(isPaidFor(orderAfter([...disputed, [{ type: "DisputeClosed", data: lost }, 300_000]]))).toBe(
      false,
    );
  });

  it("not by a payment that was not due", () => {
    const late = { intentId: "pi_2", amountPence: 9000 };
    expect(
      isPaidFor(orderAfter([...historyTo.Priced, [{ type: "PaymentReceivedUnexpectedly", data: late }, 50]])),
    ).toBe(false);
  });
});
