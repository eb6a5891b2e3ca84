import type { WorkQueue } from "../../../domain/order/work-queues.ts";
import type { Figures, FiguresOfDays } from "../../../projections/figures.ts";
import type { ProjectionHealth } from "../../../projections/runner.ts";
import type { TicketCounts } from "../../../projections/ticket-list-queries.ts";

type Told = {
  readonly counts: ReadonlyMap<WorkQueue, number>;
  readonly mostCounted: number;
  readonly tickets: TicketCounts;
  readonly figures: FiguresOfDays;
  readonly parts: readonly ProjectionHealth[];
  readonly now: string;
};

/** GET /api/admin/dashboard. A count with `more` is only known to be larger. */
export const presentDashboard = ({ counts, mostCounted, tickets, figures, parts, now }: Told) => ({
  asOf: now,
  queues: [...counts].map(([queue, count]) => ({
    queue,
    count: Math.min(count, mostCounted),
    more: count > mostCounted,
  })),
  tickets: {
    open: tickets.open.all,
    mine: tickets.open.mine,
    nobodys: tickets.open.nobodys,
    waiting: tickets.waiting.all,
    due: tickets.due,
    late: tickets.late,
    unreached: tickets.unreached,
  },
  readModels: parts.map(({ name, state, behindMs, reason }) => ({
    name,
    state,
    behindSeconds: Math.round(behindMs / 1000),
    reason,
  })),
  days: figures.days.map(({ date, ...day }) => ({ date, ...presentFigures(day) })),
  all: presentFigures(figures.all),
});

/** Money in pence. */
const presentFigures = (figures: Figures) => ({
  created: figures.created,
  paid: figures.paid,
  submitted: figures.submitted,
  revenuePence: figures.revenuePence,
  groFeesPence: figures.groFeesPence,
  refunds: figures.refunds,
  refundedPence: figures.refundedPence,
  medianSecondsToSubmission: figures.medianSecondsToSubmission,
  medianSecondsToPurge: figures.medianSecondsToPurge,
  longestSecondsToPurge: figures.longestSecondsToPurge,
});
