import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { createKurrentEventStore } from "../../../infra/event-store/kurrent/kurrent-event-store.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { createFollower } from "../../../infra/following/follower.ts";
import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import { listParked } from "../../../infra/following/parked-streams.ts";
import { bindToLog } from "../../../infra/log-binding/log-binding.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { readReach } from "../../../infra/transparency/tree-records.ts";
import { startFakeEventStoreDb } from "../../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { write } from "../../../testing/infra/audit-fixture.ts";
import { createWorkTable, workDone, writing } from "../../../testing/infra/following-fixture.ts";
import { addLeavesTo, inventedLeaves } from "../../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { carryCheckpoints, checkpointEvents, copyLog, refuseOtherLog } from "./copy-log.ts";

let closing: AsyncDisposableStack;
let pool: Pool;
let inPostgres: EventStore;
let table: string;
beforeEach(async () => {
  closing = new AsyncDisposableStack();
  const database = closing.adopt(await testDatabase(), (made) => made.drop());
  const { connectionString } = database;
  pool = closing.adopt(createPool(connectionString), (made) => made.end());
  inPostgres = closing.adopt(createPostgresEventStore({ pool, connectionString }), (made) => made.close());
  table = await createWorkTable(pool);
});
afterEach(() => closing.disposeAsync());

/** An unused event store. Events of another log come before its own, so its positions are unique. */
async function newEventStore(eventsBefore = 0): Promise<EventStore> {
  const fake = closing.adopt(await startFakeEventStoreDb(), (made) => made.stop());
  const logId = await inPostgres.logId();
  const store = closing.adopt(createKurrentEventStore({ url: fake.url, logId }), (made) => made.close());
  const others = createKurrentEventStore({ url: fake.url, name: "others" });
  for (let nth = 0; nth < eventsBefore; nth++) await write(others, `other-${nth}`, "Before");
  await others.close();
  return store;
}

const copy = async (from: EventStore, to: EventStore): Promise<number> => {
  const checkpoints = await checkpointEvents(pool);
  return carryCheckpoints(pool, (await copyLog({ from, to, checkpoints })).positions);
};

async function followUntil(store: EventStore, count: number): Promise<void> {
  const process = writing(table, "w");
  const follower = createFollower({ name: "worker", version: 1, store, pool, newId: randomUUID, process });
  follower.start();
  await vi.waitFor(async () => expect(await workDone(pool, table)).toHaveLength(count), soon);
  expect(await follower.status()).toMatchObject({ state: "following" });
  await expect(refuseWhileFollowed(pool)).rejects.toThrow("stop it");
  await follower.stop();
}

const asIfStarted = (store: EventStore, inDatabase = false) =>
  bindToLog({ pool, store, inDatabase, signed: undefined, now: () => new Date(), warn: () => undefined });

it("lets a follower continue in the copy where it was, and back again, missing and repeating nothing", async () => {
  const elsewhere = await newEventStore();
  await write(inPostgres, "thing-1", "A", "B");
  await followUntil(inPostgres, 2);
  await refuseWhileFollowed(pool);
  await write(inPostgres, "thing-2", "C");

  expect(await copy(inPostgres, elsewhere)).toBe(1);
  expect(await copy(inPostgres, elsewhere)).toBe(0);
  await write(elsewhere, "thing-1", "D");
  await followUntil(elsewhere, 4);

  await write(elsewhere, "thing-2", "E");
  expect(await copy(elsewhere, inPostgres)).toBe(1);
  await followUntil(inPostgres, 5);
  expect(await workDone(pool, table)).toEqual(["A", "B", "C", "D", "E"].map((type) => `${type} by w`));
});

it("lets the transparency log go on in the copy, with the leaves that it has", async () => {
  const elsewhere = await newEventStore(3);
  await write(inPostgres, "thing-1", "A", "B");
  const [, second] = await inPostgres.readAll(beginning, 2);
  const reached = { position: second?.position ?? "", eventId: second?.id ?? "" };
  await addLeavesTo(pool, inventedLeaves(2), reached);
  expect(await copy(inPostgres, elsewhere)).toBe(1);
  const [, copied] = await elsewhere.readAll(beginning, 2);
  expect(await readReach(pool)).toEqual({ size: 2, position: copied?.position, eventId: second?.id });
});

it("finds checkpoints by their events when the log is copied to a second event store", async () => {
  const [first, second] = [await newEventStore(), await newEventStore(7)];
  await write(inPostgres, "thing-1", "A", "B");
  await followUntil(inPostgres, 2);
  await asIfStarted(inPostgres, true);
  await copy(inPostgres, first);
  // Overwrites the positions of the first.
  expect(await copy(inPostgres, second)).toBe(1);
  await asIfStarted(second);
  await write(second, "thing-1", "C");
  await followUntil(second, 3);
  for (const left of [first, inPostgres]) await expect(asIfStarted(left)).rejects.toThrow("lacks an event");
});

it("refuses to copy from a store no longer in use, which would silently lose later events", async () => {
  const [first, second] = [await newEventStore(), await newEventStore()];
  await write(inPostgres, "thing-1", "A", "B");
  await followUntil(inPostgres, 2);
  await copy(inPostgres, first);
  await write(first, "thing-1", "C");
  await followUntil(first, 3);
  await expect(copy(inPostgres, second)).rejects.toThrow("not the log in use but an older copy");
  expect(await second.head()).toBe(beginning);
});

it("refuses to copy a log other than the database's", async () => {
  await asIfStarted(inPostgres, true);
  await refuseOtherLog(pool, await inPostgres.logId());
  await expect(refuseOtherLog(pool, randomUUID())).rejects.toThrow("This database belongs to log");
});

it("changes no checkpoint if one of them has moved since", async () => {
  const elsewhere = await newEventStore();
  await write(inPostgres, "thing-1", "A", "B");
  await followUntil(inPostgres, 2);
  const { positions } = await copyLog({
    ...{ from: inPostgres, to: elsewhere },
    checkpoints: await checkpointEvents(pool),
  });
  await pool.query("insert into followers (name, version, position, event_id) values ('late', 1, '1', $1)", [
    randomUUID(),
  ]);
  const before = await pool.query("select * from followers order by name");
  await expect(carryCheckpoints(pool, positions)).rejects.toThrow("running while its log was copied");
  expect((await pool.query("select * from followers order by name")).rows).toEqual(before.rows);
});

it("carries the position of a parked stream, so the follower can continue it in the copy", async () => {
  const elsewhere = await newEventStore(3);
  await write(inPostgres, "thing-1", "A");
  let isMended = false;
  const follow = (store: EventStore) =>
    createFollower({
      name: "parking",
      version: 1,
      store,
      pool,
      newId: randomUUID,
      mostParked: 10,
      process: async (_client, events) => {
        const bad = isMended ? undefined : events.find(({ stream }) => stream === "thing-1");
        if (bad) throw new StreamUnreadable(bad.stream, "fold-failed", "It cannot be read.");
      },
    });
  const parked = () => listParked(pool, [{ name: "parking", version: 1 }], 10);
  const before = follow(inPostgres);
  before.start();
  expect(await before.caughtUpTo(await inPostgres.head(), 20_000)).toBe(true);
  await before.stop();
  await copy(inPostgres, elsewhere);
  const [first] = await elsewhere.readStream("thing-1");
  expect(await parked()).toMatchObject([
    { stream: "thing-1", position: first?.position, eventId: first?.id },
  ]);
  isMended = true;
  const after = follow(elsewhere);
  after.start();
  await vi.waitFor(async () => expect(await parked()).toEqual([]), soon);
  await after.stop();
});
