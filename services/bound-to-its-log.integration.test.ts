import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createKurrentEventStore } from "../infra/event-store/kurrent/kurrent-event-store.ts";
import { createFollower } from "../infra/following/follower.ts";
import { openBoundStore } from "../infra/log-binding/open-bound-store.ts";
import { createPool } from "../infra/postgres/pool.ts";
import { createLog } from "../infra/process/log.ts";
import {
  type FakeEventStoreDb,
  startFakeEventStoreDb,
} from "../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { happen } from "../testing/infra/following-fixture.ts";
import { testDatabase } from "../testing/postgres/test-database.ts";
import { soon } from "../testing/setup/patience.ts";
import { temporaryFolder } from "../testing/setup/temporary-folder.ts";
import { ownSettings } from "../testing/system/own-settings.ts";

/** An installation whose log is in an event store and was followed. */
let database: Awaited<ReturnType<typeof testDatabase>>;
let fake: FakeEventStoreDb;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  fake = await startFakeEventStoreDb();
  folder = temporaryFolder("bound");
  const { connectionString } = database;
  const pool = createPool(connectionString);
  const { store, close } = await openBoundStore({
    ...{ url: fake.url, pool, connectionString, signed: undefined },
    ...{ now: () => new Date(), log: createLog("silent") },
  });
  const follower = createFollower({
    ...{ name: "work", version: 1, store, pool, newId: randomUUID },
    process: async () => undefined,
  });
  follower.start();
  await happen(store, "one", "two");
  const position = await store.head();
  await vi.waitFor(async () => expect(await follower.status()).toMatchObject({ position }), soon);
  await follower.stop();
  await close();
  await pool.end();
});
afterAll(async () => {
  await fake.stop();
  await database.drop();
});

/** A process's output to the operator, and its exit code. */
async function said(command: string, settings: Record<string, string>) {
  const [file = "", ...args] = command.split(" ");
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", file), ...args], {
    ...ownSettings(folder, {
      ...{ LOG_LEVEL: "silent", SKIP_WEB_BUILD: "1", PORT: "0" },
      ...{ DATABASE_URL: database.connectionString, KEY_DIR: join(folder, "keys") },
      // Never called: the process stops at the log check.
      ...{ SANDBOX_URL: "http://127.0.0.1:9", PUBLIC_URL: "http://127.0.0.1" },
      ...settings,
    }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [words, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { words: words.trim(), code };
}

it.each([
  "services/composition/processes/product.ts",
  "services/composition/processes/worker.ts",
  "services/composition/processes/gateway.ts",
  "projections/main.ts",
  "services/operations/seed/main.ts",
  "services/operations/queue/main.ts",
  "projections/runner/rebuild.ts",
  "projections/runner/drop.ts",
])("%s does not start without its EVENTSTORE_URL, and says so in a sentence", async (command) => {
  const { words, code } = await said(command, {});
  expect(words).toMatch(/^The log in Postgres, used because EVENTSTORE_URL is not set, holds log .+$/);
  expect(words).toContain("set EVENTSTORE_URL to the event store in use");
  expect(code).toBe(1);
});

it("leaves an empty event store unchanged if it is not the database's own", async () => {
  const other = await startFakeEventStoreDb();
  const { words, code } = await said("services/composition/processes/worker.ts", {
    EVENTSTORE_URL: other.url,
  });
  expect(words).toMatch(/^The event store at EVENTSTORE_URL holds no log of ours yet: .+$/);
  expect([code, other.log.records]).toEqual([1, []]);
  await other.stop();
});

it("refuses an older copy of the same log", async () => {
  const right = createKurrentEventStore({ url: fake.url });
  const older = await startFakeEventStoreDb();
  const copy = createKurrentEventStore({ url: older.url, logId: await right.logId() });
  await copy.logId();
  await happen(copy, "one");
  const { words, code } = await said("services/composition/processes/worker.ts", {
    EVENTSTORE_URL: older.url,
  });
  expect(words).toMatch(/^The event store at EVENTSTORE_URL lacks an event that this database has seen, .+$/);
  expect(code).toBe(1);
  await Promise.all([right.close(), copy.close()]);
  await older.stop();
});

it("starts with the right one (control)", async () => {
  const { words, code } = await said("services/operations/queue/main.ts", { EVENTSTORE_URL: fake.url });
  expect([words, code]).toEqual(["", 0]);
});
