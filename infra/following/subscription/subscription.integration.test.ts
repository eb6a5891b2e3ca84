import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { boundStore } from "../../../testing/event-store/store-fixture.ts";
import {
  createWorkTable,
  happen,
  happenIn,
  type TestWork,
  workDone,
  writing,
} from "../../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { patienceMs, soon } from "../../../testing/setup/patience.ts";
import type { EventStore, Position, StoredEvent } from "../../event-store/event-store.ts";
import { StreamUnreadable } from "../../event-store/stream-unreadable.ts";
import { createPool, type Pool } from "../../postgres/pool.ts";
import { createFollower, type Follower } from "../follower.ts";
import { acquire, LeaseLost } from "../lease.ts";
import { askForRetry, listParked } from "../parked-streams.ts";
import { seize } from "./membership.ts";
import type { Subscribing, SubscriptionOptions } from "./subscribing.ts";
import { createSubscription } from "./subscription.ts";

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

let store: EventStore;
let table: string;
let role: string;
beforeEach(async () => {
  store = createMemoryEventStore();
  table = await createWorkTable(pool);
  role = `role-${randomUUID()}`;
});

/** Names are unique in each test. */
const keyOf = (name: string) => ({ name: `${name} of ${role}`, version: 1 });

/** A process with some subscribers, each of which writes what it processes. */
function start(
  subscribers: Readonly<Record<string, Partial<Subscribing>>>,
  more: Partial<SubscriptionOptions> = {},
): Record<string, Follower> {
  const subscription = createSubscription({
    name: role,
    store,
    pool,
    newId: randomUUID,
    leaseMs: 300,
    ...more,
  });
  const followers = Object.entries(subscribers).map(([name, changes]): [string, Follower] => [
    name,
    subscription.add({ ...keyOf(name), mostParked: 10, process: writing(table, name), ...changes }),
  ]);
  for (const [, follower] of followers) {
    started.push(follower);
    follower.start();
  }
  return Object.fromEntries(followers);
}

async function seeAt(position: Position, followers: Record<string, Follower>): Promise<void> {
  for (const [name, follower] of Object.entries(followers))
    expect(await follower.caughtUpTo(position, patienceMs), name).toBe(true);
}

/** Who has processed what, in order for each. */
async function done(name: string): Promise<string[]> {
  const all = await workDone(pool, table);
  return all.filter((line) => line.endsWith(` by ${name}`)).map((line) => line.replace(` by ${name}`, ""));
}

/** The subscription of each follower, null for one with a checkpoint of its own. */
async function memberships(...names: readonly string[]): Promise<(string | null)[]> {
  const rows = await Promise.all(
    names.map((name) =>
      pool.query<{ subscription: string | null }>("select subscription from followers where name = $1", [
        keyOf(name).name,
      ]),
    ),
  );
  return rows.map((found) => found.rows[0]?.subscription ?? null);
}

const seeJoined = (...names: readonly string[]) =>
  expect.poll(() => memberships(...names), soon).toEqual(names.map(() => role));

const stopAll = (followers: Record<string, Follower>) =>
  Promise.all(Object.values(followers).map((follower) => follower.stop()));

/** Fails at a type of event while it holds. */
const failingAt =
  (name: string, type: string, error: (event: StoredEvent) => Error, isBroken = () => true): TestWork =>
  async (client, events) => {
    await writing(table, name)(client, events);
    const bad = events.find((event) => event.type === type);
    if (bad && isBroken()) throw error(bad);
  };
const unreadable = ({ stream }: StoredEvent) => new StreamUnreadable(stream, "changed", "It cannot be read.");
const transient = () => Object.assign(new Error("no room"), { code: "ENOSPC" });

