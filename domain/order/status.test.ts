import { describe, expect, it } from "vitest";
import {
  cancelled,
  historyTo,
  orderId,
  publicHistory,
  queried,
  stateAfter,
  type TimedEvent,
} from "../../testing/domain/order-fixture.ts";
import { phases } from "./phases.ts";
import { badgeOf, customerWording, orderStatuses, phaseWords, publicEntry, statusOf } from "./status.ts";

const history = (events: readonly TimedEvent[]) =>
  publicHistory(events).map(({ status, text, timestamp }) => `${timestamp} ${status}: ${text}`);

describe("the public history", () => {
  it("tells a whole life, newest first", () => {
    expect(history(historyTo.Fulfilled)).toEqual([
      "100001 Fulfilled: We have completed our part of your order",
      "100000 Processing: The General Register Office despatched your certificate",
      "65 Processing: Your sensitive data was deleted, 5 seconds after submission",
      "60 Processing: Your application was sent to the General Register Office",
      "30 Processing: We received your payment",
      "0 Pending: We received your order",
    ]);
  });

  it("tells of the arrival that the customer reported", () => {
    const reported: TimedEvent[] = [
      ...historyTo.Fulfilled,
      [{ type: "CertificateArrived", data: {} }, 200_000],
    ];
    expect(history(reported)[0]).toBe("200000 Fulfilled: You told us that your certificate has arrived");
  });

  it("tells of questions, cancellation, refund and failure", () => {
    expect(history(queried)[1]).toBe(
      "300 Processing: The General Register Office has a question about your application",
    );
    const ids = { refundId: `order-${orderId}-refund-1`, providerRefundId: "re_1" };
    const refund = { ...ids, intentId: "pi_1", amountPence: 9000 };
    const refunded: TimedEvent[] = [
      ...historyTo.Paid,
      [cancelled, 70],
      [{ type: "RefundIssued", data: refund }, 90],
    ];
    expect(history(refunded).slice(0, 2)).toEqual([
      "90 Cancelled: We refunded £90.00",
      "70 Cancelled: Your order was cancelled",
    ]);
    expect(history(historyTo.Failed)[0]).toBe("700000 Failed: Your order could not be completed");
  });

  it("says nothing of prices, requests, mails and attempts", () => {
    for (const [event] of historyTo.Submitting.slice(1)) {
      const isShown = publicEntry(event, "0", "Pending") !== undefined;
      expect(isShown).toBe(event.type === "PaymentConfirmed");
    }
  });
});

describe("the status", () => {
  it.each(phases)("of the newest public entry is that of the phase %s", (phase) => {
    expect(publicHistory(historyTo[phase])[0]?.status).toBe(statusOf(phase));
    expect(stateAfter(historyTo[phase]).phase).toBe(phase);
  });

  it("is worded and coloured as the specification says", () => {
    expect(orderStatuses.map((status) => `${customerWording(status)} ${badgeOf(status)}`)).toEqual([
      "Pending yellow",
      "With Home Office blue",
      "Fulfilled green",
      "Cancelled red",
      "Failed grey",
    ]);
    expect([customerWording("Archived"), badgeOf("Archived")]).toEqual(["Archived", "grey"]);
  });

  it("reads as words for every phase, and as it is named for an unknown one", () => {
    for (const phase of phases) expect(phaseWords(phase)).toMatch(/^[A-Z][a-z]*( [a-z]+)*$/);
    expect(phaseWords("AwaitingPayment")).toBe("Awaiting payment");
    expect(phaseWords("Boxed")).toBe("Boxed");
  });
});
