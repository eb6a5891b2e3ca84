import { type CommandMetadata, Refused } from "../domain/decider.ts";
import { parseOrderNumber } from "../domain/numbers.ts";
import type { OrderCommand } from "../domain/order/commands.ts";
import { decide } from "../domain/order/decide.ts";
import { type OrderEvent, type OrderEventData, orderIdOf } from "../domain/order/events.ts";
import { hasEnded, type Phase } from "../domain/order/phases.ts";
import type { Order, PurgeReceipt } from "../domain/order/state.ts";
import { type HistoryEntry, type OrderStatus, publicEntry, statusOf } from "../domain/order/status.ts";
import type { CertificateType } from "../domain/order/vocabulary.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { answersBy } from "./answers-by.ts";
import { type FigureQueries, figureQueries } from "./figures.ts";
import { type OrderListQueries, orderListQueries } from "./order-list/order-list-queries.ts";
import { evolveRecord, type OrderRecord, readOrderEvent, totalPenceOf, usualRecord } from "./order-record.ts";
import type { Projection } from "./runner/projection.ts";

/** The deletion receipt and its time. */
type DeletionReceipt = PurgeReceipt & { readonly purgedAt: string };

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
  /** Of the latest purge of application data; null before the first. */
  readonly receipt: DeletionReceipt | null;
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

type Tracked = OrderRecord & Pick<OrderLookup, "statusHistory" | "receipt">;

const deletion = usualRecord.order.purges.application.receipt;

const usualTracked: Tracked = {
  ...usualRecord,
  statusHistory: [
    "Your sensitive data was deleted, 5 seconds after submission",
    "Your application was sent to the General Register Office",
    "We received your payment",
  ].map((text) => ({ status: "Processing", text, timestamp: usualRecord.updatedAt })),
  receipt: deletion && { ...deletion, purgedAt: usualRecord.updatedAt },
};

/** The read model behind the order lookups and the tracking page. */
export const orderLookup: Projection<Tracked> = {
  name: "order-lookup",
  version: 9,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: { order_number: "text", answer: "packed" },
    indexes: [{ unique: true, on: "(order_number)" }],
    row: (tracked) => ({ order_number: tracked.order.orderNumber, answer: answerOf(tracked) }),
    dictionary: { folded: usualTracked, answer: answerOf(usualTracked) },
  },
  fold(tracked, stored) {
    const { event, recorded } = readOrderEvent(stored);
    const before = tracked ? statusOf(tracked.order.phase) : "Pending";
    const entry = publicEntry(event, recorded.at, before);
    const history = tracked?.statusHistory ?? [];
    return {
      ...evolveRecord(tracked, event, recorded),
      statusHistory: entry ? [entry, ...history] : history,
      receipt: receiptOf(event, recorded.at) ?? tracked?.receipt ?? null,
    };
  },
};

function receiptOf(event: OrderEvent, at: string): DeletionReceipt | undefined {
  if (event.type !== "SensitiveDataPurged") return undefined;
  const { startedBy: _, ...receipt } = event.data;
  return { ...receipt, purgedAt: at };
}

function answerOf({ order, updatedAt, statusHistory, receipt }: Tracked): OrderLookup {
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

type OrderLookupQueries = {
  /** Undefined for an unknown order. */
  getOrder(orderId: string): Promise<OrderLookup | undefined>;
  /** By the order number, however it was typed. */
  lookup(orderNumber: string): Promise<OrderLookup | undefined>;
};

function orderLookupQueries(pool: Pool): OrderLookupQueries {
  const byNumber = answersBy<OrderLookup>(pool, orderLookup, "order-by-number", "order_number");
  return {
    getOrder: answersBy<OrderLookup>(pool, orderLookup, "order-by-id", "key"),
    async lookup(typed) {
      const orderNumber = parseOrderNumber(typed);
      return orderNumber === undefined ? undefined : byNumber(orderNumber);
    },
  };
}

export type OrderQueries = OrderLookupQueries & OrderListQueries & FigureQueries;

/** Queries on the read models of this build's versions. */
export function createOrderQueries(pool: Pool): OrderQueries {
  return { ...orderLookupQueries(pool), ...orderListQueries(pool), ...figureQueries(pool) };
}
