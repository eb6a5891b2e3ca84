import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { StreamUnreadable } from "../../../infra/event-store/stream-unreadable.ts";
import { createFollower, type Follower } from "../../../infra/following/follower.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { createMemoryEventStore } from "../../../testing/event-store/memory-event-store.ts";
import { happenIn } from "../../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { patienceMs } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { ownSettings } from "../../../testing/system/own-settings.ts";
import { taskRules, tasksFollower } from "../../policies/work/work-table.ts";
import { createParkedRecords } from "./postgres-parked-records.ts";
import { retryParked } from "./retry-parked.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let follower: Follower | undefined;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterEach(async () => {
  await follower?.stop();
  await pool.query("delete from followers");
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function command(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts"), ...args], {
    ...ownSettings(temporaryFolder("streams"), { DATABASE_URL: database.connectionString }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { said: said.trim().split("\n"), faults: faults.trim(), code };
}

/** Makes the tasks of two orders underivable until repaired. */
async function parkTwo() {
  const streams = [`order-${randomUUID()}`, `order-${randomUUID()}`] as const;
  const broken = new Set<string>(streams);
  const store = createMemoryEventStore();
  follower = createFollower({
    ...tasksFollower(taskRules),
    store,
    pool,
    newId: randomUUID,
    leaseMs: 300,
    mostParked: 10,
    process: async (_client, events) => {
      const bad = events.find(({ stream }) => broken.has(stream));
      if (bad) throw new StreamUnreadable(bad.stream, "changed", "It cannot be read.");
    },
  });
  follower.start();
  for (const stream of streams) await happenIn(store, stream, "one");
  expect(await follower.caughtUpTo(await store.head(), patienceMs)).toBe(true);
  return { streams, putRight: (stream: string) => broken.delete(stream) };
}

it("reports that nothing is parked", async () => {
  expect(await command()).toEqual({ said: ["Nothing is parked."], faults: "", code: 0 });
});

it("lists parked streams, retries the named ones, and exits with 1 while any stays parked", async () => {
  const { streams, putRight } = await parkTwo();
  const [first, second] = streams;
  const lineOf = (stream: string) => expect.stringContaining(`${stream} has been parked by work since `);
  const listed = await command("--list");
  expect([listed.said, listed.code]).toEqual([[lineOf(first), lineOf(second)], 0]);
  putRight(first);
  const one = await command(first);
  expect([one.said, one.code]).toEqual([["Resumed 1 of 1 parked streams.", lineOf(second)], 0]);
  const other = await command();
  expect([other.said, other.code]).toEqual([["Resumed 0 of 1 parked streams.", lineOf(second)], 1]);
  expect(other.said[1]).toMatch(/\(changed\), tried again once$/);
  putRight(second);
  expect((await command()).said).toEqual(["Resumed 1 of 1 parked streams."]);
});

it("reports a stream that is not parked, or that none is", async () => {
  expect(await command("--list")).toMatchObject({ code: 0, said: ["Nothing is parked."] });
  expect(await command("order-1")).toMatchObject({
    code: 1,
    said: [expect.stringContaining("is not parked")],
  });
});

it("leaves the retry to the next follower if none is running", async () => {
  const { streams, putRight } = await parkTwo();
  await follower?.stop();
  for (const stream of streams) putRight(stream);
  const records = createParkedRecords(pool);
  expect(await retryParked(records, undefined, 300)).toEqual({
    done: false,
    words:
      "Resumed 0 of 2 parked streams. Not tried yet: 2; that is done as soon as a worker or projection runner follows the log.",
  });
  follower?.start();
  await expect.poll(() => records.count()).toBe(0);
});
