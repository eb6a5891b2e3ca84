import { type CommandMetadata, Refused } from "../../domain/decider.ts";
import type { OrderCommand } from "../../domain/order/commands.ts";
import { decide } from "../../domain/order/decide.ts";
import type { OrderEventData } from "../../domain/order/events.ts";
import { missedThroughAddress, type UnreachedBy } from "../../domain/order/mail-rules.ts";
import { questionOf } from "../../domain/order/personal-data/vault-records.ts";
import type { Phase } from "../../domain/order/phases.ts";
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
  /** The vault record of the question's text; null without one. */
  readonly questionRef: string | null;
  /** Cancellation was requested while a submission attempt is open: its outcome decides. */
  readonly cancellationRequested: boolean;
  /** What did not reach the customer for lack of an address that takes mail; null if everything did. */
  readonly unreachedBy: UnreachedBy | null;
  /** When the certificate left the GRO; null before. */
  readonly leftGroAt: string | null;
  readonly arrivedAt: string | null;
  /** The customer can report that the certificate has arrived. */
  readonly arrivalReportable: boolean;
  /** The vault record of name and address; null once purged. */
  readonly contactRef: string | null;
  /** Of the orders that it is, or was to be, paid for together with; null where it stands alone. */
  readonly checkoutId: string | null;
};

/** What the tracking page shows of an order, but for what has a column. */
function answerOf({
  order,
  updatedAt,
  statusHistory,
  receipt,
}: OrderRecord): Omit<OrderLookup, "checkoutId"> {
  return {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    reference: order.reference,
    status: statusOf(order.phase),
    phase: order.phase,
    createdAt: order.createdAt,
    updatedAt,
    totalPence: totalPenceOf(order),
    items: itemsOf(order.variant?.certificateType ?? null, order.variant?.copies ?? null),
    statusHistory,
    promise: order.promise,
    receipt,
    certificateType: order.variant?.certificateType ?? null,
    ...possibilities(order, updatedAt),
    cancellationRequested: order.cancellationRequested !== null && order.phase === "Submitting",
    unreachedBy: missedThroughAddress(order),
    leftGroAt: order.leftGroAt ?? null,
    arrivedAt: order.arrivedAt ?? null,
    questionRef: questionOf(order.vault),
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

/** Columns from which an answer is read. */
export const answerColumns = ["key", "order_number", "answer", "checkout_id"] as const;
type AnswerRow = {
  readonly key: string;
  readonly order_number: string;
  readonly answer: string;
  readonly checkout_id: string | null;
};

/**
 * The answer as its row holds it, apart from what has a column: JSON of the values alone. Those that change most often come
 * first and those that never change last, because only what lies between two changes of a row is logged. A change needs
 * a new version of the read model.
 */
export function storedAnswer(record: OrderRecord): string {
  const { statusHistory, promise, receipt, ...answer } = answerOf(record);
  return JSON.stringify([
    ...[answer.updatedAt, answer.phase],
    ...[answer.cancellable, answer.amendable, answer.question, answer.arrivalReportable].map(Number),
    Number(answer.cancellationRequested),
    answer.unreachedBy,
    ...[answer.leftGroAt, answer.arrivedAt, answer.questionRef],
    receipt && [
      ...[receipt.purgedAt, receipt.keyFingerprint, receipt.destroyed, receipt.rule, receipt.probe],
      ...[receipt.records, receipt.secondsSinceSubmission],
    ],
    promise && [promise.receivedOn, promise.despatchBy],
    statusHistory.map(({ status, text, timestamp }) => [timestamp, placesByText.get(text) ?? text, status]),
    ...[answer.certificateType, record.order.variant?.copies, answer.totalPence],
    ...[answer.contactRef, answer.createdAt, answer.reference],
  ]);
}

export function readAnswer({ key, order_number, answer, checkout_id }: AnswerRow): OrderLookup {
  const [
    updatedAt,
    phase,
    cancellable,
    amendable,
    question,
    arrivalReportable,
    cancellationRequested,
    unreachedBy,
    leftGroAt,
    arrivedAt,
    questionRef,
    receipt,
    promise,
    statusHistory,
    certificateType,
    copies,
    totalPence,
    contactRef,
    createdAt,
    reference,
  ] = JSON.parse(answer);
  return {
    orderId: key,
    orderNumber: order_number,
    reference,
    status: statusOf(phase),
    phase,
    createdAt,
    updatedAt,
    totalPence,
    items: itemsOf(certificateType, copies),
    statusHistory: statusHistory.map(readEntry),
    promise: promise && { receivedOn: promise[0], despatchBy: promise[1] },
    receipt: receipt && readReceipt(receipt),
    certificateType,
    cancellable: cancellable === 1,
    amendable: amendable === 1,
    question: question === 1,
    arrivalReportable: arrivalReportable === 1,
    cancellationRequested: cancellationRequested === 1,
    unreachedBy,
    leftGroAt,
    arrivedAt,
    questionRef,
    contactRef,
    checkoutId: checkout_id,
  };
}

const readEntry = ([timestamp, text, status]: readonly [
  string,
  string | number,
  OrderStatus,
]): HistoryEntry => ({
  status,
  text: textsByPlace.get(text) ?? String(text),
  timestamp,
});

type Receipt = NonNullable<OrderRecord["receipt"]>;

const readReceipt = ([
  purgedAt,
  keyFingerprint,
  destroyed,
  rule,
  probe,
  records,
  secondsSinceSubmission,
]: readonly [
  Receipt["purgedAt"],
  Receipt["keyFingerprint"],
  Receipt["destroyed"],
  Receipt["rule"],
  Receipt["probe"],
  Receipt["records"],
  Receipt["secondsSinceSubmission"],
]): Receipt => ({ destroyed, rule, keyFingerprint, probe, records, secondsSinceSubmission, purgedAt });

/** `Birth Certificate × 2` for one chosen; nothing before. */
const itemsOf = (certificateType: CertificateType | null, copies: number | null): string[] =>
  certificateType === null ? [] : [`${certificateType} Certificate × ${copies}`];

/** Actions the order allows its customer. */
function possibilities(order: Order, at: string) {
  const closedIntentId = order.intents.open?.intentId ?? null;
  const data = { applicationRef: "another", groReferenceKnown: false };
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
