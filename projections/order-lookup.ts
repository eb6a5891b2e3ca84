import { type CommandMetadata, Refused } from "../domain/decider.ts";
import { decide } from "../domain/order/decide.ts";
import { type OrderEvent, type OrderEventData, orderIdOf } from "../domain/order/events.ts";
import { hasEnded, type Phase } from "../domain/order/phases.ts";
import { type HistoryEntry, publicEntry } from "../domain/order/public-history.ts";
import type { Order } from "../domain/order/state.ts";
import { type OrderStatus, statusOf } from "../domain/order/status.ts";
import { parseOrderNumber } from "../domain/order-number.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { coalesce } from "./coalesced-reads.ts";
import { evolveRecord, type OrderRecord, readOrderEvent, totalPenceOf } from "./order-record.ts";
import { type Projection, schemaOf } from "./projection.ts";

/** The certificate of deletion: the event, and when it was. */
export type DeletionReceipt = OrderEventData<"SensitiveDataPurged"> & { readonly purgedAt: string };

/** What the tracking page shows of an order. Moments are ISO 8601 in UTC. Nothing in it is personal data. */
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
  /** Of the newest purge of application data; null before the first. */
  readonly receipt: DeletionReceipt | null;
  readonly cancellable: boolean;
  /** The confirmation did not arrive, and nothing goes on until another address is given. */
  readonly needsAnotherAddress: boolean;
  /** The vault's record of name and address; null once it was purged. */
  readonly contactRef: string | null;
};

type Tracked = OrderRecord & Pick<OrderLookup, "statusHistory" | "receipt">;

/** The read model behind both lookups and the tracking page. */
export const orderLookup: Projection<Tracked> = {
  name: "order-lookup",
  version: 1,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: { order_number: "text", answer: "jsonb" },
    indexes: [{ unique: true, on: "(order_number)" }],
    row: (tracked) => ({ order_number: tracked.order.orderNumber, answer: answerOf(tracked) }),
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
  return event.type === "SensitiveDataPurged" ? { ...event.data, purgedAt: at } : undefined;
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
    cancellable: isCancellable(order, updatedAt),
    needsAnotherAddress: order.confirmation.state === "undeliverable" && !hasEnded(order.phase),
    contactRef: order.vault.contact,
  };
}

/** Asks the decider itself: a second copy of its rules would drift. */
function isCancellable(order: Order, at: string): boolean {
  const closedIntentId = order.intents.open?.intentId ?? null;
  const asked: CommandMetadata = {
    commandId: "",
    at,
    actor: { kind: "customer", id: "" },
    correlationId: "",
  };
  try {
    const cancel = { type: "CancelOrder", data: { reason: "customerRequest", closedIntentId } } as const;
    return decide(order, cancel, asked).length > 0;
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}

export type OrderLookupQueries = {
  /** Undefined when there is no such order. */
  getOrder(orderId: string): Promise<OrderLookup | undefined>;
  /** By the order number as somebody typed it. */
  lookup(orderNumber: string): Promise<OrderLookup | undefined>;
};

/** Queries of the lookup; those that arrive together go to the database as one. */
export function orderLookupQueries(pool: Pool): OrderLookupQueries {
  const table = `${schemaOf(orderLookup)}.${orderLookup.table.name}`;
  const by = (name: string, column: string) =>
    coalesce(async (keys) => {
      const { rows } = await pool.query<{ found: string; answer: OrderLookup }>({
        name,
        text: `select ${column} as found, answer from ${table} where ${column} = any($1)`,
        values: [keys],
      });
      return new Map(rows.map(({ found, answer }) => [found, answer]));
    });
  const byId = by("order-by-id", "key");
  const byNumber = by("order-by-number", "order_number");
  return {
    getOrder: byId,
    async lookup(typed) {
      const orderNumber = parseOrderNumber(typed);
      return orderNumber === undefined ? undefined : byNumber(orderNumber);
    },
  };
}
