import type { dashboardAnswer, figuresShown } from "../../../../contract/back-office/overview.ts";
import type { WorkQueue } from "../../../../domain/order/staff/work-queues.ts";
import type { Figures, FiguresOfDays } from "../../../../projections/figures.ts";
import type { ProjectionHealth } from "../../../../projections/runner/runner.ts";
import type { TicketCounts } from "../../../../projections/tickets/ticket-list-queries.ts";
import type { Presented } from "../../../gateway/routing/presented.ts";

type DashboardFacts = {
  readonly counts: ReadonlyMap<WorkQueue, number>;
  readonly mostCounted: number;
  readonly tickets: TicketCounts;
  readonly figures: FiguresOfDays;
  readonly parts: readonly ProjectionHealth[];
  readonly parkedRecords: number;
  readonly now: string;
};

/** With `more`, the count is a lower bound. */
export const presentDashboard = ({
  counts,
  mostCounted,
  tickets,
  figures,
  parts,
  parkedRecords,
  now,
}: DashboardFacts): Presented<typeof dashboardAnswer> => ({
  asOf: now,
  queues: [...counts].map(([queue, count]) => ({
    queue,
    count: Math.min(count, mostCounted),
    more: count > mostCounted,
  })),
  tickets: {
    open: tickets.open.all,
    mine: tickets.open.mine,
    unassigned: tickets.open.unassigned,
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
  parkedRecords,
  days: figures.days.map(({ date, ...day }) => ({ date, ...presentFigures(day) })),
  all: presentFigures(figures.all),
});

/** Money in pence. */
const presentFigures = (figures: Figures): Presented<typeof figuresShown> => ({
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
