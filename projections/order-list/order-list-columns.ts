import type { OrderSort, WorkQueue } from "../../domain/order/staff/work-queues.ts";
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
  refundProposed: "refund_proposed",
  refundFailed: "refund_failed",
  overRefunded: "over_refunded",
  groQuestion: "gro_question",
  purgeFailed: "purge_failed",
  contradiction: "contradiction",
  confirmationUndeliverable: "confirmation_undeliverable",
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
  `(cell, created_at, key) ${including("created_at")}`,
  `(cell, paid_at, key) ${including("paid_at", "paid_pence", "gro_pence")}`,
  "(cell, updated_at, key)",
  "(cell, total_pence, key)",
  "(cell, despatch_by, key)",
  ...momentColumns.map((column) => `(${column}, cell, key) ${including()} where ${column} is not null`),
  ...flags.map((column) => `(cell, key) ${including()} where ${column}`),
  "(submitted_at) include (seconds_to_submission, seconds_to_purge) where submitted_at is not null",
  "(refunded_at) where refunded_at is not null",
].map((on) => ({ unique: false, on }));
