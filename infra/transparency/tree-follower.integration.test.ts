import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import {
  addLeavesTo,
  inventedLeaves,
  manyEvents,
  tilesOf,
} from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { seal } from "../event-store/hash-chain.ts";
import { createFollower, type Follower } from "../following/follower.ts";
import type { Work } from "../following/parked-retry.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { createLog } from "../process/log.ts";
import { eventLeaf } from "./event-leaf.ts";
import { type Bytes, isEqual, join } from "./formats/bytes.ts";
import { hashesAt, tileWidth } from "./formats/tiles.ts";
import { createTreeFollower } from "./tree-follower.ts";
import { emptyRoot, leafHash } from "./tree-hashes.ts";
import { rootAt } from "./tree-proofs.ts";
import {
  addLeaves,
  forgetTree,
  lockTree,
  readMarks,
  readReach,
  readTilesFrom,
  receiptIndex,
} from "./tree-records.ts";

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

let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
const started: Follower[] = [];
let broken: string[];
beforeEach(async () => {
  broken = [];
  await inTransaction(pool, forgetTree);
  await pool.query("truncate followers cascade");
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((follower) => follower.stop()));
});

/** Appends events, each to a new stream. */
async function happen(count: number, type = "Opened"): Promise<void> {
  for (let n = 0; n < count; n++) {
    const stream = `thing-${randomUUID()}`;
    const event = { id: randomUUID(), type, data: { n }, metadata: { at: "2026-11-21T09:30:00.000Z" } };
    const events = [seal(event, { stream, revision: 0, previousHash: null })];
    await store.append({ stream, expectedRevision: "none", events });
  }
}

function follow(marksEvery = 4_096): Follower {
  const detailsOf = ({ type }: { type: string }) =>
    type === "Purged" ? [["rule", "x"] as const] : undefined;
  const follower = createTreeFollower({
    store,
    pool,
    newId: randomUUID,
    log: createLog("silent"),
    detailsOf,
    marksEvery,
    onBroken: async ({ message }) => {
      broken.push(message);
    },
  });
  follower.start();
  started.push(follower);
  return follower;
}

const untilStopped = (follower: Follower) =>
  expect.poll(async () => (await follower.status()).state, soon).toBe("stopped");

const untilSize = (size: number) => expect.poll(async () => (await readReach(pool)).size, soon).toBe(size);

const leavesOfLog = (): Bytes[] =>
  log.events.map((event, index) =>
    leafHash(eventLeaf(log.id, index, event, event.type === "Purged" ? [["rule", "x"]] : [])),
  );

/** Compares every tile and the root with those of the same leaves. */
async function expectTree(leaves: readonly Bytes[]): Promise<void> {
  const size = leaves.length;
  const [stored, right] = [readTilesFrom(pool), tilesOf(leaves)(size)];
  for (let level = 0; hashesAt(level, size) > 0; level += 1) {
    const count = Math.ceil(hashesAt(level, size) / tileWidth);
    const places = Array.from({ length: count }, (_, number) => ({ level, number }));
    const [found, expected] = [await stored(places), await right(places)];
    const differing = places.filter((_, at) => !isEqual(found[at] ?? emptyRoot, expected[at] ?? emptyRoot));
    expect(differing).toEqual([]);
  }
  expect(await rootAt(size, stored)).toEqual(await rootAt(size, right));
}

