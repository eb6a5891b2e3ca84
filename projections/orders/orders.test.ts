import { expect, it } from "vitest";
import { addSeconds } from "../../domain/instant.ts";
import type { OrderEvent } from "../../domain/order/events.ts";
import {
  cancelled,
  dispatched,
  historyTo,
  start,
  submitted,
  type TimedEvent,
} from "../../testing/domain/order-fixture.ts";
import { rowAfter } from "../../testing/projections/stored-history-fixture.ts";
import { ordersProjection } from "./orders.ts";

const groPenceAfter = (history: readonly TimedEvent[]) => rowAfter(ordersProjection, history).gro_pence;
const failedFor = (reason: "recordNotFound" | "detailsInsufficient"): OrderEvent => ({
  type: "OrderFailed",
  data: { cause: "gro", reason },
});
const refundIssued: OrderEvent = {
  type: "RefundIssued",
  data: { refundId: null, providerRefundId: "re_1", intentId: "pi_1", amountPence: 1_000 },
};
/** For two copies, without a reference of the GRO. */
const wholeFeePence = 2 * (1250 + 350);

it("counts the GRO's fee once the GRO was sent the application", () => {
  for (const phase of ["Opened", "AwaitingPayment", "Paid", "Confirmed", "Submitting"] as const)
    expect(groPenceAfter(historyTo[phase]), phase).toBe(0);
  for (const phase of ["Submitted", "Dispatched", "Fulfilled"] as const)
    expect(groPenceAfter(historyTo[phase]), phase).toBe(wholeFeePence);
});

it("counts no fee of an order that ended before, unless it turns out that the GRO has it", () => {
  for (const end of [cancelled, failedFor("recordNotFound")])
    expect(groPenceAfter([...historyTo.Confirmed, [end, 60]])).toBe(0);
  expect(groPenceAfter([...historyTo.Cancelled, [submitted(), 800], [dispatched, 900]])).toBe(wholeFeePence);
});

it("counts what the GRO keeps where it did not find the record, and its whole fee after another failure", () => {
  expect(groPenceAfter([...historyTo.Submitted, [failedFor("recordNotFound"), 400]])).toBe(2 * 400);
  expect(groPenceAfter([...historyTo.Submitted, [failedFor("detailsInsufficient"), 400]])).toBe(
    wholeFeePence,
  );
});

it("counts a lost dispute among what went back, from its opening, when the provider took the money", () => {
  const before: TimedEvent[] = [...historyTo.Fulfilled, [refundIssued, 150_000]];
  const dispute = { disputeId: "du_1", intentId: "pi_1", amountPence: 8_000, reason: "general" } as const;
  const opened: TimedEvent[] = [...before, [{ type: "DisputeOpened", data: dispute }, 200_000]];
  const closed = (outcome: "won" | "lost"): TimedEvent[] => [
    ...opened,
    [
      { type: "DisputeClosed", data: { disputeId: "du_1", outcome, toldBy: "provider", proposal: null } },
      300_000,
    ],
  ];
  const back = (history: readonly TimedEvent[]) => rowAfter(ordersProjection, history).returns;
  const refund = { at: addSeconds(start, 150_000), pence: 1_000, lost: false };
  expect(back(historyTo.Fulfilled)).toBeNull();
  for (const history of [before, opened, closed("won")]) expect(back(history)).toEqual([refund]);
  expect(back(closed("lost"))).toEqual([
    refund,
    { at: addSeconds(start, 200_000), pence: 8_000, lost: true },
  ]);
  expect(rowAfter(ordersProjection, closed("lost")).returned_at).toBe(addSeconds(start, 200_000));
});
