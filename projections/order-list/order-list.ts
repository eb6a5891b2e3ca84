import { secondsBetween } from "../../domain/instant.ts";
import { type OrderEvent, orderIdOf } from "../../domain/order/events.ts";
import type { Phase } from "../../domain/order/phases.ts";
import { awaitedBy } from "../../domain/order/staff/staff-tasks.ts";
import { lastingQueues, purgeWaitsSince, type WorkQueue } from "../../domain/order/staff/work-queues.ts";
import type { Order } from "../../domain/order/state.ts";
import { type OrderStatus, statusOf } from "../../domain/order/status.ts";
import { submissionStuckAt } from "../../domain/order/submission/submission-window.ts";
import type { CertificateType, ServiceLevel } from "../../domain/order/vocabulary.ts";
import { evolveRecord, type OrderRecord, readOrderEvent, totalPenceOf } from "../order-record.ts";
import type { ColumnType, Projection } from "../runner/projection.ts";
import { cellOf, flagColumns, listIndexes } from "./order-list-columns.ts";

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
  /** ISO 8601 in UTC, like all times here. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly paidAt: string | null;
  /** The promised day; null until known. */
  readonly despatchBy: string | null;
  /** Time-independent queues. */
  readonly lasting: readonly WorkQueue[];
  /** The promised day, while the promise is open. */
  readonly awaitedBy: string | null;
  /** When its submission counts as stuck, and since when data awaits its purge. */
  readonly stuckAt: string | null;
  readonly purgeSince: string | null;
};

type Listed = OrderRecord & { readonly course: Course };

/** Placeholder for a missing time, so that every order has a sort position: last, or first in reverse. */
export const noMoment = "9999-12-31T00:00:00.000Z";
export const noDay = "9999-12-31";

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

/** The read model behind the order list, its queues and the figures. */
export const orderList: Projection<Listed> = {
  name: "order-list",
  version: 6,
  keyOf: orderIdOf,
  table: {
    name: "orders",
    columns: {
      cell: "integer",
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
      entry: "jsonb",
    },
    indexes: listIndexes,
    row: rowOf,
  },
  fold(listed, stored) {
    const { event, recorded } = readOrderEvent(stored);
    const record = evolveRecord(listed, event, recorded);
    return { ...record, course: courseOf(listed?.course, event, record.order) };
  },
};

function rowOf(listed: Listed): Readonly<Record<string, unknown>> {
  const entry = entryOf(listed);
  const waits = Object.entries(flagColumns).map(
    ([queue, column]) => [column, entry.lasting.some((one) => one === queue)] as const,
  );
  return {
    cell: cellOf(entry.phase, listed.order.variant),
    created_at: entry.createdAt,
    paid_at: entry.paidAt ?? noMoment,
    updated_at: entry.updatedAt,
    total_pence: entry.totalPence,
    despatch_by: entry.despatchBy ?? noDay,
    awaited_by: entry.awaitedBy,
    stuck_at: entry.stuckAt,
    purge_since: entry.purgeSince,
    ...Object.fromEntries(waits),
    ...figuresOf(listed.order, listed.course),
    entry,
  };
}

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
    paidAt: order.paidAt,
    despatchBy: order.promise?.despatchBy ?? null,
    lasting: lastingQueues(order),
    awaitedBy: awaitedBy(order),
    stuckAt: submissionStuckAt(order),
    purgeSince: purgeWaitsSince(order),
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
