import type { OrderEventType } from "./events.ts";
import type { Phase } from "./phases.ts";

/** What is shown of a phase. */
export const orderStatuses = ["Pending", "Processing", "Fulfilled", "Cancelled", "Failed"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const statuses: Readonly<Record<Phase, OrderStatus>> = {
  Opened: "Pending",
  Priced: "Pending",
  AwaitingPayment: "Pending",
  Paid: "Processing",
  Confirmed: "Processing",
  Submitting: "Processing",
  Submitted: "Processing",
  Dispatched: "Processing",
  Fulfilled: "Fulfilled",
  Cancelled: "Cancelled",
  Failed: "Failed",
};

/** The status of a phase. */
export const statusOf = (phase: Phase): OrderStatus => statuses[phase];

const moves: Partial<Readonly<Record<OrderEventType, OrderStatus>>> = {
  OrderCreated: "Pending",
  PaymentConfirmed: "Processing",
  OrderFulfilled: "Fulfilled",
  OrderCancelled: "Cancelled",
  OrderFailed: "Failed",
};

/** The status after an event, for a reader that keeps the status and not the whole order. */
export const statusAfter = (status: OrderStatus, event: OrderEventType): OrderStatus =>
  moves[event] ?? status;

/** What customers see: 'With Home Office' while Processing, any other status as it is. */
export const customerWording = (status: string): string =>
  status === "Processing" ? "With Home Office" : status;

/** A status within a sentence to a customer: 'Your order is with the General Register Office.' */
export const statusInSentence = (status: string): string =>
  status === "Processing" ? "with the General Register Office" : status.toLowerCase();

export type BadgeColour = "yellow" | "blue" | "green" | "red" | "grey";
const badges = new Map<string, BadgeColour>(
  Object.entries({
    Pending: "yellow",
    Processing: "blue",
    Fulfilled: "green",
    Cancelled: "red",
    Failed: "grey",
  } as const),
);

/** The colour of a status badge; an unknown status is grey. */
export const badgeOf = (status: string): BadgeColour => badges.get(status) ?? "grey";
