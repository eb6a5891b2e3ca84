import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { followUntil } from "../../../testing/event-store/contract-following.ts";
import { FaultProxy } from "../../../testing/event-store/fault-proxy.ts";
import { anEvent, aStream } from "../../../testing/event-store/store-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { soon } from "../../../testing/setup/patience.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { startEmbedded } from "../../postgres/embedded.ts";
import { migrate } from "../../postgres/migrate.ts";
import { createPool, type Pool } from "../../postgres/pool.ts";
import { beginning, type EventStore, OutcomeUnknown, StoreBusy } from "../event-store.ts";
import { AppendBatcher } from "./append-batcher.ts";
import { AppendConnection } from "./append-connection.ts";
import { createPostgresEventStore } from "./postgres-event-store.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let proxied: Awaited<ReturnType<typeof FaultProxy.before>>;
let store: EventStore;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  proxied = await FaultProxy.before(database.connectionString);
  store = createPostgresEventStore({ pool, connectionString: proxied.connectionString });
});
afterEach(async () => {
  await store.close();
  await proxied.proxy.close();
});

const start = (stream: string, type = "Happened") => ({
  stream,
  expectedRevision: "none" as const,
  events: [anEvent(type)],
});

/** Holds the lock that every append needs, and reports when one waits. */
async function holdLock() {
  const holder = new pg.Client({ connectionString: database.connectionString });
  await holder.connect();
  await holder.query("select pg_advisory_lock(7306522)");
  return {
    someoneWaits: () =>
      vi.waitFor(async () => {
        const { rows } = await holder.query(
          "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
        );
        expect(rows).toHaveLength(1);
      }, soon),
    release: () => holder.end(),
  };
}

async function endSessions(name: string): Promise<number> {
  const { rows } = await pool.query(
    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = $1 and datname = current_database()",
    [name],
  );
  return rows.length;
}

describe("an append", () => {
  it("that spoils its batch fails alone", async () => {
    const good = [aStream(), aStream()];
    const outcomes = await Promise.allSettled([
      store.append(start(good[0] ?? "")),
      store.append(start(`${aStream()}\0`)),
      store.append(start(good[1] ?? "")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(pg.DatabaseError) });
    for (const stream of good) expect(await store.readStream(stream)).toHaveLength(1);
  });

  it("is unknown when its session ends while it waits, and the next one gets a new session", async () => {
    const lock = await holdLock();
    const stream = aStream();
    const outcome = store.append(start(stream)).catch((error: unknown) => error);
    await lock.someoneWaits();
    expect(await endSessions("certificates append")).toBe(1);
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    await lock.release();
    expect(await store.readStream(stream)).toEqual([]);
    expect((await store.append(start(stream))).revision).toBe(0);
  });

  it("is unknown when its answer is lost after writing, and is written", async () => {
    await store.append(start(aStream()));
    const stream = aStream();
    proxied.proxy.swallowAnswers(true);
    const outcome = store.append(start(stream)).catch((error: unknown) => error);
    await expect.poll(() => store.readStream(stream)).toHaveLength(1);
    proxied.proxy.reset();
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    proxied.proxy.swallowAnswers(false);
    expect((await store.append({ ...start(stream), expectedRevision: 0 })).revision).toBe(1);
  });

  it("is unknown when never answered, and the next one gets a new connection", async () => {
    const batcher = new AppendBatcher(
      new AppendConnection(proxied.connectionString, { timeoutsMs: { answer: 2_000 } }),
    );
    await batcher.append(start(aStream()));
    proxied.proxy.swallowAnswers(true);
    const outcome = batcher.append(start(aStream())).catch((error: unknown) => error);
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    proxied.proxy.swallowAnswers(false);
    expect((await batcher.append(start(aStream()))).revision).toBe(0);
    await batcher.close();
  });

  it("that met a server without writes, as after a fail-over, closes its connection; the next one is written", async () => {
    const name = new URL(database.connectionString).pathname.slice(1);
    await pool.query(`alter database ${name} set default_transaction_read_only = on`);
    const demoted = createPostgresEventStore({ pool, connectionString: database.connectionString });
    const refused = await demoted.append(start(aStream())).catch((error: unknown) => error);
    await pool.query(`alter database ${name} reset default_transaction_read_only`);
    expect(refused).toMatchObject({ name: "OutcomeUnknown", cause: { code: "25006" } });
    expect((await demoted.append(start(aStream()))).revision).toBe(0);
    await demoted.close();
  });

  it("is refused as busy, unwritten, when it waits too long for other appends", async () => {
    const batcher = new AppendBatcher(
      new AppendConnection(database.connectionString, { timeoutsMs: { lock: 50 } }),
    );
    const lock = await holdLock();
    const streams = [aStream(), aStream()];
    const outcomes = await Promise.allSettled(streams.map((stream) => batcher.append(start(stream))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: expect.any(StoreBusy) });
    await lock.release();
    for (const stream of streams) expect(await store.readStream(stream)).toEqual([]);
    expect((await batcher.append(start(streams[0] ?? ""))).revision).toBe(0);
    await batcher.close();
  });

  it("is refused as busy when the server is down", async () => {
    const limits = { waitMs: 100 };
    const connectionString = "postgres://nobody:none@127.0.0.1:9/none";
    const lonely = createPostgresEventStore({ pool, connectionString, limits });
    await expect(lonely.append(start(aStream()))).rejects.toThrow(StoreBusy);
    await lonely.close();
  });

  it("is on disk when acknowledged, whatever the server's default", async () => {
    await pool.query(`
      create table settings_seen (value text);
      create function see_setting() returns trigger language plpgsql as
        $$ begin insert into settings_seen values (current_setting('synchronous_commit')); return null; end $$;
      create trigger see after insert on events for each statement execute function see_setting()`);
    expect((await pool.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "off" }]);
    await store.append(start(aStream()));
    expect((await pool.query("select value from settings_seen")).rows).toEqual([{ value: "on" }]);
    await pool.query("drop trigger see on events");
  });
});

