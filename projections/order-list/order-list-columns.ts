import { type Phase, phases } from "../../domain/order/phases.ts";
import type { OrderSort, WorkQueue } from "../../domain/order/staff/work-queues.ts";
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
export function cellAt(cell: number): { readonly phase: Phase; readonly choice: Choice } {
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
