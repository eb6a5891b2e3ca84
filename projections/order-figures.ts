import { secondsBetween } from "../domain/instant.ts";
import type { OrderEvent } from "../domain/order/events.ts";
import type { Order } from "../domain/order/state.ts";
import type { ColumnType } from "./runner/projection.ts";

/** Data for the figures that the order itself forgets when its application is replaced. */
export type Course = {
  /** When it was first submitted to the GRO. */
  readonly submittedAt: string | null;
  /** From that or a later submission to the purge of the application. */
  readonly secondsToPurge: number | null;
};

export function courseOf(course: Course | undefined, event: OrderEvent, order: Order): Course {
  const { submittedAt = null, secondsToPurge = null } = course ?? {};
  return {
    submittedAt: submittedAt ?? order.submission?.submittedAt ?? null,
    secondsToPurge:
      event.type === "SensitiveDataPurged"
        ? (event.data.secondsSinceSubmission ?? secondsToPurge)
        : secondsToPurge,
  };
}

/** Columns read only by the figures. */
export const figureColumns = {
  paid_pence: "integer",
  gro_pence: "integer",
  submitted_at: "timestamptz",
  seconds_to_submission: "integer",
  seconds_to_purge: "integer",
  refunded_at: "timestamptz",
  refunds: "jsonb",
} as const satisfies Record<string, ColumnType>;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** The GRO's charge in pence; 0 before anything is chargeable. */
function groPenceOf({ variant }: Order): number {
  if (variant === null) return 0;
  const { groFeePence, groSearchFeePence } = variant.feePerCopy;
  return (groFeePence + groSearchFeePence) * variant.copies;
}

/** Values of those columns. An unexpected payment is returned, so it is no revenue, and its refund no refund. */
export function figuresOf(order: Order, { submittedAt, secondsToPurge }: Course) {
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