describe("the log", () => {
  it.each([
    ["changed", "update events set data = '{}'"],
    ["shortened", "delete from events"],
    ["emptied", "truncate events"],
    ["changed by a replica", "set session_replication_role = replica; update events set type = 'Another'"],
  ])("cannot be %s", async (_, sql) => {
    const stream = aStream();
    await store.append(start(stream));
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    await expect(client.query(sql)).rejects.toThrow("The log of events is never changed");
    await client.end();
    expect((await store.readStream(stream)).map(({ type }) => type)).toEqual(["Happened"]);
  });
});

describe("a follower", () => {
  it("continues when its sessions are ended", async () => {
    const seen: string[] = [];
    const following = followUntil(store, await store.head(), (events) => {
      seen.push(...events.slice(seen.length).map(({ type }) => type));
      return events.length >= 2;
    });
    await store.append(start(aStream(), "Before"));
    await expect.poll(() => seen).toEqual(["Before"]);
    await expect.poll(() => endSessions("certificates follow")).toBe(1);
    await store.append(start(aStream(), "After"));
    await following;
    expect(seen).toEqual(["Before", "After"]);
  });

  it("finds events by polling when no notice arrived", async () => {
    proxied.proxy.swallowAnswers(true); // The listening connection gets no answers.
    const direct = createPostgresEventStore({ pool, connectionString: database.connectionString });
    const following = followUntil(store, await store.head(), (events) => events.length >= 1);
    await direct.append(start(aStream(), "Unannounced"));
    expect((await following).map(({ type }) => type)).toEqual(["Unannounced"]);
    await direct.close();
  });

  it("stops with an error when reading fails permanently", async () => {
    const emptyPool = createPool(new URL("/postgres", database.connectionString).toString());
    const lost = createPostgresEventStore({ pool: emptyPool, connectionString: database.connectionString });
    const following = followUntil(lost, beginning, () => true);
    await expect(following).rejects.toThrow('relation "events" does not exist');
    await lost.close();
    await emptyPool.end();
  });
});

it("survives a restart of Postgres: appends wait, followers continue, nothing is lost", async () => {
  const directory = temporaryFolder("restart");
  let server = await startEmbedded({ directory });
  await migrate(server.connectionString);
  const { proxy, connectionString } = await FaultProxy.before(server.connectionString);
  const ownPool = createPool(connectionString);
  ownPool.on("error", () => undefined); // Idle connections end with the server.
  const troubles: unknown[] = [];
  const own = createPostgresEventStore({
    pool: ownPool,
    connectionString,
    onTrouble: (error) => troubles.push(error),
  });
  const logId = await own.logId();
  const following = followUntil(own, beginning, (seen) => seen.some(({ type }) => type === "After"));
  await own.append(start(aStream(), "Before"));

  await server.stop();
  await expect.poll(() => proxy.sockets).toBe(0);
  const during = own.append(start(aStream(), "During"));
  server = await startEmbedded({ directory });
  proxy.retarget(server.connectionString);
  await during;
  await own.append(start(aStream(), "After"));

  expect((await following).map(({ type }) => type)).toEqual(["Before", "During", "After"]);
  expect(await own.logId()).toBe(logId);
  expect(troubles).not.toEqual([]);
  await own.close();
  await ownPool.end();
  await proxy.close();
  await server.stop();
});