describe("The subscribers of a process", () => {
  it("read the log once, and move one checkpoint in one transaction for all", async () => {
    let follows = 0;
    const counted: EventStore = {
      ...boundStore(store),
      follow: (options) => {
        follows += 1;
        return store.follow(options);
      },
    };
    const transactions: string[] = [];
    const noting =
      (name: string): TestWork =>
      async (client, events) => {
        await writing(table, name)(client, events);
        const { rows } = await client.query<{ id: string }>("select pg_current_xact_id()::text as id");
        transactions.push(rows[0]?.id ?? "");
      };
    const followers = start({ a: { process: noting("a") }, b: { process: noting("b") } }, { store: counted });
    await seeAt(await happen(store, "one"), followers);
    await seeAt(await happen(store, "two"), followers);
    expect([await done("a"), await done("b")]).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
    expect(follows).toBe(1);
    expect(new Set(transactions).size).toBe(transactions.length / 2);
    const { rows } = await pool.query("select name from followers where position = $1", [await store.head()]);
    expect(rows).toEqual([{ name: role }]);
    expect(await followers.a?.status()).toMatchObject({ state: "following", position: await store.head() });
  });

  it("resume after a restart at once, with those that another build has", async () => {
    const first = start({ a: {}, b: {} }, { leaseMs: 60_000 });
    await seeAt(await happen(store, "one"), first);
    await stopAll(first);
    const next = start({ a: {}, c: {} }, { leaseMs: 60_000 });
    await seeAt(await happen(store, "two"), next);
    await stopAll(next);
    const last = start({ a: {}, b: {}, c: {} }, { leaseMs: 60_000 });
    await seeAt(await happen(store, "three"), last);
    for (const name of ["a", "b", "c"]) expect(await done(name)).toEqual(["one", "two", "three"]);
    await seeJoined("a", "b", "c");
  });

  it("begin at the checkpoints of an earlier release, and join as they come level", async () => {
    const position = await happen(store, "one", "two", "three");
    for (const name of ["a", "b"]) {
      const alone = createFollower({
        ...{ ...keyOf(name), store, pool, newId: randomUUID },
        process: writing(table, name),
      });
      alone.start();
      await alone.caughtUpTo(position, patienceMs);
      await alone.stop();
    }
    await happen(store, "four", "five");
    const followers = start({ a: {}, b: {}, c: {} }, { batchSize: 2 });
    await seeAt(await store.head(), followers);
    await seeJoined("a", "b", "c");
    await seeAt(await happen(store, "six"), followers);
    for (const name of ["a", "b", "c"])
      expect(await done(name)).toEqual(["one", "two", "three", "four", "five", "six"]);
  });

  it("let one of them go, which another process then follows", async () => {
    const followers = start({ a: {}, b: {} });
    await seeAt(await happen(store, "one"), followers);
    await followers.b?.stop();
    expect(await memberships("a", "b")).toEqual([role, null]);
    const elsewhere = start({ b: {} }, { name: `${role} elsewhere` });
    await seeAt(await happen(store, "two"), { ...followers, ...elsewhere });
    expect([await done("a"), await done("b")]).toEqual([
      ["one", "two"],
      ["one", "two"],
    ]);
  });
});

