import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { write } from "../../infra/audit/audit-fixture.ts";
import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createKurrentEventStore } from "../../infra/event-store/kurrent-event-store.ts";
import { type KurrentPeer, startKurrentPeer } from "../../infra/event-store/kurrent-peer/kurrent-peer.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres-event-store.ts";
import { createFollower } from "../../infra/following/follower.ts";
import { createWorkTable, workDone, writing } from "../../infra/following/following-fixture.ts";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../infra/postgres/test-database.ts";
import { carryCheckpoints, refuseWhileRunning } from "./carry-checkpoints.ts";
import { copyLog } from "./copy-log.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let peer: KurrentPeer;
let inPostgres: EventStore;
let elsewhere: EventStore;
let table: string;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  inPostgres = createPostgresEventStore({ pool, connectionString: database.connectionString });
  peer = await startKurrentPeer();
  elsewhere = createKurrentEventStore({ url: peer.url, logId: await inPostgres.logId() });
  table = await createWorkTable(pool);
});
afterAll(async () => {
  await elsewhere.close();
  await inPostgres.close();
  await peer.stop();
  await pool.end();
  await database.drop();
});

/** Follows until so much work is done in all. */
async function followUntil(store: EventStore, count: number): Promise<void> {
  const process = writing(table, "w");
  const follower = createFollower({ name: "worker", version: 1, store, pool, newId: randomUUID, process });
  follower.start();
  await vi.waitFor(async () => expect(await workDone(pool, table)).toHaveLength(count), { timeout: 20_000 });
  expect(await follower.status()).toMatchObject({ state: "following" });
  await expect(refuseWhileRunning(pool)).rejects.toThrow("stop it");
  await follower.stop();
}

it("lets a follower go on in the copy where it was, and back again: nothing missed, nothing done twice", async () => {
  await write(inPostgres, "thing-1", "A", "B");
  await followUntil(inPostgres, 2);
  await refuseWhileRunning(pool);
  await write(inPostgres, "thing-2", "C");

  await copyLog({ from: inPostgres, to: elsewhere });
  expect(await carryCheckpoints(pool, inPostgres, elsewhere)).toBe(1);
  expect(await carryCheckpoints(pool, inPostgres, elsewhere)).toBe(0);
  await write(elsewhere, "thing-1", "D");
  await followUntil(elsewhere, 4);

  await write(elsewhere, "thing-2", "E");
  await copyLog({ from: elsewhere, to: inPostgres });
  expect(await carryCheckpoints(pool, elsewhere, inPostgres)).toBe(1);
  await followUntil(inPostgres, 5);
  expect(await workDone(pool, table)).toEqual(["A", "B", "C", "D", "E"].map((type) => `${type} by w`));
});

it("stops a follower whose checkpoint was not carried (control)", async () => {
  await pool.query("update followers set position = '0000000000000001'");
  const process = writing(table, "w");
  const follower = createFollower({
    name: "worker",
    version: 1,
    store: elsewhere,
    pool,
    newId: randomUUID,
    process,
  });
  follower.start();
  await vi.waitFor(async () => expect(await follower.status()).toMatchObject({ state: "stopped" }), {
    timeout: 20_000,
  });
  await follower.stop();
});
