import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
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
import { acquire, LeaseLost, register, renew } from "./lease.ts";

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

let store: ReturnType<typeof createMemoryEventStore>;
let table: string;
let name: string;
beforeEach(async () => {
  store = createMemoryEventStore();
  table = await createWorkTable(pool);
  name = `follower-${randomUUID()}`;
});

function startFollower(worker: string, more: Partial<FollowerOptions> = {}): Follower {
  const process = writing(table, worker);
  const made = createFollower({
    name,
    version: 1,
    store,
    pool,
    newId: randomUUID,
    leaseMs: 300,
    process,
    ...more,
  });
  started.push(made);
  made.start();
  return made;
}

/** Work that pauses mid-transaction until released, like a process suspended by its machine. */
function pausable(worker: string) {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const process: TestWork = async (client, events) => {
    arrived.resolve();
    await released.promise;
    await writing(table, worker)(client, events);
  };
  return { process, arrived: arrived.promise, release: () => released.resolve() };
}

const letTheLeaseRunOut = () =>
  pool.query("update followers set lease_until = clock_timestamp() - interval '1 s' where name = $1", [name]);

async function fenceNow(): Promise<number> {
  const { rows } = await pool.query<{ fence: number }>("select fence from followers where name = $1", [name]);
  return rows[0]?.fence ?? 0;
}

it("lets one of two followers work, and the other see its progress", async () => {
  // Longer than a machine stalls: B could rightly take an expired lease.
  const leaseMs = patienceMs;
  const a = startFollower("A", { leaseMs });
  await a.caughtUpTo(await happen(store, "one"), patienceMs);
  const b = startFollower("B", { leaseMs });
  const position = await happen(store, "two", "three");
  expect(await b.caughtUpTo(position, patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(["one by A", "two by A", "three by A"]);
  expect((await b.status()).state).toBe("standby");
});

it("moves to another process when the holder dies silently", async () => {
  const poolOfA = createPool(database.connectionString);
  const a = startFollower("A", { pool: poolOfA });
  await a.caughtUpTo(await happen(store, "one"), patienceMs);
  const b = startFollower("B");
  await poolOfA.end();
  expect(await b.caughtUpTo(await happen(store, "two"), patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(["one by A", "two by B"]);
  expect((await b.status()).state).toBe("following");
});

it("stays with a holder that renews it, however long its work takes", async () => {
  const slow = pausable("A");
  const a = startFollower("A", { process: slow.process });
  const position = await happen(store, "one");
  await slow.arrived;
  const before = await leaseEnd();
  await expect.poll(() => leaseEnd()).toBeGreaterThan(before + 300);
  slow.release();
  expect(await a.caughtUpTo(position, patienceMs)).toBe(true);
  expect(await fenceNow()).toBe(1);
});

async function leaseEnd(): Promise<number> {
  const { rows } = await pool.query<{ ends: Date }>(
    "select lease_until as ends from followers where name = $1",
    [name],
  );
  return rows[0]?.ends.getTime() ?? 0;
}

async function pauseAAndLetBTakeOver() {
  const [slowA, slowB] = [pausable("A"), pausable("B")];
  // Sixty seconds, so that A does not renew meanwhile: a suspended process would not either.
  const a = startFollower("A", { process: slowA.process, leaseMs: 60_000 });
  const position = await happen(store, "one");
  await slowA.arrived;
  await letTheLeaseRunOut();
  const b = startFollower("B", { process: slowB.process });
  await slowB.arrived;
  return { slowA, slowB, a, b, position };
}

it("prevents a holder from writing after its lease expired", async () => {
  const { slowA, slowB, a, b, position } = await pauseAAndLetBTakeOver();
  slowA.release();
  await expect.poll(async () => (await a.status()).state).toBe("standby");
  expect(await workDone(pool, table)).toEqual([]);
  slowB.release();
  expect(await b.caughtUpTo(position, patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(["one by B"]);
});

it("would let it write if the fence had not increased (control)", async () => {
  const { slowA, slowB, a, position } = await pauseAAndLetBTakeOver();
  await pool.query("update followers set fence = fence - 1 where name = $1", [name]);
  slowA.release();
  expect(await a.caughtUpTo(position, patienceMs)).toBe(true);
  expect(await workDone(pool, table)).toEqual(["one by A"]);
  slowB.release();
});

it("is measured by the database's clock alone, and granted to one of many concurrent requests", async () => {
  const key = { name, version: 1 };
  await register(pool, key);
  const askAll = () =>
    Promise.all(Array.from({ length: 20 }, (_, n) => acquire(pool, key, `holder-${n}`, 60_000)));
  expect((await askAll()).filter((lease) => lease !== undefined)).toHaveLength(1);
  await letTheLeaseRunOut();
  const [second, ...others] = (await askAll()).filter((lease) => lease !== undefined);
  expect(others).toEqual([]);
  expect(second?.fence).toBe(2);
  await expect(renew(pool, key, 1, 60_000)).rejects.toThrow(LeaseLost);
  await expect(renew(pool, key, 2, 60_000)).resolves.toBe(false);
});
