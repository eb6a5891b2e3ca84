import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { startFakeEventStoreDb } from "../../testing/event-store/fake-kurrent/kurrent-peer.ts";
import { createWorkTable, happen, workDone, writing } from "../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createKurrentEventStore } from "../event-store/kurrent/kurrent-event-store.ts";
import { createFollower } from "../following/follower.ts";
import { createPool } from "../postgres/pool.ts";
import { OtherLogAnswers } from "./guarded-event-store.ts";
import { openBoundStore } from "./open-bound-store.ts";

async function running() {
  await using closing = new AsyncDisposableStack();
  const { connectionString, drop } = closing.adopt(await testDatabase(), (made) => made.drop());
  const folder = temporaryFolder("swapped");
  const file = join(folder, "log");
  const first = await startFakeEventStoreDb({ file });
  const pool = closing.adopt(createPool(connectionString), (made) => made.end());
  const lines: string[] = [];
  const { store, close } = await openBoundStore({
    ...{ url: first.url, pool, connectionString, signed: undefined, now: () => new Date() },
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
  });
  closing.defer(close);
  const table = await createWorkTable(pool);
  const follower = createFollower({
    ...{ name: "work", version: 1, store, pool, newId: randomUUID, leaseMs: 300 },
    process: writing(table, "w"),
  });
  closing.defer(() => follower.stop());
  follower.start();
  const all = closing.move();
  return {
    ...{ pool, store, follower, first, lines, drop },
    /** The types of all events processed by the follower. */
    done: async () => (await workDone(pool, table)).map((line) => line.replace(/ by w$/, "")),
    file,
    /** Starts a server with the log in a file at the store's address. */
    serve: (log: string) => startFakeEventStoreDb({ port: first.port, file: log }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** A file with a log of this many events. */
async function logOf(events: number, file: string): Promise<string> {
  const fake = await startFakeEventStoreDb({ file });
  const store = createKurrentEventStore({ url: fake.url });
  for (let nth = 0; nth < events; nth++) await happen(store, "of another log");
  await store.close();
  await fake.stop();
  return file;
}

it.each([
  ["an empty server", 0],
  ["a server with a longer log", 9],
])("waits while %s answers instead of the event store, and resumes once it is back", async (_, events) => {
  await using process = await running();
  const { store, follower, first, lines, file, done, serve } = process;
  const others = await logOf(events, `${file}-other`);
  await happen(store, "one");
  await vi.waitFor(async () => expect(await done()).toEqual(["one"]), soon);
  await first.stop();

  const other = await serve(others);
  const held = other.log.records.length;
  await vi.waitFor(
    () => expect(lines.join("")).toContain("ALARM: the event store holds a log that does not belong"),
    soon,
  );
  await expect(happen(store, "lost")).rejects.toThrow(OtherLogAnswers);
  await expect(store.confirm()).rejects.toThrow(OtherLogAnswers);
  expect(other.log.records).toHaveLength(held);
  expect((await follower.status()).state).not.toBe("stopped");
  expect(await done()).toEqual(["one"]);
  await other.stop();

  const back = await serve(file);
  await vi.waitFor(() => store.confirm(), soon);
  await happen(store, "two");
  await vi.waitFor(async () => expect(await done()).toEqual(["one", "two"]), soon);
  expect(lines.filter((line) => line.includes("ALARM"))).toHaveLength(1);
  await back.stop();
});
