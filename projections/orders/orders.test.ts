import { expect, it } from "vitest";
import type { OrderEvent } from "../../domain/order/events.ts";
import {
  cancelled,
  dispatched,
  historyTo,
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
