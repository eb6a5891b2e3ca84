import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../testing/event-store/memory-event-store.ts";
import { happen } from "../../testing/infra/following-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import type { EventStore } from "../event-store/event-store.ts";
import { createPool, type Pool } from "../postgres/pool.ts";
import { NoteRefused } from "../transparency/formats/signed-note.ts";
import { bindToLog, hasLog } from "./log-binding.ts";

type LogBindingParts = Parameters<typeof bindToLog>[0];

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let log: MemoryLog;
let store: EventStore;
beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const at = new Date("2026-11-21T09:30:00.000Z");
const begin = (to: EventStore = store, more: Partial<LogBindingParts> = {}) =>
  bindToLog({
    ...{ pool, store: to, inDatabase: false, signed: undefined, now: () => at, warn: () => undefined },
    ...more,
  });

/** Moves a follower to the end of the log. */
async function follow(name = "work", of: MemoryLog = log): Promise<void> {
  const last = of.events.at(-1);
  await pool.query(
    `insert into followers (name, version, position, event_id, log_id) values ($1, 1, $2, $3, $4)
     on conflict (name, version) do update set position = excluded.position, event_id = excluded.event_id`,
    [name, last?.position, last?.id, of.id],
  );
}

/** The same log after its first events. */
const earlier = (events: number): EventStore =>
  createMemoryEventStore({ log: { ...createMemoryLog(), id: log.id, events: log.events.slice(0, events) } });

const bound = async () =>
  (await pool.query<{ log: string | null }>("select bound_log as log from installation")).rows[0]?.log;

describe("A database without a log", () => {
  it("is bound to its first empty log, and accepts only that one", async () => {
    expect(await begin()).toEqual({ logId: log.id, begunAt: at, newest: undefined });
    await happen(store, "one");
    await follow();
    const newest = { position: log.events[0]?.position, eventId: log.events[0]?.id, logId: log.id };
    expect(await begin()).toEqual({ logId: log.id, begunAt: at, newest });
  });

  it("is not bound to a log with events, whose records and tasks are elsewhere", async () => {
    await happen(store, "one");
    await expect(begin()).rejects.toThrow("this database is new and has never followed them");
    expect(await bound()).toBeNull();
  });

  it("accepts the log stored in the same database, with or without events", async () => {
    await happen(store, "one");
    expect(await begin(store, { inDatabase: true })).toMatchObject({ logId: log.id, begunAt: null });
  });

  it("is not bound to an empty log while it holds personal data", async () => {
    await pool.query(
      `insert into vault_records (record_id, subject, data_class, kind, schema_version, key_segment, key_slot,
         key_fingerprint, nonce, ciphertext, due_at, sealed_at)
       values ($1, $1, 'contact', 'contact', 1, $2, 0, $2, '', '', now(), now())`,
      [randomUUID(), "0".repeat(32)],
    );
    await expect(begin()).rejects.toThrow("this database is new");
    expect(await bound()).toBeNull();
  });
});

describe("A database with a log", () => {
  beforeEach(async () => {
    await begin();
    await happen(store, "one", "two", "three");
    await follow();
  });

  it("refuses another log, empty or not", async () => {
    const other = createMemoryEventStore();
    await expect(begin(other)).rejects.toThrow(`this database belongs to log ${log.id.slice(0, 8)}`);
    await happen(other, "one", "two", "three");
    await expect(begin(other)).rejects.toThrow("EVENTSTORE_URL");
    expect(await bound()).toBe(log.id);
  });

  it("refuses an older copy of its log, whichever follower went further", async () => {
    await expect(begin(earlier(2))).rejects.toThrow("lacks an event that this database has seen");
    await pool.query("truncate followers cascade");
    await expect(begin(earlier(2))).resolves.toBeDefined();
    await follow("order-list");
    await expect(begin(earlier(2))).rejects.toThrow("npm run audit -- --accept");
  });

  it("refuses a log of another kind, such as the source of a copy", async () => {
    await pool.query("update followers set position = '0000000000001234-0000000000001234'");
    await expect(begin(store, { inDatabase: true })).rejects.toThrow(
      "The log in Postgres, used because EVENTSTORE_URL is not set, lacks an event",
    );
  });

  it("refuses a copy without the newest appended event, before any follower reached it", async () => {
    await follow("work", { ...log, events: log.events.slice(0, 2) });
    expect(await begin(earlier(2))).toBeDefined();
    await pool.query("update installation set newest_position = $1, newest_event = $2", [
      log.events[2]?.position,
      log.events[2]?.id,
    ]);
    await expect(begin(earlier(2))).rejects.toThrow("lacks an event");
  });
});