describe("The tree", () => {
  it("gets a leaf for each event, in order, and goes on after a restart", async () => {
    await happen(300);
    const first = follow();
    await untilSize(300);
    await expectTree(leavesOfLog());
    await first.stop();
    await happen(5);
    follow();
    await untilSize(305);
    await happen(1);
    await untilSize(306);
    await expectTree(leavesOfLog());
    expect(await readReach(pool)).toMatchObject({ size: 306, eventId: log.events.at(-1)?.id });
  });

  it("catches up with an existing log, in batches", async () => {
    await happen(1_300);
    follow();
    await untilSize(1_300);
    await expectTree(leavesOfLog());
  });

  it("has nothing twice when its follower begins again", async () => {
    await happen(10);
    const first = follow();
    await untilSize(10);
    await first.stop();
    await pool.query("truncate followers cascade");
    await happen(1);
    follow();
    await untilSize(11);
    await expectTree(leavesOfLog());
  });

  it("records where the leaves with receipts are", async () => {
    await happen(2);
    await happen(1, "Purged");
    follow();
    await untilSize(3);
    await expectTree(leavesOfLog());
    const indexOf = (at: number) => receiptIndex(pool, log.events[at]?.id ?? "");
    expect([await indexOf(2), await indexOf(1)]).toEqual([2, undefined]);
  });

  it("marks where parts of the log begin, and forgets the marks with the tree", async () => {
    await happen(10);
    const first = follow(4);
    await untilSize(10);
    await first.stop();
    await happen(3);
    follow(4);
    await untilSize(13);
    const marks = [4, 8, 12].map((size) => ({
      ...{ size, position: log.events[size - 1]?.position, eventId: log.events[size - 1]?.id },
    }));
    expect(await readMarks(pool, 0)).toEqual(marks);
    expect(await readMarks(pool, 4)).toEqual(marks.slice(1));
    await inTransaction(pool, forgetTree);
    expect(await readMarks(pool, 0)).toEqual([]);
  });

  it("stops growing at a changed event, and says which, also after a restart with many events since", async () => {
    await happen(3);
    const [, second] = log.events;
    if (second) log.events[1] = { ...second, data: { n: 7 } };
    await untilStopped(follow());
    expect((await readReach(pool)).size).toBe(1);
    const said = `Event 0 of ${second?.stream} is not what was appended.`;
    expect(broken).toContain(said);
    await started.pop()?.stop();
    broken = [];
    await happen(manyEvents);
    const again = follow();
    await expect.poll(() => broken, soon).toContain(said);
    await untilStopped(again);
    expect((await readReach(pool)).size).toBe(1);
  });

  it("stops growing at a changed event among as many as are verified whole", async () => {
    await happen(manyEvents - 1);
    const [, second] = log.events;
    if (second) log.events[1] = { ...second, data: { n: 7 } };
    await untilStopped(follow());
    expect((await readReach(pool)).size).toBe(1);
  });

  it("has the hash that a changed event was appended with, among many events", async () => {
    await happen(manyEvents);
    const right = leavesOfLog();
    const [, second] = log.events;
    if (second) log.events[1] = { ...second, data: { n: 7 } };
    follow();
    await untilSize(manyEvents);
    await expectTree(right);
    expect(broken).toEqual([]);
  });

  it("stops growing at an event that does not follow the one before it, also among many", async () => {
    await happen(manyEvents);
    const [first] = log.events;
    const claim = { revision: 1, previousHash: "0".repeat(64) };
    if (first) {
      const { stream } = first;
      log.events.push({
        ...{ ...first, ...seal({ ...first, id: randomUUID() }, { stream, ...claim }) },
        ...{ revision: 1, position: `${log.events.at(-1)?.position}0` },
      });
    }
    await untilStopped(follow());
    expect((await readReach(pool)).size).toBe(manyEvents);
    expect(broken).toContain(`Event 1 of ${first?.stream} does not follow the event before it.`);
  });
});

describe("A batch", () => {
  /** What a process does with a batch, apart from its checkpoint. */
  function worker(): Work {
    const works: Work[] = [];
    const add = ({ process }: { process: Work }) => {
      works.push(process);
      return createFollower({ name: "unused", version: 1, store, pool, newId: randomUUID, process });
    };
    createTreeFollower({
      ...{ store, pool, newId: randomUUID, log: createLog("silent"), detailsOf: () => undefined },
      subscription: { add },
    });
    return works[0] ?? expect.fail("no work");
  }
  const untold = () => undefined;
  const take = (work: Work, from: number, to: number) =>
    inTransaction(pool, (client) => work(client, log.events.slice(from, to), untold));

  it("that is rolled back comes again, alone or with more", async () => {
    await happen(700);
    const work = worker();
    await take(work, 0, 100);
    const undone = inTransaction(pool, async (client) => {
      await work(client, log.events.slice(100, 400), untold);
      throw new Error("another follower failed");
    });
    await expect(undone).rejects.toThrow("another follower failed");
    await take(work, 100, 500);
    await take(work, 500, 700);
    await expectTree(leavesOfLog());
  });

  it("may follow one of another process", async () => {
    await happen(900);
    const [one, other] = [worker(), worker()];
    await take(one, 0, 300);
    await take(other, 300, 600);
    await take(one, 600, 700);
    await take(one, 700, 800);
    await take(other, 750, 900);
    await expectTree(leavesOfLog());
  });

  it("is refused where the newest tiles are too short", async () => {
    await happen(300);
    await take(worker(), 0, 290);
    await pool.query("delete from transparency_tail");
    await expect(take(worker(), 290, 300)).rejects.toThrow("not those of a tree of 290 leaves");
  });
});

describe("Tiles in the database", () => {
  const leaves = inventedLeaves(70_000);
  const add = (from: number, to: number) =>
    addLeavesTo(pool, leaves.slice(from, to), { position: String(to), eventId: `event ${to}` });

  it("are those of the same leaves, however the leaves came", async () => {
    let size = 0;
    for (const step of [1, 254, 1, 1, 255, 256, 257, 512, 3, 700, 63_000, 1_000, 3_000, 760]) {
      await add(size, size + step);
      size += step;
    }
    expect(size).toBe(70_000);
    await expectTree(leaves);
    const { rows } = await pool.query("select count(*)::int as chunks from transparency_tail");
    expect(rows).toEqual([{ chunks: 1 }]);
    expect(70_000 % tileWidth).toBe(112);
  });

  it("stay as they were when a process dies in between", async () => {
    await add(0, 250);
    const dies = inTransaction(pool, async (client) => {
      const added = join(...leaves.slice(250, 600));
      await addLeaves(client, await lockTree(client), added, { position: "600", eventId: "event" });
      throw new Error("killed");
    });
    await expect(dies).rejects.toThrow("killed");
    await expectTree(leaves.slice(0, 250));
    await add(250, 600);
    await expectTree(leaves.slice(0, 600));
  });
});
