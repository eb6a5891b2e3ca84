import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { contactRecord } from "../../../domain/forms/sealed-records.ts";
import { workQueues } from "../../../domain/order/staff/work-queues.ts";
import { beginning } from "../../../infra/event-store/event-store.ts";
import { verifyStream } from "../../../infra/event-store/hash-chain.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { installationSecrets } from "../../../infra/key-ring/installation-secrets.ts";
import { catalogue } from "../../../projections/catalogue.ts";
import { createProjections } from "../../../projections/runner/projections.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { patienceMs } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { testVault } from "../../../testing/vault/test-vault.ts";
import { createOrders } from "../../orders/orders.ts";
import { openIfThere } from "../../vault/vault.ts";
import { seedBulk } from "./bulk-orders.ts";
import { orderStories } from "./order-stories.ts";
import { refuseWhereOrdersAre, seed } from "./seed.ts";
import type { SeedInfrastructure } from "./seed-system.ts";

let infrastructure: SeedInfrastructure;
let close: () => Promise<void>;
beforeEach(async () => {
  const database = await testDatabase();
  const { connectionString } = database;
  const held = await testVault(connectionString);
  const store = createPostgresEventStore({ pool: held.pool, connectionString });
  const secretsFolder = temporaryFolder("seed");
  infrastructure = {
    ...{ pool: held.pool, store, vault: held.vault, newId: () => randomUUID(), random: Math.random },
    ...{ log: pino({ level: "silent" }), secrets: installationSecrets(secretsFolder, undefined) },
  };
  close = async () => {
    await store.close();
    await held.dispose();
    await database.drop();
  };
});
afterEach(() => close());

/** Folds everything, then returns the queries. */
async function folded() {
  const projections = createProjections({ ...infrastructure, now: () => new Date() });
  await projections.start();
  expect(await projections.waitFor(await infrastructure.store.head(), patienceMs)).toBe(true);
  const standing = await projections.ready();
  await projections.stop();
  expect(standing.map(({ name, state }) => [name, state])).toEqual(
    catalogue.map(({ name }) => [name, "ready"]),
  );
  return projections.queries;
}

async function everyStream() {
  const events = await infrastructure.store.readAll(beginning, 100_000);
  return Map.groupBy(events, ({ stream }) => stream);
}

/** The contact records that orders were made with, as far as they are kept. */
async function contactsOf(streams: Awaited<ReturnType<typeof everyStream>>) {
  const created = [...streams.values()].flatMap(([first]) =>
    first?.type === "OrderCreated" ? [first.data] : [],
  );
  const opened = await Promise.all(
    created.map((data) =>
      openIfThere(infrastructure.vault, String(Reflect.get(Object(data), "contactRef")), contactRecord),
    ),
  );
  return opened.filter((contact) => contact !== undefined);
}

it("creates orders in every story and in the queues, with personal data sealed and none in the log", async () => {
  const made = await seed(infrastructure, {
    orders: orderStories.length + 10,
    tickets: 8,
    drafts: 4,
    seed: 3,
    add: false,
  });
  expect(made).toMatchObject({ tickets: 8, drafts: 4 });
  expect(made.orders).toBeGreaterThan(orderStories.length + 10);
  const queries = await folded();
  const now = new Date().toISOString();
  const counts = await queries.countQueues(now, 100);
  const waiting = workQueues.filter((queue) => (counts.get(queue) ?? 0) > 0);
  expect(
    workQueues.filter((queue) => !waiting.includes(queue) && !/purge|refundPending/.test(queue)),
  ).toEqual([]);
  const looks = (await queries.listLooks({ limit: 100 })).entries;
  expect(new Set(looks.map(({ reason }) => reason)).size).toBeGreaterThan(3);
  expect(new Set(looks.map(({ staffId }) => staffId)).size).toBe(2);
  const streams = await everyStream();
  for (const [stream, events] of streams) expect(() => verifyStream(stream, events)).not.toThrow();
  const log = JSON.stringify([...streams.values()]);
  // The telephone prefix includes its space: five digits alone appear in some hash of every dozenth run.
  for (const trace of ["@post.example", "Llywelyn", "01632 960", "Heol"]) expect(log).not.toContain(trace);
  const checkouts = [...streams].filter(([stream]) => stream.startsWith("checkout-"));
  expect(checkouts.length).toBeGreaterThan(1);
  const drafts = [...streams].filter(([stream]) => stream.startsWith("saved-draft-"));
  const endsOf = drafts.flatMap(([, events]) =>
    events.flatMap(({ type, data }) => (type === "DraftPurged" ? [data] : [])),
  );
  expect(endsOf.map((data) => Reflect.get(Object(data), "rule"))).toEqual(
    expect.arrayContaining(["requested", "expired", "ordered"]),
  );
  expect(drafts.length, "some are still open").toBeGreaterThan(endsOf.length);
  const contacts = await contactsOf(streams);
  expect(contacts.filter(({ recipient }) => recipient)).not.toEqual([]);
  expect(contacts.filter(({ customerReference }) => customerReference)).not.toEqual([]);
  const { rows } = await infrastructure.pool.query("select count(*)::integer as sealed from vault_records");
  expect(rows[0].sealed).toBeGreaterThan(made.orders);
});

it("writes past orders that commands, read models and auditor read like any others", async () => {
  const events = await seedBulk(infrastructure, { orders: 300, seed: 5 });
  const streams = await everyStream();
  expect([...streams.values()].flat()).toHaveLength(events);
  expect(streams.size).toBe(300);
  for (const [stream, stored] of streams) expect(() => verifyStream(stream, stored)).not.toThrow();
  const positions = [...streams.values()].flat().map(({ position }) => position);
  expect(new Set(positions).size).toBe(events);
  const orders = createOrders({ ...infrastructure, now: () => new Date() });
  const [[stream = ""] = []] = streams;
  const { order } = await orders.load(stream.replace("order-", ""));
  expect(order.vault).toMatchObject({ application: null, contact: null });
  const queries = await folded();
  const asked = {
    filter: {},
    sort: "created",
    descending: true,
    limit: 200,
    now: new Date().toISOString(),
  } as const;
  expect((await queries.listOrders(asked)).orders).toHaveLength(200);
  for (const [, count] of await queries.countQueues(asked.now, 100)) expect(count).toBe(0);
});

it("continues an existing log, with later events in order", async () => {
  const before = await seedBulk(infrastructure, { orders: 3, seed: 5 });
  await seed(infrastructure, { orders: 1, tickets: 0, drafts: 0, seed: 3, add: true });
  const after = await infrastructure.store.readAll(beginning, 1_000);
  expect(after.map(({ position }) => Number(position))).toEqual(after.map((_, n) => n + 1));
  expect(after.length).toBeGreaterThan(before);
});

it("refuses a log with orders, unless --add is given", async () => {
  await seedBulk(infrastructure, { orders: 1, seed: 5 });
  await expect(refuseWhereOrdersAre(infrastructure, false)).rejects.toThrow("This log already holds orders");
  await expect(refuseWhereOrdersAre(infrastructure, true)).resolves.toBeUndefined();
});