describe("A database from before log binding", () => {
  beforeEach(async () => {
    await happen(store, "one", "two");
    await follow();
  });

  it("is bound to the log with its checkpoints", async () => {
    expect(await hasLog(pool)).toBe(true);
    expect(await begin()).toMatchObject({ logId: log.id, begunAt: null });
    expect(await bound()).toBe(log.id);
  });

  it("is not bound to any other log", async () => {
    for (const other of [createMemoryEventStore(), earlier(1)])
      await expect(begin(other)).rejects.toThrow(/belongs to log|lacks an event/);
    expect(await bound()).toBeNull();
  });
});

describe("Events signed beside the keys", () => {
  const sign = (count: number): Pick<LogBindingParts, "signed"> => {
    const last = log.events[count - 1];
    const { position = "", id: eventId = "" } = last ?? {};
    const signed = { logId: log.id, position, eventId, size: count, at: at.toISOString() };
    return { signed: async () => signed };
  };
  /** Grows the tree to the nth event. */
  const grow = async (count: number) => {
    const { position, id } = log.events[count - 1] ?? {};
    await pool.query("update transparency_tree set size = $1, position = $2, event_id = $3", [
      ...[count, position, id],
    ]);
  };
  beforeEach(async () => {
    await begin();
    await happen(store, "one", "two", "three");
    await grow(2);
  });

  it("are known to a database that was not restored", async () => {
    expect(await begin(store, sign(2))).toMatchObject({ logId: log.id });
  });

  it("refuse a database restored to an earlier time, although the log is complete", async () => {
    await expect(begin(store, sign(3))).rejects.toThrow(
      "This database was restored to an earlier time: it knows 2 events of its log, but 3 were signed",
    );
  });

  it("refuse a log restored together with its database", async () => {
    await expect(begin(earlier(2), sign(3))).rejects.toThrow("lacks an event that was signed in KEY_DIR");
  });

  it("count for nothing where they are not what was signed, which is said", async () => {
    const warnings: string[] = [];
    const signed = async () => {
      throw new NoteRefused("The note has no text.");
    };
    const warn = (words: string) => warnings.push(words);
    expect(await begin(earlier(2), { signed, warn })).toMatchObject({ logId: log.id });
    expect(warnings).toEqual(["what was signed last in KEY_DIR is invalid: see npm run doctor"]);
  });

  it("are known to a database whose tree grows anew", async () => {
    await grow(1);
    await pool.query("update transparency_checkpoint set size = 3, note = 'of three events'");
    expect(await begin(store, sign(3))).toMatchObject({ logId: log.id });
  });

  it("no longer count once the operator has accepted the log", async () => {
    await pool.query("update installation set accepted_events = 3");
    expect(await begin(store, sign(3))).toMatchObject({ logId: log.id });
  });

  it("of another log are ignored: the keys may be older than the database", async () => {
    const signed = sign(3);
    const other = createMemoryLog();
    await pool.query("update transparency_tree set size = 0, position = '', event_id = ''");
    await pool.query("update installation set bound_log = $1", [other.id]);
    expect(await begin(createMemoryEventStore({ log: other }), signed)).toMatchObject({ logId: other.id });
  });
});

describe("Processes starting at once", () => {
  it("agree on one log, even if the first writes at once", async () => {
    const starts = Array.from({ length: 6 }, async (_, nth) => {
      const found = await begin();
      await happen(store, `first event of process ${nth}`);
      await follow();
      return found.logId;
    });
    expect(await Promise.all(starts)).toEqual(Array(6).fill(log.id));
  });

  it("on two logs agree on one, and the other is refused", async () => {
    const both = await Promise.allSettled([begin(), begin(createMemoryEventStore())]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
