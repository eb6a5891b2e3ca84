import { secondsBetween } from "../../domain/instant.ts";
import { type OrderEvent, orderIdOf } from "../../domain/order/events.ts";
import { awaitedBy, lastingQueues, purgeWaitsSince } from "../../domain/order/staff/work-queues.ts";
import type { Order } from "../../domain/order/state.ts";
import { submissionStuckAt } from "../../domain/order/submission/submission-window.ts";
import {
  evolveRecord,
  type OrderRecord,
  readOrderEvent,
  totalPenceOf,
  usualRecord,
} from "../order-record.ts";
import type { ColumnType, Projection } from "../runner/projection.ts";
import { cellOf, flagColumns, listIndexes, noDay, noMoment } from "./order-list-columns.ts";

type Listed = OrderRecord & { readonly course: Course };

/** Columns read only by the figures. */
const figureColumns = {
  paid_pence: "integer",
  gro_pence: "integer",
  submitted_at: "timestamptz",
  seconds_to_submission: "integer",
  seconds_to_purge: "integer",
  refunded_at: "timestamptz",
  refunds: "jsonb",
} as const satisfies Record<string, ColumnType>;

const usualListed: Listed = {
  ...usualRecord,
  course: { submittedAt: usualRecord.updatedAt, secondsToPurge: 5 },
};

/** The read model behind the order list, its queues and the figures. */
export const orderList: Projection<Listed> = {
  name: "order-list",
  version: 7,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: {
      order_number: "text",
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
      ...Object.fromEntries(Object.values(flagColumns).map((column) => [column, "boolean"] as const)),
      ...figureColumns,
    },
    indexes: listIndexes,
    row: rowOf,
    dictionary: usualListed,
  },
  fold(listed, stored) {
    const { event, recorded } = readOrderEvent(stored);
    const record = evolveRecord(listed, event, recorded);
    return { ...record, course: courseOf(listed?.course, event, record.order) };
  },
};

function rowOf({ order, updatedAt, course }: Listed): Readonly<Record<string, unknown>> {
  const lasting: ReadonlySet<string> = new Set(lastingQueues(order));
  return {
    order_number: order.orderNumber,
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
    ...Object.fromEntries(
      Object.entries(flagColumns).map(([queue, column]) => [column, lasting.has(queue)] as const),
    ),
    ...figuresOf(order, course),
  };
}

/** Data for the figures that the order itself forgets when its application is replaced. */
type Course = {
  /** When it was first submitted to the GRO. */
  readonly submittedAt: string | null;
  /** From that or a later submission to the purge of the application. */
  readonly secondsToPurge: number | null;
};

function courseOf(course: Course | undefined, event: OrderEvent, order: Order): Course {
  const { submittedAt = null, secondsToPurge = null } = course ?? {};
  return {
    submittedAt: submittedAt ?? order.submission?.submittedAt ?? null,
    secondsToPurge:
      event.type === "SensitiveDataPurged"
        ? (event.data.secondsSinceSubmission ?? secondsToPurge)
        : secondsToPurge,
  };
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The GRO's charge in pence; 0 before anything is chargeable. */
function groPenceOf({ variant }: Order): number {
  if (variant === null) return 0;
  const { groFeePence, groSearchFeePence } = variant.feePerCopy;
  return (groFeePence + groSearchFeePence) * variant.copies;
}

/** Values of those columns. An unexpected payment is returned, so it is no revenue, and its refund no refund. */
function figuresOf(order: Order, { submittedAt, secondsToPurge }: Course) {
  const due = order.payments.filter(({ unexpected }) => !unexpected);
  const intents = new Set(due.map(({ intentId }) => intentId));
  const refunds = order.refunds.filter(
    ({ status, intentId }) => status === "issued" && intents.has(intentId),
  );
  const { paidAt } = order;
  return {
    paid_pence: sum(due.map(({ amountPence }) => amountPence)),
    gro_pence: paidAt === null ? 0 : groPenceOf(order),
    submitted_at: submittedAt,
    seconds_to_submission:
      submittedAt !== null && paidAt !== null ? secondsBetween(paidAt, submittedAt) : null,
    seconds_to_purge: secondsToPurge,
    refunded_at:
      refunds
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null,
    refunds: refunds.length === 0 ? null : refunds.map(({ at, amountPence }) => ({ at, pence: amountPence })),
  };
}
