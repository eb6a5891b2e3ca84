import * as overview from "../../../../contract/back-office/overview.ts";
import { addDays } from "../../../../domain/instant.ts";
import { londonDate } from "../../../../domain/promise/london-time.ts";
import type { FiguresOfDays } from "../../../../projections/figures.ts";
import { keepAnswers } from "../../../../projections/kept-answers.ts";
import { staffRoute } from "../../../gateway/routing/route.ts";
import { presentDashboard } from "./present-dashboard.ts";

/** Longer queues are reported as "more". */
export const mostCounted = 1_000;

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
          queries.figures(londonDate(addDays(now, 1 - days)), today),
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
