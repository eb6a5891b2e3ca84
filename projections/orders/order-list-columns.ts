import { type Phase, phases } from "../../domain/order/phases.ts";
import { type OrderSort, type WorkQueue, workQueues } from "../../domain/order/staff/work-queues.ts";
import { type OrderStatus, statusOf } from "../../domain/order/status.ts";
import {
  type CertificateType,
  certificateType,
  type ServiceLevel,
  serviceLevel,
} from "../../domain/order/vocabulary.ts";
import type { Table } from "../runner/projection.ts";

/** The column behind each sort order. */
export const sortColumns = {
  created: "created_at",
  paid: "paid_at",
  updated: "updated_at",
  total: "total_pence",
  despatch: "despatch_by",
} as const satisfies Record<OrderSort, string>;

/** Each time-independent queue has a column; few orders wait, so each index is tiny. */
export const flagColumns = {
  refundPending: "refund_pending",
  refundUnassigned: "refund_unassigned",
  refundProposed: "refund_proposed",
  refundFailed: "refund_failed",
  overRefunded: "over_refunded",
  groQuestion: "gro_question",
  purgeFailed: "purge_failed",
  contradiction: "contradiction",
  undelivered: "undelivered",
  disputeOpen: "dispute_open",
} as const satisfies Partial<Record<WorkQueue, string>>;

/** Columns of time-dependent queues. */
const momentColumns = ["awaited_by", "stuck_at", "purge_since"] as const;

const sorted = Object.values(sortColumns);
const flags = Object.values(flagColumns);

/** Every column not yet in an index: with them included, only orders shown are read. */
const including = (but?: string, ...more: string[]): string =>
  `include (${[...sorted.filter((column) => column !== but), ...more].join(", ")})`;

/** Indexes of the list; the figures use those by moment too. */
export const listIndexes: Table<never>["indexes"] = [
  `(cell, created_at, key) ${including("created_at", "checkout_id")}`,
  `(cell, paid_at, key) ${including("paid_at", "paid_pence", "gro_pence", "checkout_id")}`,
  "(cell, updated_at, key)",
  "(cell, total_pence, key)",
  "(cell, despatch_by, key)",
  ...momentColumns.map((column) => `(${column}, cell, key) ${including()} where ${column} is not null`),
  ...flags.map((column) => `(cell, key) ${including()} where ${column}`),
  "(submitted_at) include (seconds_to_submission, seconds_to_purge) where submitted_at is not null",
  "(returned_at) where returned_at is not null",
  "(checkout_id) where checkout_id is not null",
  // Not left to be sorted in later: each search would read what is left.
  "using gin (certificate_ids) with (fastupdate = off) where certificate_ids is not null",
].map((on) => ({ unique: false, on }));

/**
 * Phase, certificate type and service level of an order in one small number. An index that begins with it sorts the
 * orders of each combination, so a page of any filter merges the few matching combinations: even a rare filter never
 * reads orders outside the page.
 */

/** The chosen certificate; null before one was chosen. */
type Choice = { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null;

const choices: readonly Choice[] = [
  null,
  ...certificateType.options.flatMap((type) =>
    serviceLevel.options.map((level) => ({ certificateType: type, serviceLevel: level })),
  ),
];

const isOf = (choice: Choice, type: CertificateType | undefined, level: ServiceLevel | undefined): boolean =>
  choice?.certificateType === type && choice?.serviceLevel === level;

export function cellOf(
  phase: Phase,
  chosen: { readonly certificateType: CertificateType; readonly serviceLevel: ServiceLevel } | null,
): number {
  const choice = choices.findIndex((one) => isOf(one, chosen?.certificateType, chosen?.serviceLevel));
  return phases.indexOf(phase) * choices.length + choice;
}

/** The phase and choice of a cell. @throws RangeError for a number that is none */
function cellAt(cell: number): { readonly phase: Phase; readonly choice: Choice } {
  const phase = phases[Math.floor(cell / choices.length)];
  const choice = choices[cell % choices.length];
  if (phase === undefined || choice === undefined) throw new RangeError(`There is no cell ${cell}.`);
  return { phase, choice };
}

/** A filter; a missing or empty list matches everything. */
export type CellFilter = {
  readonly statuses?: readonly OrderStatus[] | undefined;
  readonly phases?: readonly Phase[] | undefined;
  readonly certificateTypes?: readonly CertificateType[] | undefined;
  readonly serviceLevels?: readonly ServiceLevel[] | undefined;
};

const passes = <Value>(wanted: readonly Value[] | undefined, value: Value | undefined): boolean =>
  wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));

/** The cells that match a filter, possibly none. */
export function cellsOf(filter: CellFilter): number[] {
  return phases.flatMap((phase, row) =>
    choices.flatMap((choice, column) => {
      const asked =
        passes(filter.phases, phase) &&
        passes(filter.statuses, statusOf(phase)) &&
        passes(filter.certificateTypes, choice?.certificateType) &&
        passes(filter.serviceLevels, choice?.serviceLevel);
      // Before a certificate is chosen an order is Opened, or has ended.
      return asked ? [row * choices.length + column] : [];
    }),
  );
}

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
  /** Of the orders that it is, or was to be, paid for together with; null where it stands alone. */
  readonly checkoutId: string | null;
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
  readonly checkout_id: string | null;
} & Readonly<Record<(typeof flagColumns)[keyof typeof flagColumns], boolean>>;

/** What to select for a line. */
export const entryColumns = [
  ...["key", "order_number", "cell", "copies", "total_pence", "created_at", "updated_at", "paid_at"],
  ...["despatch_by::text", "awaited_by::text", "stuck_at", "purge_since", "checkout_id"],
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
    checkoutId: row.checkout_id,
  };
}