describe("A subscriber that fails", () => {
  it("parks the stream for itself alone, and joins again", async () => {
    const a = failingAt("a", "poison", unreadable);
    const followers = start({ a: { process: a }, b: {} });
    await happenIn(store, "bad", "one", "poison", "three");
    await seeAt(await happenIn(store, "good", "four"), followers);
    expect(await done("b")).toEqual(["one", "poison", "three", "four"]);
    await seeJoined("a", "b");
    await seeAt(await happenIn(store, "bad", "five"), followers);
    expect(await done("a")).toEqual(["one", "four"]);
    expect((await listParked(pool, [keyOf("a"), keyOf("b")], 10)).map(({ name }) => name)).toEqual([
      keyOf("a").name,
    ]);
  });

  it("resumes a parked stream as a member", async () => {
    let isBroken = true;
    const a = failingAt("a", "poison", unreadable, () => isBroken);
    const followers = start({ a: { process: a }, b: {} });
    await seeAt(await happenIn(store, "bad", "poison"), followers);
    await seeJoined("a", "b");
    isBroken = false;
    expect(await askForRetry(pool, [keyOf("a")])).toBe(1);
    await expect.poll(() => listParked(pool, [keyOf("a")], 10), soon).toEqual([]);
    await seeAt(await happenIn(store, "bad", "next"), followers);
    expect(await done("a")).toEqual(["poison", "next"]);
  });

  it("stops for any other reason and says so, while the others go on", async () => {
    const a = failingAt("a", "bad", () => new TypeError("It is not understood."));
    const followers = start({ a: { process: a }, b: {} });
    await happen(store, "one");
    const bad = await happen(store, "bad");
    const { b } = followers;
    await expect
      .poll(() => followers.a?.status(), soon)
      .toMatchObject({ state: "stopped", reason: "event-failed", stoppedAt: bad });
    expect(await b?.caughtUpTo(await happen(store, "three"), patienceMs)).toBe(true);
    expect(await done("b")).toEqual(["one", "bad", "three"]);
    expect(await b?.status()).toMatchObject({ state: "following", reason: null });
    await stopAll(followers);
    const mended = start({ a: {}, b: {} });
    await seeAt(await store.head(), mended);
    expect(await done("a")).toEqual(["one", "bad", "three"]);
    await seeJoined("a", "b");
  });

  it("goes on by itself while its error may pass, and joins again once it has", async () => {
    let isBroken = true;
    const a = failingAt("a", "slow", transient, () => isBroken);
    const followers = start({ a: { process: a }, b: {} });
    const { b } = followers;
    await happen(store, "one", "slow");
    expect(await b?.caughtUpTo(await happen(store, "three"), patienceMs)).toBe(true);
    await expect.poll(() => followers.a?.status(), soon).toMatchObject({ fault: "ENOSPC" });
    expect(await memberships("a", "b")).toEqual([null, role]);
    isBroken = false;
    await seeAt(await store.head(), followers);
    await seeJoined("a", "b");
    await seeAt(await happen(store, "four"), followers);
    expect(await done("a")).toEqual(["one", "slow", "three", "four"]);
    expect(await done("b")).toEqual(["one", "slow", "three", "four"]);
    expect(await followers.a?.status()).toMatchObject({ state: "following", fault: null });
  });

  it("says that it follows all the while it joins again", async () => {
    let isBroken = true;
    let hasDone = false;
    const failing = failingAt("a", "slow", transient, () => isBroken);
    const process: TestWork = async (client, events) => {
      await failing(client, events);
      hasDone ||= events.some(({ type }) => type === "slow");
    };
    const followers = start({ a: { process }, b: {} });
    await happen(store, "one", "slow");
    await expect.poll(() => followers.a?.status(), soon).toMatchObject({ fault: "ENOSPC" });
    let hasRested = false;
    const watched = setInterval(() => {
      hasRested ||= hasDone && followers.a?.isFollowing !== true;
    }, 0);
    isBroken = false;
    await seeJoined("a", "b");
    await seeAt(await happen(store, "two"), followers);
    clearInterval(watched);
    expect(hasRested).toBe(false);
  });

  it("alone in its subscription does not hold it up for later ones", async () => {
    const followers = start({ a: { process: failingAt("a", "bad", () => new TypeError("It fails.")) } });
    await happen(store, "bad");
    await expect.poll(() => followers.a?.status(), soon).toMatchObject({ state: "stopped" });
    await seeAt(await store.head(), start({ b: {} }));
    expect(await done("b")).toEqual(["bad"]);
  });

  it("with all the others, at an event that none can read, parks it for each", async () => {
    const broken = (name: string) => ({ process: failingAt(name, "poison", unreadable) });
    const followers = start({ a: broken("a"), b: broken("b") });
    await happenIn(store, "bad", "poison");
    await seeAt(await happenIn(store, "good", "two"), followers);
    await seeJoined("a", "b");
    await seeAt(await happenIn(store, "good", "three"), followers);
    for (const name of ["a", "b"]) expect(await done(name)).toEqual(["two", "three"]);
  });
});

