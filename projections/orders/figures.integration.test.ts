import { afterAll, beforeAll, expect, it } from "vitest";
import { orderDecider } from "../../domain/order/decide.ts";
import { absent, exists, type Order, type OrderState } from "../../domain/order/state.ts";
import { londonDate, startOfDay } from "../../domain/promise/london-time.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { createPool, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { type Happening, happenIn, randomOrders } from "../../testing/projections/random-orders-fixture.ts";
import { tablesOf } from "../runner/read-model-tables.ts";
import { type FigureQueries, figureQueries } from "./figures.ts";
import { readOrderEvent } from "./order-record.ts";
import { ordersProjection } from "./orders.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let queries: FigureQueries;
let events: readonly StoredEvent[];

/** Spread over a fortnight around the end of summer time, so that one day has 25 hours. */
const shiftMs = Date.parse("2026-10-18T00:30:00.000Z") - Date.parse("2026-11-23T09:30:00.000Z");
function spread(happenings: readonly Happening[]): Happening[] {
  const nth = new Map([...new Set(happenings.map(({ stream }) => stream))].map((stream, n) => [stream, n]));
  return happenings.map(({ stream, event }) => {
    const hours = ((nth.get(stream) ?? 0) % 160) * 2;
    const at = new Date(Date.parse(String(event.metadata.at)) + shiftMs + hours * 3_600_000).toISOString();
    const data = event.type === "SubmittedToGRO" ? { ...event.data, submittedAt: at } : event.data;
    return { stream, event: { ...event, data, metadata: { ...event.metadata, at } } };
  });
}

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  const store = createMemoryEventStore();
  await happenIn(store, spread(randomOrders(13, 300, 24)));
  events = await store.readAll("", 100_000);
  const tables = tablesOf(ordersProjection);
  await inTransaction(pool, async (client) => {
    await tables.create(client);
    await tables.apply(client, events);
  });
  queries = figureQueries(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Orders as folded by the domain, with their events. */
function lives(): { order: Order; history: ReturnType<typeof readOrderEvent>[] }[] {
  const histories = Map.groupBy(events, ({ stream }) => stream);
  return [...histories.values()].flatMap((stored) => {
    const read = stored.map(readOrderEvent);
    const order = read.reduce<OrderState>(
      (state, { event, recorded }) => orderDecider.evolve(state, event, recorded),
      absent,
    );
    return exists(order) ? [{ order, history: read }] : [];
  });
}

const median = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  if (sorted.length === 0) return null;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
};

/** The moments of payments: of several orders with one, the first in the span. */
function paymentsOf(orders: readonly Order[]): string[] {
  const paid = orders.flatMap(({ orderId, checkoutId, paidAt }) =>
    paidAt !== null && londonDate(paidAt) >= from && londonDate(paidAt) <= to
      ? [{ payment: checkoutId ?? orderId, paidAt }]
      : [],
  );
  const together = Map.groupBy(paid, ({ payment }) => payment).values();
  return [...together].map((orders) => orders.map(({ paidAt }) => paidAt).toSorted()[0] ?? "");
}

const groPencePerCopy = ({ submissions, end }: Order): number => {
  if (submissions === 0) return 0;
  return end?.reason === "recordNotFound" ? 400 : 1250 + 350;
};

const from = "2026-10-19";
const to = "2026-10-30";

it("counts each day's events in London time", async () => {
  const { days, all } = await queries.figures(from, to);
  const all_ = lives();
  for (const { date, ...figures } of days) {
    const on = (at: string | null | undefined) => at !== null && at !== undefined && londonDate(at) === date;
    const paid = all_.filter(({ order }) => on(order.paidAt));
    const submitted = all_.flatMap(({ order, history }) => {
      const first = history.find(({ event }) => event.type === "SubmittedToGRO");
      return first && on(first.recorded.at) ? [{ order, at: first.recorded.at }] : [];
    });
    const due = (order: Order) => order.payments.filter(({ unexpected }) => !unexpected);
    const refunds = all_.flatMap(({ order }) =>
      order.refunds.filter(
        ({ status, at, intentId }) =>
          status === "issued" && on(at) && due(order).some((payment) => payment.intentId === intentId),
      ),
    );
    const lost = all_.flatMap(({ order }) =>
      order.disputes.filter(
        ({ outcome, openedAt, intentId }) =>
          outcome === "lost" && on(openedAt) && due(order).some((payment) => payment.intentId === intentId),
      ),
    );
    expect({ date, ...figures }).toMatchObject({
      date,
      created: all_.filter(({ order }) => on(order.createdAt)).length,
      paid: paid.length,
      payments: paymentsOf(all_.map(({ order }) => order)).filter(on).length,
      revenuePence: paid
        .flatMap(({ order }) => due(order))
        .reduce((sum, { amountPence }) => sum + amountPence, 0),
      submitted: submitted.length,
      medianSecondsToSubmission: median(
        submitted.flatMap(({ order, at }) =>
          order.paidAt === null ? [] : [Math.max(0, (Date.parse(at) - Date.parse(order.paidAt)) / 1000)],
        ),
      ),
      refunds: refunds.length,
      refundedPence: refunds.reduce((sum, { amountPence }) => sum + amountPence, 0),
      lostPence: lost.reduce((sum, { amountPence }) => sum + amountPence, 0),
    });
    expect(figures.groFeesPence).toBe(paid.reduce((sum, { order }) => sum + 2 * groPencePerCopy(order), 0));
  }
  for (const name of ["created", "paid", "payments", "submitted", "refunds", "lostPence"] as const) {
    expect(all[name]).toBe(days.reduce((sum, day) => sum + day[name], 0));
    expect(all[name]).toBeGreaterThan(0);
  }
  expect(all.payments).toBeLessThan(all.paid);
  expect(all.medianSecondsToPurge).toBeGreaterThanOrEqual(0);
});

it("includes every day of the span, also empty ones", async () => {
  const { days, all } = await queries.figures("2025-02-27", "2025-03-02");
  expect(days.map(({ date }) => date)).toEqual(["2025-02-27", "2025-02-28", "2025-03-01", "2025-03-02"]);
  expect(days.every(({ paid, medianSecondsToPurge }) => paid === 0 && medianSecondsToPurge === null)).toBe(
    true,
  );
  expect(all).toMatchObject({ revenuePence: 0, refundedPence: 0 });
});

it("refuses more days than a chart can show", async () => {
  await expect(queries.figures("2024-01-01", "2026-01-01")).rejects.toThrow(RangeError);
});

it("starts a day at midnight in London, an hour before UTC in summer", () => {
  expect(startOfDay("2026-07-01")).toBe("2026-06-30T23:00:00.000Z");
  expect(startOfDay("2026-12-01")).toBe("2026-12-01T00:00:00.000Z");
  expect(startOfDay("2026-10-25")).toBe("2026-10-24T23:00:00.000Z");
  expect(startOfDay("2026-10-26")).toBe("2026-10-26T00:00:00.000Z");
});

it("gives the public facts an order count and a median, null if there is none", async () => {
  const submitted = lives().filter(({ history }) =>
    history.some(({ event }) => event.type === "SubmittedToGRO"),
  );
  const facts = await queries.publicFacts("2026-11-02T00:00:00.000Z");
  expect(facts.submittedOrders).toBe(submitted.length);
  expect(facts.medianMinutesToSubmission).toBeGreaterThanOrEqual(0);
  expect(await queries.publicFacts("2029-01-01T00:00:00.000Z")).toEqual({
    submittedOrders: submitted.length,
    medianMinutesToSubmission: null,
  });
});
