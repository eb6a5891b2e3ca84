import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { boundStore } from "../../testing/event-store/store-fixture.ts";
import {
  createWorkTable,
  happenIn,
  type TestWork,
  workDone,
  writing,
} from "../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { patienceMs, soon } from "../../testing/setup/patience.ts";
import type { EventStore, StoredEvent } from "../event-store/event-store.ts";
import { StreamUnreadable, type UnreadableReason } from "../event-store/stream-unreadable.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { createFollower, type Follower, type FollowerOptions } from "./follower.ts";
import { askForRetry, listParked, type ParkedStream } from "./parked-streams.ts";

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
let name: string;
beforeEach(async () => {
  store = createMemoryEventStore();
  table = await createWorkTable(pool);
  name = `follower-${randomUUID()}`;
});

function start(worker: string, more: Partial<FollowerOptions> = {}): Follower {
  const process = writing(table, worker);
  const options = { name, version: 1, store, pool, newId: randomUUID, leaseMs: 300, mostParked: 10 };
  const follower = createFollower({ ...options, process, ...more });
  started.push(follower);
  follower.start();
  return follower;
}

/** Work that fails for some events as long as `isBad` holds. */
function failing(
  worker: string,
  isBad: (event: StoredEvent) => boolean,
  reason: UnreadableReason = "changed",
): TestWork {
  return async (client, events) => {
    await writing(table, worker)(client, events);
    const bad = events.find(isBad);
    if (bad) throw new StreamUnreadable(bad.stream, reason, "It cannot be read.");
  };
}
const isOfType = (type: string) => (event: StoredEvent) => event.type === type;

const parked = (): Promise<ParkedStream[]> => listParked(pool, [{ name, version: 1 }], 100);
const ask = (stream?: string): Promise<number> => askForRetry(pool, [{ name, version: 1 }], stream);
const done = () => workDone(pool, table);

it("parks the stream of an unreadable event, and continues with all others", async () => {
  await happenIn(store, "good", "one");
  await happenIn(store, "bad", "two", "poison", "four");
  const position = await happenIn(store, "good", "five");
  const a = start("A", { process: failing("A", isOfType("poison")) });
  expect(await a.caughtUpTo(position, patienceMs)).toBe(true);
  expect(await done()).toEqual(["one by A", "two by A", "five by A"]);
  expect(await a.status()).toMatchObject({ state: "following", reason: null });
  const [poison] = (await store.readStream("bad")).filter(isOfType("poison"));
  expect(await parked()).toEqual([
    expect.objectContaining({
      stream: "bad",
      position: poison?.position,
      eventId: poison?.id,
      revision: 1,
      reason: "changed",
      since: expect.any(Date),
      tries: 0,
    }),
  ]);
  // Later events of the stream wait with it, also after a restart.
  await happenIn(store, "bad", "six");
  await a.stop();
  const b = start("B", { process: failing("B", isOfType("poison")) });
  expect(await b.caughtUpTo(await happenIn(store, "good", "seven"), patienceMs)).toBe(true);
  expect(await done()).toEqual(["one by A", "two by A", "five by A", "seven by B"]);
});

it("finds each of several in one batch", async () => {
  const types = Array.from({ length: 100 }, (_, nth) => (nth % 17 === 3 ? "poison" : `event-${nth}`));
  for (const [nth, type] of types.entries()) await happenIn(store, `stream-${nth}`, type);
  const a = start("A", { process: failing("A", isOfType("poison")) });
  expect(await a.caughtUpTo(await store.head(), patienceMs)).toBe(true);
  expect(await done()).toEqual(types.filter((type) => type !== "poison").map((type) => `${type} by A`));
  expect(await parked()).toHaveLength(types.filter((type) => type === "poison").length);
});

it("parks the stream when the database refuses its row", async () => {
  await happenIn(store, "bad", "9999999999");
  await happenIn(store, "good", "1");
  const a = start("A", {
    process: async (client, events) => {
      for (const { type } of events)
        await client.query(`insert into ${table} (nth, event, worker) values ($1, 'row', 'A')`, [type]);
    },
  });
  expect(await a.caughtUpTo(await store.head(), patienceMs)).toBe(true);
  expect(await done()).toEqual(["row by A"]);
  expect(await parked()).toMatchObject([{ stream: "bad", reason: "row-refused" }]);
});

