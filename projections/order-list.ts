import { orderIdOf } from "../domain/order/events.ts";
import type { Phase } from "../domain/order/phases.ts";
import { type OrderStatus, statusOf } from "../domain/order/status.ts";
import type { CertificateType, ServiceLevel } from "../domain/order/vocabulary.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { evolveRecord, type OrderRecord, readOrderEvent, totalPenceOf } from "./order-record.ts";
import { type Projection, schemaOf } from "./projection.ts";

/** A line of the back office's list. Type, service level and copies are null until a certificate was chosen. */
export type OrderListEntry = {
  readonly orderId: string;
  readonly orderNumber: string;
  readonly status: OrderStatus;
  readonly phase: Phase;
  readonly certificateType: CertificateType | null;
  readonly serviceLevel: ServiceLevel | null;
  readonly copies: number | null;
  readonly totalPence: number;
  /** ISO 8601 in UTC, as are all moments here. */
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The read model behind the list of orders. */
export const orderList: Projection<OrderRecord> = {
  name: "order-list",
  version: 1,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: { created_at: "timestamptz", status: "text", entry: "jsonb" },
    indexes: [
      { unique: false, on: "(created_at desc, key desc)" },
      { unique: false, on: "(status, created_at desc, key desc)" },
    ],
    row(record) {
      const entry = entryOf(record);
      return { created_at: entry.createdAt, status: entry.status, entry };
    },
  },
  fold(record, stored) {
    const { event, recorded } = readOrderEvent(stored);
    return evolveRecord(record, event, recorded);
  },
};

function entryOf({ order, updatedAt }: OrderRecord): OrderListEntry {
  return {
    orderId: order.orderId,
    orderNumber: order.orderNumber,
    status: statusOf(order.phase),
    phase: order.phase,
    certificateType: order.variant?.certificateType ?? null,
    serviceLevel: order.variant?.serviceLevel ?? null,
    copies: order.variant?.copies ?? null,
    totalPence: totalPenceOf(order),
    createdAt: order.createdAt,
    updatedAt,
  };
}

/** Where a page ended. */
export type OrderListCursor = { readonly createdAt: string; readonly orderId: string };

export type OrderListRequest = {
  readonly status?: OrderStatus | undefined;
  /** Orders older than this one. */
  readonly after?: OrderListCursor | undefined;
  /** 1 to 200; 50 when not given. */
  readonly limit?: number | undefined;
};

export type OrderListPage = {
  /** Newest first. */
  readonly orders: readonly OrderListEntry[];
  /** Null when nothing follows. */
  readonly next: OrderListCursor | null;
};

export type OrderListQueries = { listOrders(request: OrderListRequest): Promise<OrderListPage> };

const mostPerPage = 200;

/** Queries of the list. Paged by key, so that an order that arrives meanwhile shifts no page. */
export function orderListQueries(pool: Pool): OrderListQueries {
  const table = `${schemaOf(orderList)}.${orderList.table.name}`;
  return {
    async listOrders({ status, after, limit = 50 }) {
      const perPage = Math.min(Math.max(Math.trunc(limit), 1), mostPerPage);
      const values: unknown[] = [perPage + 1];
      const conditions: string[] = [];
      if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
      if (after !== undefined) {
        const [createdAt, orderId] = [values.push(after.createdAt), values.push(after.orderId)];
        conditions.push(`(created_at, key) < ($${createdAt}::timestamptz, $${orderId}::text)`);
      }
      const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
      const { rows } = await pool.query<{ entry: OrderListEntry }>({
        name: `orders${status ? "-of-status" : ""}${after ? "-after" : ""}`,
        text: `select entry from ${table} ${where} order by created_at desc, key desc limit $1`,
        values,
      });
      const orders = rows.slice(0, perPage).map((row) => row.entry);
      const last = orders.at(-1);
      const next =
        last && rows.length > perPage ? { createdAt: last.createdAt, orderId: last.orderId } : null;
      return { orders, next };
    },
  };
}
