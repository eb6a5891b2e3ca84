import { type CommandMetadata, Refused } from "../../domain/decider.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import type { OrderEventData } from "../../domain/order/events.ts";
import { hasEnded, type Phase } from "../../domain/order/phases.ts";
import type { Order } from "../../domain/order/state.ts";
import { type HistoryEntry, type OrderStatus, statusOf } from "../../domain/order/status.ts";
import type { CertificateType } from "../../domain/order/vocabulary.ts";
import { type OrderRecord, totalPenceOf } from "./order-record.ts";

/** The tracking page's view of an order. Times are ISO 8601 in UTC. No personal data. */
export type OrderLookup = {
  readonly orderId: string;
  readonly orderNumber: string;
  readonly reference: string;
  readonly status: OrderStatus;
  readonly phase: Phase;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly totalPence: number;
  /** `Birth Certificate × 2`; empty until a certificate was chosen. */
  readonly items: readonly string[];
  /** Newest first. */
  readonly statusHistory: readonly HistoryEntry[];
  readonly promise: OrderEventData<"SubmissionRequested">["promise"] | null;
  readonly receipt: OrderRecord["receipt"];
  /** Which form the application uses; null until a certificate was chosen. */
  readonly certificateType: CertificateType | null;
  readonly cancellable: boolean;
  /** The application can be replaced: nothing has been sent to the GRO or is being sent. */
  readonly amendable: boolean;
  /** The GRO has a question, which a replaced application answers. */
  readonly question: boolean;
  /** Cancellation was requested while a submission attempt is open: its outcome decides. */
  readonly cancellationRequested: boolean;
  /** The confirmation bounced, and the order waits for another address. */
  readonly needsAnotherAddress: boolean;
  /** When the certificate left the GRO; null before. */
  readonly leftGroAt: string | null;
  readonly arrivedAt: string | null;
  /** The customer can report that the certificate has arrived. */
  readonly arrivalReportable: boolean;
  /** The vault record of name and address; null once purged. */
  readonly contactRef: string | null;
};

/** What the tracking page shows of an order. */
export function answerOf({ order, updatedAt, statusHistory, receipt }: OrderRecord): OrderLookup {
  return {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    reference: order.reference,
    status: statusOf(order.phase),
    phase: order.phase,
    createdAt: order.createdAt,
    updatedAt,
    totalPence: totalPenceOf(order),
    items: order.variant ? [`${order.variant.certificateType} Certificate × ${order.variant.copies}`] : [],
    statusHistory,
    promise: order.promise,
    receipt,
    certificateType: order.variant?.certificateType ?? null,
    ...possibilities(order, updatedAt),
    cancellationRequested: order.cancellationRequested !== null && order.phase === "Submitting",
    needsAnotherAddress: order.confirmation.state === "undeliverable" && !hasEnded(order.phase),
    leftGroAt: order.leftGroAt ?? null,
    arrivedAt: order.arrivedAt ?? null,
    contactRef: order.vault.contact,
  };
}

/** Stored as their place in this list. */
const usualTexts: readonly string[] = [
  "We received your order",
  "We received your payment",
  "Your application was sent to the General Register Office",
  "The General Register Office despatched your certificate",
  "We have completed our part of your order",
  "Your order was cancelled",
];
const textsByPlace = new Map<string | number, string>(usualTexts.entries());
const placesByText = new Map(usualTexts.map((text, place) => [text, place]));

/**
 * The answer as its row holds it: JSON of the values alone, in the order in which `readAnswer` takes them. A change
 * needs a new version of the read model.
 */
export const storedAnswer = (answer: OrderLookup): string =>
  JSON.stringify([
    ...[answer.orderId, answer.orderNumber, answer.reference, answer.phase],
    ...[answer.createdAt, answer.updatedAt, answer.totalPence, answer.items],
    answer.statusHistory.map(({ status, text, timestamp }) => [
      status,
      placesByText.get(text) ?? text,
      timestamp,
    ]),
    ...[answer.promise, answer.receipt, answer.certificateType],
    ...[answer.cancellable, answer.amendable, answer.question, answer.arrivalReportable],
    ...[answer.cancellationRequested, answer.needsAnotherAddress],
    ...[answer.leftGroAt, answer.arrivedAt, answer.contactRef],
  ]);

export function readAnswer(stored: string): OrderLookup {
  const [
    orderId,
    orderNumber,
    reference,
    phase,
    createdAt,
    updatedAt,
    totalPence,
    items,
    statusHistory,
    promise,
    receipt,
    certificateType,
    cancellable,
    amendable,
    question,
    arrivalReportable,
    cancellationRequested,
    needsAnotherAddress,
    leftGroAt,
    arrivedAt,
    contactRef,
  ] = JSON.parse(stored);
  return {
    orderId,
    orderNumber,
    reference,
    status: statusOf(phase),
    phase,
    createdAt,
    updatedAt,
    totalPence,
    items,
    statusHistory: statusHistory.map(readEntry),
    promise,
    receipt,
    certificateType,
    cancellable,
    amendable,
    question,
    arrivalReportable,
    cancellationRequested,
    needsAnotherAddress,
    leftGroAt,
    arrivedAt,
    contactRef,
  };
}

const readEntry = ([status, text, timestamp]: readonly [
  OrderStatus,
  string | number,
  string,
]): HistoryEntry => ({
  status,
  text: textsByPlace.get(text) ?? String(text),
  timestamp,
});

/** Actions the order allows its customer. */
function possibilities(order: Order, at: string) {
  const closedIntentId = order.intents.open?.intentId ?? null;
  const data = { applicationRef: "another" };
  const can = (command: OrderCommand) => wouldDo(order, command, at);
  return {
    cancellable: can({ type: "CancelOrder", data: { reason: "customerRequest", closedIntentId } }),
    amendable: can({ type: "AmendApplication", data }),
    question: can({ type: "ReplaceApplication", data }),
    arrivalReportable: can({ type: "ReportArrival", data: {} }),
  };
}

/** Asks the decider: a second copy of its rules would drift. */
function wouldDo(order: Order, command: OrderCommand, at: string): boolean {
  const asked: CommandMetadata = {
    commandId: "",
    at,
    actor: { kind: "customer", id: "" },
    correlationId: "",
  };
  try {
    return decide(order, command, asked).length > 0;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
