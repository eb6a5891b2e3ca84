import { formatPounds } from "../pricing/money.ts";
import type { OrderEvent, OrderEventType } from "./events.ts";
import type { Phase } from "./phases.ts";

/** What is shown of a phase. */
export const orderStatuses = ["Pending", "Processing", "Fulfilled", "Cancelled", "Failed"] as const;
export type OrderStatus = (typeof orderStatuses)[number];

const statusByPhase: Readonly<Record<Phase, OrderStatus>> = {
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

export const statusOf = (phase: Phase): OrderStatus => statusByPhase[phase];

const statusByEvent: Partial<Readonly<Record<OrderEventType, OrderStatus>>> = {
  OrderCreated: "Pending",
  PaymentConfirmed: "Processing",
  OrderFulfilled: "Fulfilled",
  OrderCancelled: "Cancelled",
  OrderFailed: "Failed",
};

const statusAfter = (status: OrderStatus, event: OrderEventType): OrderStatus =>
  statusByEvent[event] ?? status;

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

/** Phases whose names are more than one word. */
const phaseNames: Readonly<Partial<Record<Phase, string>>> = { AwaitingPayment: "Awaiting payment" };

/** A phase in words for staff. A page may be older than the server: a phase it does not know keeps its name. */
export const phaseWords = (phase: string): string =>
  Object.entries(phaseNames).find(([name]) => name === phase)?.[1] ?? phase;

/** One line of what customers read about their order. */
export interface HistoryEntry {
  readonly status: OrderStatus;
  readonly text: string;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
}

const seconds = (number: number): string => (number === 1 ? "1 second" : `${number} seconds`);

const deleted = (secondsSinceSubmission: number | null): string =>
  secondsSinceSubmission === null
    ? "Your sensitive data was deleted"
    : `Your sensitive data was deleted, ${seconds(secondsSinceSubmission)} after submission`;

/** What an event says to the public; undefined for an event that the public does not see. */
function textOf(event: OrderEvent): string | undefined {
  switch (event.type) {
    case "OrderCreated":
      return "We received your order";
    case "PaymentConfirmed":
      return "We received your payment";
    case "SubmittedToGRO":
      return "Your application was sent to the General Register Office";
    case "SensitiveDataPurged":
      return deleted(event.data.secondsSinceSubmission);
    case "GROOutcomeRecorded":
      return event.data.outcome === "queried"
        ? "The General Register Office has a question about your application"
        : undefined;
    case "CertificateDispatched":
      return "The General Register Office despatched your certificate";
    case "CertificateArrived":
      return "You told us that your certificate has arrived";
    case "OrderFulfilled":
      return "We have completed our part of your order";
    case "OrderCancelled":
      return "Your order was cancelled";
    case "RefundIssued":
      return `We refunded ${formatPounds(event.data.amountPence)}`;
    case "BankTransferRecorded":
      return `We refunded ${formatPounds(event.data.amountPence)} by bank transfer`;
    case "BankTransferReturned":
      return "Our bank transfer to you came back";
    case "OrderFailed":
      // Staff may have looked for it before anything was submitted.
      return event.data.reason === "recordNotFound"
        ? "The record was not found, so your order could not be completed"
        : "Your order could not be completed";
    default:
      // A type that is not named above stays private.
      return undefined;
  }
}

/** The entry that an event adds, given the status before it; undefined when it adds none. */
export function publicEntry(
  event: OrderEvent,
  at: string,
  statusBefore: OrderStatus,
): HistoryEntry | undefined {
  const text = textOf(event);
  return text === undefined
    ? undefined
    : { status: statusAfter(statusBefore, event.type), text, timestamp: at };
}
