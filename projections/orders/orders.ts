import { id } from "../../domain/fields.ts";
import { secondsBetween } from "../../domain/instant.ts";
import { orderIdOf } from "../../domain/order/events.ts";
import { capturedPence, isPaidFor, wentBackPence } from "../../domain/order/payment/money.ts";
import { awaitedBy, lastingQueues, purgeWaitsSince } from "../../domain/order/staff/work-queues.ts";
import type { Order } from "../../domain/order/state.ts";
import { submissionStuckAt } from "../../domain/order/submission/submission-window.ts";
import { groFees } from "../../domain/pricing/price-list.ts";
import { type ColumnType, type Projection, schemaOf } from "../runner/projection.ts";
import { cellOf, flagColumns, listIndexes, noDay, noMoment } from "./order-list-columns.ts";
import { storedAnswer } from "./order-lookup.ts";
import {
  evolveRecord,
  type OrderRecord,
  readOrderEvent,
  totalPenceOf,
  usualRecords,
} from "./order-record.ts";

/** Columns of the list. */
const listColumns = {
  cell: "integer",
  copies: "integer",
  created_at: "timestamptz",
  paid_at: "timestamptz",
  updated_at: "timestamptz",
  total_pence: "integer",
  despatch_by: "date",
  awaited_by: "date",
  stuck_at: "timestamptz",
  purge_since: "timestamptz",
} as const satisfies Record<string, ColumnType>;

const queueColumns = Object.fromEntries(
  Object.values(flagColumns).map((column) => [column, "boolean"] as const),
);

/** Columns read only by the figures. */
const figureColumns = {
  paid_pence: "integer",
  gro_pence: "integer",
  submitted_at: "timestamptz",
  seconds_to_submission: "integer",
  seconds_to_purge: "integer",
  returned_at: "timestamptz",
  returns: "jsonb",
} as const satisfies Record<string, ColumnType>;

/** Columns read for the orders of a checkout: unlike the figures', of payments that were not due too. */
const shareColumns = { captured_pence: "integer", went_back_pence: "integer" } as const;

/** The read model behind the lookups, the tracking page, the order list, its queues and the figures. */
export const ordersProjection: Projection<OrderRecord> = {
  name: "orders",
  version: 11,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    key: "uuid",
    // Seldom changed, and of any length or a byte: behind what changes.
    columns: {
      ...{ ...listColumns, ...figureColumns, ...shareColumns },
      ...{ answer: "text", order_number: "text", ...queueColumns },
      // Null where an order stands alone.
      checkout_id: "uuid",
      // Null while no certificate is paid for: such an order duplicates none.
      certificate_ids: "uuid[]",
    },
    indexes: [{ unique: true, on: "(order_number)" }, ...listIndexes],
    row: (record) => ({
      order_number: record.order.orderNumber,
      answer: storedAnswer(record),
      ...listedOf(record),
      ...queuesOf(record),
      ...figuresOf(record),
      captured_pence: capturedPence(record.order),
      went_back_pence: wentBackPence(record.order),
      checkout_id: record.order.checkoutId ?? null,
      certificate_ids: isPaidFor(record.order) ? (record.order.certificateIds ?? null) : null,
    }),
    dictionary: usualRecords,
    fillfactor: 85,
  },
  fold(record, stored) {
    const { event, recorded } = readOrderEvent(stored);
    return evolveRecord(record, event, recorded);
  },
};

/** Those that can be keys of orders: the table's type refuses any other. */
export const idsAmong = (texts: readonly string[]): string[] =>
  texts.filter((text) => id.safeParse(text).success);

/** Its table, in this build's version. */
export const ordersTable = `${schemaOf(ordersProjection)}.${ordersProjection.table.name}`;

function listedOf({ order, updatedAt }: OrderRecord): Readonly<Record<keyof typeof listColumns, unknown>> {
  return {
    cell: cellOf(order.phase, order.variant),
    copies: order.variant?.copies ?? null,
    created_at: order.createdAt,
    paid_at: order.paidAt ?? noMoment,
    updated_at: updatedAt,
    total_pence: totalPenceOf(order),
    despatch_by: order.promise?.despatchBy ?? noDay,
    awaited_by: awaitedBy(order),
    stuck_at: submissionStuckAt(order),
    purge_since: purgeWaitsSince(order),
  };
}

function queuesOf({ order }: OrderRecord): Readonly<Record<string, boolean>> {
  const lasting: ReadonlySet<string> = new Set(lastingQueues(order));
  return Object.fromEntries(
    Object.entries(flagColumns).map(([queue, column]) => [column, lasting.has(queue)] as const),
  );
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What the GRO keeps of its fee, in pence. It is paid when it gets the application. */
function groPenceOf({ variant, submissions, end }: Order): number {
  if (variant === null || submissions === 0) return 0;
  const { groFeePence, groSearchFeePence } = variant.feePerCopy;
  const feePence = groFeePence + groSearchFeePence;
  return (end?.reason === "recordNotFound" ? groFees.keptWhenNotFoundPence : feePence) * variant.copies;
}

/** What went back of what was due, refunded or lost in a dispute; the provider takes that money when it is opened. */
function returnsOf({ refunds, disputes }: Order, due: ReadonlySet<string>) {
  const issued = refunds.filter(({ status, intentId }) => status === "issued" && due.has(intentId));
  const lost = disputes.filter(({ outcome, intentId }) => outcome === "lost" && due.has(intentId));
  return [
    ...issued.map(({ at, amountPence }) => ({ at, pence: amountPence, lost: false })),
    ...lost.map(({ openedAt, amountPence }) => ({ at: openedAt, pence: amountPence, lost: true })),
  ];
}

/** An unexpected payment is returned, so it is no revenue, and its refund no refund. */
function figuresOf({
  order,
  firstSubmittedAt,
  secondsToPurge,
}: OrderRecord): Readonly<Record<keyof typeof figureColumns, unknown>> {
  const due = order.payments.filter(({ unexpected }) => !unexpected);
  const returns = returnsOf(order, new Set(due.map(({ intentId }) => intentId)));
  const { paidAt } = order;
  return {
    paid_pence: sum(due.map(({ amountPence }) => amountPence)),
    gro_pence: groPenceOf(order),
    submitted_at: firstSubmittedAt,
    seconds_to_submission:
      firstSubmittedAt !== null && paidAt !== null ? secondsBetween(paidAt, firstSubmittedAt) : null,
    seconds_to_purge: secondsToPurge,
    returned_at:
      returns
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null,
    returns: returns.length === 0 ? null : returns,
  };
}
