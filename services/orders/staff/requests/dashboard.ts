import type { dashboardAnswer, figuresShown } from "../../../../contract/back-office/overview.ts";
import * as overview from "../../../../contract/back-office/overview.ts";
import type { Presented } from "../../../../contract/request.ts";
import { daysAfter } from "../../../../domain/calendar-date.ts";
import type { WorkQueue } from "../../../../domain/order/staff/work-queues.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import type { Figures, FiguresOfDays } from "../../../../projections/orders/figures.ts";
import type { ProjectionHealth } from "../../../../projections/runner/runner.ts";
import { keepAnswers } from "../../../../projections/shared-answers.ts";
import type { TicketCounts } from "../../../../projections/tickets/ticket-list-queries.ts";
import { staffRoute } from "../../../gateway/route.ts";

/** Longer queues are reported as "more". */
const mostCounted = 1_000;

export const showDashboard = staffRoute(
  overview.showDashboard,
  ({ queries, deps, standing, parkedRecords }) => {
    // A month's figures are cached for a minute, a year's for ten: longer totals change relatively less. Queues are
    // counted each time.
    const keepMonth = keepAnswers<FiguresOfDays>(60);
    const keepYear = keepAnswers<FiguresOfDays>(600);
    return async ({ body: { days }, by }) => {
      const now = deps.now().toISOString();
      const today = londonDate(now);
      const [counts, tickets, figures, parts, parked] = await Promise.all([
        queries.countQueues(now, mostCounted),
        queries.countTickets(by.userId, today),
        (days > 90 ? keepYear : keepMonth)(`${days} ${today}`, now, () =>
          queries.figures(daysAfter(today, 1 - days), today),
        ),
        standing(),
        parkedRecords.count(),
      ]);
      return {
        body: presentDashboard({ counts, mostCounted, tickets, figures, parts, parkedRecords: parked, now }),
      };
    };
  },
);

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
const presentDashboard = ({
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
  payments: figures.payments,
  submitted: figures.submitted,
  revenuePence: figures.revenuePence,
  groFeesPence: figures.groFeesPence,
  refunds: figures.refunds,
  refundedPence: figures.refundedPence,
  lostPence: figures.lostPence,
  medianSecondsToSubmission: figures.medianSecondsToSubmission,
  medianSecondsToPurge: figures.medianSecondsToPurge,
  longestSecondsToPurge: figures.longestSecondsToPurge,
});

export const followUpdates = staffRoute(
  overview.followUpdates,
  ({ updates }) =>
    async ({ request, response, by }) => {
      await updates.open(request, response, by.session);
      return undefined;
    },
);
