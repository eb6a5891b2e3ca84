import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { z } from "zod";
import * as field from "../domain/fields.ts";
import { ticketNumberOf } from "../domain/numbers.ts";
import { orderEventSchemas } from "../domain/order/events.ts";
import { type TicketEvent, ticketEventSchemas, ticketStream } from "../domain/ticket/events.ts";
import { listParked } from "../infra/following/parked-streams.ts";
import { createSubscription } from "../infra/following/subscription/subscription.ts";
import { createPool, type Pool } from "../infra/postgres/pool.ts";
import { complained, linked, looked, opened, ticketId, ticketIn } from "../testing/domain/ticket-fixture.ts";
import { createMemoryEventStore } from "../testing/event-store/memory-event-store.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import {
  type Happening,
  happenIn,
  randomOf,
  randomOrders,
} from "../testing/projections/random-orders-fixture.ts";
import { soon } from "../testing/setup/patience.ts";
import { catalogue } from "./catalogue.ts";

// Every read model's table must accept whatever the event schemas accept: otherwise it would lose the order.

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let running: { stop(): Promise<void> }[];
beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await pool.end();
  await database.drop();
});

const nines = "9".repeat(200);
/** For each kind of leaf, values that are hard to store; a schema may refuse them. */
const hard = new Map<unknown, readonly unknown[]>([
  [
    field.instant,
    [
      "0000-01-01T00:00:00Z",
      "1999-12-31T23:59:59.999Z",
      "2000-01-01T00:00:00Z",
      "2024-02-29T24:00:00Z",
      "2026-11-21T09:30Z",
      "2026-11-21T09:30:60Z",
      `2026-11-21T09:30:00.${nines}Z`,
      "2026-11-21T09:30:00+23:59",
      "9999-12-31T23:59:59.999Z",
      "+010000-01-01T00:00:00Z",
    ],
  ],
  [
    field.date,
    ["0000-01-01", "0001-01-01", "1999-12-31", "2000-01-01", "2026-02-30", "9999-12-31", "infinity"],
  ],
  [field.count, [-1, 0, 1.5, 1_000_000_000, 2 ** 31, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]],
  [field.pence, [-1, 0, 1.5, 1_000_000, 100_000_00, 2 ** 31, 1e130]],
  [field.staffId, ["", "_", "a".repeat(120), "a".repeat(121), "a\u0000", "ŷ"]],
]);

type Data = Happening["event"]["data"];

/** The same event with some leaves replaced by hard ones. */
function hardened(schema: unknown, value: unknown, random: () => number): unknown {
  const candidates = hard.get(schema);
  if (candidates && schema instanceof z.ZodType) {
    const accepted = candidates.filter((candidate) => schema.safeParse(candidate).success);
    return random() < 0.5 ? accepted[Math.floor(random() * accepted.length)] : value;
  }
  if (value === null) return null;
  if (schema instanceof z.ZodNullable) return hardened(schema.unwrap(), value, random);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((one) => hardened(schema.element, one, random));
  if (!(schema instanceof z.ZodObject) || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, part]) => [key, hardened(schema.shape[key], part, random)]),
  );
}

const json = z.record(z.string(), z.json());
const schemas = new Map<string, z.ZodType>(
  [...Object.entries(orderEventSchemas), ...Object.entries(ticketEventSchemas)].map(([type, { data }]) => [
    type,
    data,
  ]),
);

function hardenedHappening({ stream, event }: Happening, random: () => number): Happening {
  const schema = schemas.get(event.type);
  const data: Data = json.parse(hardened(schema, event.data, random));
  return { stream, event: { ...event, data } };
}

/** A ticket in each phase, with an acknowledgement deadline. */
function tickets(): Happening[] {
  const histories = Object.values(ticketIn).map((history) => [
    complained,
    looked(),
    linked,
    ...history.slice(1).map(([event]) => event),
  ]);
  return histories.flatMap((history, nth) => {
    const [id, number] = [randomUUID(), ticketNumberOf(BigInt(nth))];
    return history.map((event) => ticketHappening(id, number, event));
  });
}

function ticketHappening(id: string, number: string, { type, data }: TicketEvent): Happening {
  const eventId = randomUUID();
  const metadata = {
    commandId: eventId,
    fingerprint: null,
    actor: { kind: "system", id: "fixture" },
    correlationId: "fixture",
    causationId: null,
    schemaVersion: ticketEventSchemas[type].version,
    at: "2026-11-23T09:30:00.000Z",
    previousHash: null,
    hash: "",
  };
  const text = JSON.stringify(data).replaceAll(ticketId, id).replaceAll(opened.data.ticketNumber, number);
  const own = json.parse(JSON.parse(text));
  return { stream: ticketStream(id), event: { id: eventId, type, data: own, metadata } };
}

const seeds = [1, 2, 3, 4];

it.each(seeds)("Every read model stores what the schemas of events accept (seed %i)", async (seed) => {
  const random = randomOf(seed);
  const store = createMemoryEventStore();
  const happenings = [...randomOrders(seed, 150, 20), ...tickets()];
  await happenIn(
    store,
    happenings.map((one) => hardenedHappening(one, random)),
  );
  const head = await store.head();
  for (const projection of catalogue) {
    const subscription = createSubscription({ name: "read-models", pool, store, newId: randomUUID });
    const one = projection.run({ pool, store, subscription });
    running.push(one);
    await one.prepare();
    one.start();
    await vi.waitFor(async () => expect(await one.waitFor(head, 1_000)).toBe(true), soon);
  }
  expect(await listParked(pool, catalogue, 10)).toEqual([]);
});
