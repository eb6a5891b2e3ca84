import type { Phase } from "../../domain/order/phases.ts";
import { type WorkQueue, workQueues } from "../../domain/order/staff/work-queues.ts";
import { type OrderStatus, statusOf } from "../../domain/order/status.ts";
import type { CertificateType, ServiceLevel } from "../../domain/order/vocabulary.ts";
import { cellAt, flagColumns } from "./order-list-columns.ts";

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
  /** Time-independent queues, but for those that follow from the phase. */
  readonly lasting: readonly WorkQueue[];
  /** The promised day, while the promise is open. */
  readonly awaitedBy: string | null;
  /** When its submission counts as stuck, and since when data awaits its purge. */
  readonly stuckAt: string | null;
  readonly purgeSince: string | null;
};

/** Placeholder for a missing time, so that every order has a sort position: last, or first in reverse. */
export const noMoment = "9999-12-31T00:00:00.000Z";
export const noDay = "9999-12-31";

/** A line as `entryColumns` selects it. */
export type EntryRow = {
  readonly key: string;
  readonly order_number: string;
  readonly cell: number;
  readonly copies: number | null;
  readonly total_pence: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly paid_at: Date;
  readonly despatch_by: string;
  readonly awaited_by: string | null;
  readonly stuck_at: Date | null;
  readonly purge_since: Date | null;
} & Readonly<Record<(typeof flagColumns)[keyof typeof flagColumns], boolean>>;

/** What to select for a line. */
export const entryColumns = [
  ...["key", "order_number", "cell", "copies", "total_pence", "created_at", "updated_at", "paid_at"],
  ...["despatch_by::text", "awaited_by::text", "stuck_at", "purge_since"],
  ...Object.values(flagColumns),
].join(", ");

const isFlagged = (queue: WorkQueue): queue is keyof typeof flagColumns => queue in flagColumns;
const flagged = workQueues.filter(isFlagged);

/** The line of a row. */
export function entryOf(row: EntryRow): OrderListEntry {
  const { phase, choice } = cellAt(row.cell);
  const paidAt = row.paid_at.toISOString();
  return {
    orderId: row.key,
    orderNumber: row.order_number,
    status: statusOf(phase),
    phase,
    certificateType: choice?.certificateType ?? null,
    serviceLevel: choice?.serviceLevel ?? null,
    copies: row.copies,
    totalPence: row.total_pence,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    paidAt: paidAt === noMoment ? null : paidAt,
    despatchBy: row.despatch_by === noDay ? null : row.despatch_by,
    lasting: flagged.filter((queue) => row[flagColumns[queue]]),
    awaitedBy: row.awaited_by,
    stuckAt: row.stuck_at?.toISOString() ?? null,
    purgeSince: row.purge_since?.toISOString() ?? null,
  };
}
