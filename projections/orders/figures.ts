import { type CalendarDate, daysAfter } from "../../domain/calendar-date.ts";
import { startOfDay } from "../../domain/promise/london-time.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { keepAnswers } from "../shared-answers.ts";
import { cellsOf } from "./order-list-columns.ts";
import { ordersTable } from "./orders.ts";

/** Figures of a day in London time, or of a span of days. Money in pence. */
export type Figures = {
  /** Orders opened, and paid for. */
  readonly created: number;
  readonly paid: number;
  /** Payments for those orders: of several paid for together, one, on the day of the first. */
  readonly payments: number;
  /** Orders first submitted to the GRO. */
  readonly submitted: number;
  /** Payments by customers, and what the GRO keeps of its fees for the same orders: nothing until their submission. */
  readonly revenuePence: number;
  readonly groFeesPence: number;
  readonly refunds: number;
  readonly refundedPence: number;
  /** Lost in disputes that were opened then. */
  readonly lostPence: number;
  /**
   * For orders submitted then: from payment to submission, and from submission to the purge. Null when there are none.
   */
  readonly medianSecondsToSubmission: number | null;
  readonly medianSecondsToPurge: number | null;
  readonly longestSecondsToPurge: number | null;
};
type DayFigures = Figures & { readonly date: CalendarDate };

/** Orders submitted in total, and the median time from payment, over the last 90 days. */
export type PublicFacts = {
  readonly submittedOrders: number;
  /** Null until an order was submitted. */
  readonly medianMinutesToSubmission: number | null;
};

export type FigureQueries = {
  /** Each day from first to last, oldest first, and the totals. @throws RangeError for more than 400 days */
  figures(from: CalendarDate, to: CalendarDate): Promise<FiguresOfDays>;
  publicFacts(now: string): Promise<PublicFacts>;
};
export type FiguresOfDays = { readonly days: readonly DayFigures[]; readonly all: Figures };

const mostDays = 400;
const daysOfFacts = 90;
/** Every visitor may ask, and counting a million orders takes a moment. */
const factsKeptSeconds = 300;

/** The days of a span and where each begins; the last boundary ends the span. */
function daysOf(from: CalendarDate, to: CalendarDate): { dates: CalendarDate[]; boundaries: string[] } {
  const dates: CalendarDate[] = [];
  for (let date = from; date <= to; date = daysAfter(date, 1)) {
    dates.push(date);
    if (dates.length > mostDays) throw new RangeError(`At most ${mostDays} days can be shown at once.`);
  }
  return { dates, boundaries: [...dates, daysAfter(to, 1)].map(startOfDay) };
}

/**
 * Number of the day a moment falls into, from 1: the boundaries come from the domain's clock, so both agree about
 * summer time.
 */
const dayOf = (column: string) => `width_bucket(${column}, $1::timestamptz[])`;
const within = (column: string) =>
  `${column} >= ($1::timestamptz[])[1] and ${column} < ($1::timestamptz[])[cardinality($1::timestamptz[])]`;

// One row per day, and one without a day for the totals, whose medians cannot be derived from the days'.
const statements = {
  created: `select ${dayOf("created_at")} as day, count(*)::integer as created
    from ${ordersTable} where cell = any($2::integer[]) and ${within("created_at")} group by rollup (1)`,
  paid: `select ${dayOf("paid_at")} as day, count(*)::integer as paid, coalesce(sum(paid_pence), 0)::bigint as "revenuePence",
      coalesce(sum(gro_pence), 0)::bigint as "groFeesPence"
    from ${ordersTable} where cell = any($2::integer[]) and ${within("paid_at")} group by rollup (1)`,
  payments: `select ${dayOf("paid_at")} as day, count(*)::integer as payments from (
      select paid_at from ${ordersTable} where cell = any($2::integer[]) and ${within("paid_at")} and checkout_id is null
      union all select min(paid_at) from ${ordersTable}
      where cell = any($2::integer[]) and ${within("paid_at")} and checkout_id is not null group by checkout_id
    ) as payment group by rollup (1)`,
  submitted: `select ${dayOf("submitted_at")} as day, count(*)::integer as submitted,
      percentile_cont(0.5) within group (order by seconds_to_submission) as "medianSecondsToSubmission",
      percentile_cont(0.5) within group (order by seconds_to_purge) as "medianSecondsToPurge",
      max(seconds_to_purge) as "longestSecondsToPurge"
    from ${ordersTable} where ${within("submitted_at")} group by rollup (1)`,
  returned: `select ${dayOf("at")} as day, count(*) filter (where not lost)::integer as refunds,
      coalesce(sum(pence) filter (where not lost), 0)::bigint as "refundedPence",
      coalesce(sum(pence) filter (where lost), 0)::bigint as "lostPence"
    from ${ordersTable}, jsonb_to_recordset(returns) as one (at timestamptz, pence integer, lost boolean)
    where returned_at >= ($1::timestamptz[])[1] and ${within("at")} group by rollup (1)`,
} as const;

/** The figures of a period without orders. */
const noFigures: Figures = {
  created: 0,
  paid: 0,
  payments: 0,
  submitted: 0,
  revenuePence: 0,
  groFeesPence: 0,
  refunds: 0,
  refundedPence: 0,
  lostPence: 0,
  medianSecondsToSubmission: null,
  medianSecondsToPurge: null,
  longestSecondsToPurge: null,
};

type Counted = Partial<Figures> & { readonly day: number | null };

/** Queries of the figures, on the order list's table. */
export function figureQueries(pool: Pool): FigureQueries {
  const keep = keepAnswers<PublicFacts>(factsKeptSeconds);
  return {
    async figures(from, to) {
      const { dates, boundaries } = daysOf(from, to);
      const everyCell = cellsOf({});
      const counted = await Promise.all(
        Object.entries(statements).map(async ([name, text]) => {
          const values = text.includes("$2") ? [boundaries, everyCell] : [boundaries];
          return (await pool.query<Counted>({ name: `figures-${name}`, text, values })).rows;
        }),
      );
      const figuresOf = (day: number | null): Figures => {
        const found = counted.flatMap((rows) => rows.filter((row) => row.day === day));
        const { day: _, ...figures } = Object.assign({ day, ...noFigures }, ...found);
        return figures;
      };
      return { days: dates.map((date, nth) => ({ date, ...figuresOf(nth + 1) })), all: figuresOf(null) };
    },
    publicFacts: (now) => keep("facts", now, () => readFacts(pool, now)),
  };
}

async function readFacts(pool: Pool, now: string): Promise<PublicFacts> {
  const since = new Date(Date.parse(now) - daysOfFacts * 86_400_000).toISOString();
  const { rows } = await pool.query<{ orders: number; seconds: number | null }>({
    name: "public-facts",
    text: `select count(*)::integer as orders, percentile_cont(0.5) within group (order by seconds_to_submission)
        filter (where submitted_at >= $1::timestamptz) as seconds
      from ${ordersTable} where submitted_at is not null`,
    values: [since],
  });
  const { orders = 0, seconds = null } = rows[0] ?? {};
  return {
    submittedOrders: orders,
    medianMinutesToSubmission: seconds === null ? null : Math.round(seconds / 6) / 10,
  };
}