describe("Between processes", () => {
  it("moves with all members when the holder dies silently", async () => {
    const poolOfA = createPool(database.connectionString);
    const dying = start({ a: {}, b: {} }, { pool: poolOfA });
    await seeAt(await happen(store, "one"), dying);
    const next = start({ a: {}, b: {} });
    expect((await next.a?.status())?.state).toBe("standby");
    await poolOfA.end();
    await seeAt(await happen(store, "two"), next);
    for (const name of ["a", "b"]) expect(await done(name)).toEqual(["one", "two"]);
    expect((await next.a?.status())?.state).toBe("following");
  });

  it("moves to one with other subscribers too, each member to where it is known", async () => {
    const poolOfA = createPool(database.connectionString);
    await seeAt(await happen(store, "one"), start({ a: {}, b: {} }, { pool: poolOfA }));
    const others = start({ b: {}, c: {} }, { name: `${role} elsewhere` });
    await poolOfA.end();
    await seeAt(await happen(store, "two"), others);
    await seeAt(await store.head(), start({ a: {} }));
    for (const name of ["a", "b", "c"]) expect(await done(name)).toEqual(["one", "two"]);
  });

  it("refuses what a paused holder writes after its lease has run out", async () => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const pausing: TestWork = async (client, events) => {
      arrived.resolve();
      await released.promise;
      await writing(table, "paused")(client, events);
    };
    const paused = start({ a: { process: pausing } }, { leaseMs: 60_000 });
    const position = await happen(store, "one");
    await arrived.promise;
    await pool.query(
      "update followers set lease_until = clock_timestamp() - interval '1 s' where name = $1",
      [role],
    );
    await seeAt(position, start({ a: {} }));
    released.resolve();
    await expect.poll(async () => (await paused.a?.status())?.state, soon).toBe("standby");
    expect(await workDone(pool, table)).toEqual(["one by a"]);
  });

  it("waits for a follower of an earlier release, and then keeps its lease from it", async () => {
    const key = keyOf("a");
    const older = createFollower({
      ...{ ...key, store, pool, newId: randomUUID, leaseMs: patienceMs },
      process: writing(table, "a"),
    });
    older.start();
    const first = await happen(store, "one");
    await older.caughtUpTo(first, patienceMs);
    const followers = start({ a: {}, b: {} });
    await seeAt(await happen(store, "two"), followers);
    expect(await memberships("a")).toEqual([null]);
    await older.stop();
    await seeJoined("a", "b");
    expect(await acquire(pool, key, "older", 60_000)).toBeUndefined();
    const byForce = "update followers set fence = fence + 1, lease_until = now() where name = $1";
    await expect(pool.query(byForce, [key.name])).rejects.toThrow("followers_members_hold_no_lease");
    await seeAt(await happen(store, "three"), followers);
    expect(await done("a")).toEqual(["one", "two", "three"]);
  });

  it("gives up a member whose lease is seized, at the shared position, and takes it back", async () => {
    const followers = start({ a: {}, b: {} });
    await seeAt(await happen(store, "one"), followers);
    const lease = await seize(pool, keyOf("a"), "rebuild", 500);
    expect(lease.position).toBe(await store.head());
    await seeAt(await happen(store, "two"), followers);
    await seeJoined("a", "b");
    for (const name of ["a", "b"]) expect(await done(name)).toEqual(["one", "two"]);
  });

  it("seizes no lease of a follower without a row", async () => {
    await expect(seize(pool, keyOf("unknown"), "rebuild", 500)).rejects.toThrow(LeaseLost);
  });
});
