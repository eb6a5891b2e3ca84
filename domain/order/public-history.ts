import { formatPounds } from "../pricing/money.ts";
import type { OrderEvent } from "./events.ts";
import { type OrderStatus, statusAfter } from "./status.ts";

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

/** What an event says to the public, or undefined when it is none of its business. */
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
    case "OrderFulfilled":
      return "Your order is complete";
    case "OrderCancelled":
      return "Your order was cancelled";
    case "RefundIssued":
      return `We refunded ${formatPounds(event.data.amountPence)}`;
    case "BankTransferRecorded":
      return `We refunded ${formatPounds(event.data.amountPence)} by bank transfer`;
    case "BankTransferReturned":
      return "Our bank transfer to you came back";
    case "OrderFailed":
      return event.data.reason === "recordNotFound"
        ? "The General Register Office did not find the record, so your order could not be completed"
        : "Your order could not be completed";
    default:
      // What is not named above stays private, whatever types are added.
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

/** The public history of an order, newest first. */
export function publicHistory(events: readonly { event: OrderEvent; at: string }[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let status: OrderStatus = "Pending";
  for (const { event, at } of events) {
    const entry = publicEntry(event, at, status);
    if (entry) entries.unshift(entry);
    status = statusAfter(status, event.type);
  }
  return entries;
}