describe("on a requested retry", () => {
  it("reprocesses the whole stream, and continues it", async () => {
    let isMended = false;
    const process = failing("A", (event) => !isMended && event.type === "poison");
    const redone: string[][] = [];
    const redo: TestWork = async (client, events) => {
      await process(client, events);
      redone.push(events.map(({ type }) => type));
    };
    const a = start("A", { process, redo });
    await happenIn(store, "bad", "one", "poison", "three");
    await a.caughtUpTo(await happenIn(store, "good", "four"), patienceMs);
    isMended = true;
    expect(await ask("bad")).toBe(1);
    await expect.poll(parked, soon).toEqual([]);
    expect(redone).toEqual([["one", "poison", "three"]]);
    expect(await a.caughtUpTo(await happenIn(store, "bad", "five"), patienceMs)).toBe(true);
    expect((await done()).at(-1)).toBe("five by A");
  });

  it("leaves it parked while nothing has changed, and records the retry", async () => {
    const a = start("A", { process: failing("A", isOfType("poison")) });
    await a.caughtUpTo(await happenIn(store, "bad", "poison"), patienceMs);
    await ask();
    await expect.poll(parked, soon).toMatchObject([{ tries: 1, isAsked: false, reason: "changed" }]);
    expect(await done()).toEqual([]);
    expect((await parked())[0]?.triedAt).toEqual(expect.any(Date));
  });

  it("loses no event appended meanwhile, and processes none out of order", async () => {
    let isMended = false;
    const process: TestWork = async (client, events) => {
      for (const { stream, revision } of events.filter((event) => event.stream === "bad")) {
        if (revision === 0 && !isMended) throw new StreamUnreadable(stream, "changed", "It cannot be read.");
        await client.query(`insert into ${table} (event, worker) values ($1, 'A')`, [revision]);
      }
    };
    const redo: TestWork = async (client, events) => {
      await client.query(`delete from ${table}`);
      await process(client, events);
    };
    const a = start("A", { process, redo, batchSize: 3 });
    await a.caughtUpTo(await happenIn(store, "bad", "first"), patienceMs);
    isMended = true;
    const events = 300;
    for (let nth = 1; nth < events; nth += 1) {
      if (nth === 50) await ask();
      await happenIn(store, "bad", `event-${nth}`);
      // Lets the follower run between two appends, as with a real store.
      if (nth % 5 === 0) await new Promise(setImmediate);
    }
    await expect.poll(parked, soon).toEqual([]);
    expect(await a.caughtUpTo(await store.head(), patienceMs)).toBe(true);
    expect(await done()).toEqual(Array.from({ length: events }, (_, revision) => `${revision} by A`));
  });

  it("keeps a stream parked that is no longer in the log", async () => {
    let isMended = false;
    const process = failing("A", (event) => !isMended && event.type === "poison");
    const gone: EventStore = { ...boundStore(store), readStream: async () => [] };
    const a = start("A", { process, store: gone });
    await a.caughtUpTo(await happenIn(store, "bad", "poison"), patienceMs);
    isMended = true;
    await ask();
    await expect.poll(parked, soon).toMatchObject([{ tries: 1, reason: "chain-broken" }]);
  });

  it("retries again when asked during a retry", async () => {
    const a = start("A", {
      process: failing("A", isOfType("poison")),
      redo: async (_client, events) => {
        await ask("bad");
        throw new StreamUnreadable(events[0]?.stream ?? "", "changed", "It cannot be read.");
      },
    });
    await a.caughtUpTo(await happenIn(store, "bad", "poison"), patienceMs);
    await ask();
    await expect.poll(async () => (await parked())[0]?.tries ?? 0, soon).toBeGreaterThan(2);
  });
});

describe("old and new code side by side", () => {
  it("lets the next lease holder retry parked streams", async () => {
    const a = start("A", { process: failing("A", isOfType("new")) });
    await a.caughtUpTo(await happenIn(store, "thing", "old", "new", "old"), patienceMs);
    await a.stop();
    expect(await parked()).toHaveLength(1);
    start("B");
    await expect.poll(parked, soon).toEqual([]);
    expect((await done()).slice(1)).toEqual(["old by B", "new by B", "old by B"]);
  });

  it("steps aside for newer code after meeting an unknown event", async () => {
    const old = start("old", { process: failing("old", isOfType("new"), "unknown-type") });
    expect(await old.caughtUpTo(await happenIn(store, "thing", "known"), patienceMs)).toBe(true);
    const newer = start("newer");
    expect(await newer.caughtUpTo(await happenIn(store, "thing", "new"), patienceMs)).toBe(true);
    await expect.poll(parked, soon).toEqual([]);
    expect(await done()).toContain("new by newer");
    expect(await done()).not.toContain("new by old");
  });
});

describe("It stops completely", () => {
  it("at an error unrelated to the event", async () => {
    await happenIn(store, "thing", "one");
    const a = start("A", {
      process: async (client) => void (await client.query("select * from a_table_that_was_dropped")),
    });
    await expect.poll(() => a.status(), soon).toMatchObject({ state: "stopped", reason: "event-failed" });
    expect(await parked()).toEqual([]);
  });

  it("when so many streams are parked that the cause must be elsewhere", async () => {
    for (let nth = 0; nth < 5; nth += 1) await happenIn(store, `stream-${nth}`, "poison");
    const a = start("A", { process: failing("A", isOfType("poison")), mostParked: 3 });
    await expect.poll(() => a.status(), soon).toMatchObject({ state: "stopped", reason: "too-many-parked" });
    expect(await parked()).toHaveLength(3);
    await a.stop();
    const mended = start("B");
    expect(await mended.caughtUpTo(await store.head(), patienceMs)).toBe(true);
    await expect.poll(parked, soon).toEqual([]);
  });
});
