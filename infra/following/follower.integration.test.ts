import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import {
  createWorkTable,
  happen,
  type TestWork,
  workDone,
  writing,
} from "../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { patienceMs } from "../../testing/setup/patience.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { createFollower, type Follower, type FollowerOptions } from "./follower.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const started: Follower[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((follower) => follower.stop()));
});

let log: ReturnType<typeof createMemoryLog>;
let store: ReturnType<typeof createMemoryEventStore>;
let table: string;
let name: string;
beforeEach(async () => {
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  table = await createWorkTable(pool);
  name = `follower-${randomUUID()}`;
});

function follower(worker: string, more: Partial<FollowerOptions> = {}): Follower {
  const made = createFollower({
    name,
    version: 1,
    store,
    pool,
    newId: randomUUID,
    leaseMs: 300,
    process: writing(table, worker),
    ...more,
  });
  started.push(made);
  return made;
}

const byA = (...events: string[]) => events.map((event) => `${event} by A`);

it("processes the log in order and continues as it grows", async () => {
  await happen(store, "one", "two");
  const a = follower("A", { batchSize: 1 });
  a.start();
  expect(await a.caughtUpTo(await happen(store, "three"), patienceMs)).toBe(true);
  expect(await a.caughtUpTo(await happen(store, "four"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(byA("one", "two", "three", "four"));
  expect(await a.status()).toMatchObject({ state: "following", position: await store.head(), reason: null });
});

it("resumes after a restart, and releases the lease at once", async () => {
  const first = follower("A", { leaseMs: 60_000 });
  first.start();
  await first.caughtUpTo(await happen(store, "one"), patienceMs);
  await first.stop();
  const next = follower("A", { leaseMs: 60_000 });
  next.start();
  expect(await next.caughtUpTo(await happen(store, "two"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(byA("one", "two"));
});

it("starts a new version from the beginning, alongside the old one", async () => {
  const old = follower("A");
  const next = follower("B", { version: 2 });
  const position = await happen(store, "one");
  old.start();
  await old.caughtUpTo(position, patienceMs);
  next.start();
  await next.caughtUpTo(position, patienceMs);
  expect(await workDone(pool, table)).toEqual(["one by A", "one by B"]);
  await Promise.all([old, next].map(async (it) => it.caughtUpTo(await happen(store, "two"), patienceMs)));
  expect((await old.status()).state).toBe("following");
  expect((await next.status()).state).toBe("following");
});

it("rolls back an event's work with its checkpoint when the transaction fails", async () => {
  let deadlocks = 2;
  const a = follower("A", {
    process: async (client, events) => {
      await writing(table, "A")(client, events);
      if (deadlocks-- > 0) throw Object.assign(new Error("deadlock detected"), { code: "40P01" });
    },
  });
  a.start();
  expect(await a.caughtUpTo(await happen(store, "one"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(byA("one"));
});

const endAllConnections = () =>
  pool
    .query("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()")
    .catch(() => undefined); // It ends its own too.

it("survives losing its connections while waiting", async () => {
  const a = follower("A");
  a.start();
  await a.caughtUpTo(await happen(store, "one"), patienceMs);
  await endAllConnections();
  expect(await a.caughtUpTo(await happen(store, "two"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(byA("one", "two"));
});

it("survives losing its connection mid-work, and does the work once", async () => {
  let losses = 0;
  const a = follower("A", {
    process: async (client, events) => {
      await writing(table, "A")(client, events);
      if (losses++ === 0) await endAllConnections();
    },
  });
  a.start();
  expect(await a.caughtUpTo(await happen(store, "one"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(byA("one"));
});

describe("a failing event", () => {
  const failingAt = (type: string, worker = "A"): TestWork => {
    const write = writing(table, worker);
    return async (client, events) => {
      await write(client, events);
      if (events.some((event) => event.type === type)) throw new TypeError("This event is not understood.");
    };
  };

  it("stops the follower: earlier events are processed, its status is stopped, and nothing is skipped", async () => {
    await happen(store, "one", "two");
    const bad = await happen(store, "bad");
    await happen(store, "four");
    const a = follower("A", { process: failingAt("bad") });
    a.start();
    await expect.poll(async () => (await a.status()).state).toBe("stopped");
    expect(await workDone(pool, table)).toEqual(byA("one", "two"));
    expect(await a.status()).toMatchObject({ reason: "event-failed", stoppedAt: bad });
    expect((await a.status()).position < bad).toBe(true);
  });

  it("is retried by fixed code, which runs again and loses nothing", async () => {
    await happen(store, "one", "bad", "three");
    const a = follower("A", { process: failingAt("bad") });
    a.start();
    await expect.poll(async () => (await a.status()).state).toBe("stopped");
    await a.stop();
    const mended = follower("A");
    mended.start();
    expect(await mended.caughtUpTo(await store.head(), patienceMs)).toBe(true);
    expect(await workDone(pool, table)).toEqual(byA("one", "bad", "three"));
    expect(await mended.status()).toMatchObject({ state: "following", reason: null, stoppedAt: null });
  });
});

describe("a log other than the checkpoint's", () => {
  async function leaveACheckpoint(): Promise<void> {
    const a = follower("A");
    a.start();
    await a.caughtUpTo(await happen(store, "one", "two", "three"), patienceMs);
    await a.stop();
  }

  async function startOn(restored: typeof log): Promise<Follower> {
    const b = follower("B", { store: createMemoryEventStore({ log: restored }) });
    b.start();
    return b;
  }

  it("stops the follower when it was restored to before the checkpoint", async () => {
    await leaveACheckpoint();
    const b = await startOn({ ...createMemoryLog(), id: log.id, events: log.events.slice(0, 2) });
    await expect.poll(async () => (await b.status()).reason).toBe("checkpoint-missing");
    expect(await workDone(pool, table)).toEqual(byA("one", "two", "three"));
  });

  it("stops the follower when it was restored and has grown past the checkpoint since", async () => {
    await leaveACheckpoint();
    const restored = { ...createMemoryLog(), id: log.id, events: log.events.slice(0, 2) };
    await happen(createMemoryEventStore({ log: restored }), "other three", "other four");
    const b = await startOn(restored);
    await expect.poll(async () => (await b.status()).reason).toBe("checkpoint-missing");
    expect(await workDone(pool, table)).toEqual(byA("one", "two", "three"));
  });

  it("stops the follower when it is a different log", async () => {
    await leaveACheckpoint();
    const b = await startOn({ ...createMemoryLog(), events: [...log.events] });
    await expect.poll(async () => (await b.status()).reason).toBe("other-log");
  });

  it("lets it continue when the whole log was restored", async () => {
    await leaveACheckpoint();
    const restored = { ...createMemoryLog(), id: log.id, events: [...log.events] };
    const b = await startOn(restored);
    const position = await happen(createMemoryEventStore({ log: restored }), "four");
    expect(await b.caughtUpTo(position, patienceMs)).toBe(true);
    expect((await workDone(pool, table)).at(-1)).toBe("four by B");
  });
});
