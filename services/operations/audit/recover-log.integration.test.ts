import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { auditLog } from "../../../infra/audit/audit-log.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { bindToLog } from "../../../infra/log-binding/log-binding.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { type CheckpointFile, openCheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";
import { hexOf } from "../../../infra/transparency/formats/bytes.ts";
import { formatNote, type NoteSigner, signNote } from "../../../infra/transparency/formats/signed-note.ts";
import { signatureTypes } from "../../../infra/transparency/formats/verifier-key.ts";
import { formatNewestLeaf, openNewestLeaf } from "../../../infra/transparency/newest-leaf.ts";
import { rootAt } from "../../../infra/transparency/tree-proofs.ts";
import {
  createMemoryEventStore,
  createMemoryLog,
  type MemoryLog,
} from "../../../testing/event-store/memory-event-store.ts";
import { leavesOf, memoryTree, write } from "../../../testing/infra/audit-fixture.ts";
import { type OldBook, oldBook } from "../../../testing/infra/old-book-fixture.ts";
import {
  addLeavesTo,
  inventedLeaves,
  signerNamed,
  tilesOf,
} from "../../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { acceptRestoredLog, emptyTree } from "./recover-log.ts";

const leaves = { tree: { detailsOf: () => undefined }, newId: randomUUID };
const now = () => new Date("2026-11-21T09:30:00.000Z");
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let log: MemoryLog;
let store: EventStore;
let checkpoint: CheckpointFile;
let key: NoteSigner;
let old: OldBook;
/** How often the audits' progress was forgotten. */
let forgotten: number;
const progress = {
  forget: async () => {
    forgotten += 1;
  },
};
beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  old = await oldBook();
  checkpoint = openCheckpointFile(old.folders);
  key = await signerNamed("certificates.example/transparency", signatureTypes.log);
  forgotten = 0;
  await start(store);
  await write(store, "order-a", "One", "Two", "Three");
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const signed = async () => {
  const leaf = await checkpoint.readLeaf();
  return leaf && openNewestLeaf(leaf.note, async () => [key.key]);
};
const start = (on: EventStore) =>
  bindToLog({ ...{ pool, store: on, inDatabase: false, signed, now }, warn: () => undefined });
const accept = (on: EventStore, mark: string) =>
  acceptRestoredLog({
    ...{ pool, store: on, inDatabase: false, signed, checkpoint, book: old.book, progress, mark, now },
    ...leaves,
  });

async function markOf(on: EventStore): Promise<string> {
  const refusal = String(await accept(on, "").catch((error: unknown) => error));
  return /--accept ([0-9a-f]{8})/.exec(refusal)?.[1] ?? refusal;
}

const earlier = (events: number): EventStore =>
  createMemoryEventStore({ log: { ...createMemoryLog(), id: log.id, events: log.events.slice(0, events) } });

async function follow(name: string, nth: number): Promise<void> {
  const event = log.events[nth - 1];
  await pool.query(
    "insert into followers (name, version, position, event_id, log_id) values ($1, 1, $2, $3, $4)",
    [name, event?.position, event?.id, log.id],
  );
}

/** Signs the log up to the nth event, as an older build did too. */
async function sign(nth: number, as: { logId?: string; eventId?: string } = {}): Promise<void> {
  const { position = "", id } = log.events[nth - 1] ?? {};
  const { logId = log.id, eventId = id ?? "" } = as;
  const at = now().toISOString();
  const text = formatNewestLeaf({ origin: key.key.name, logId, size: nth, position, eventId, at });
  await checkpoint.writeLeaf(formatNote({ text, signatures: [await signNote(text, key)] }));
  const tree = await memoryTree();
  await tree.sign({ id: log.id, events: log.events.slice(0, nth) });
  await checkpoint.write(tree.noteKept ?? "");
  const { rollingHash } = await auditLog({ store: earlier(nth) });
  await old.sign({ count: nth, rollingHash, position, eventId, logId, at, baseline: false });
}

/** How much of what was signed is in place: the checkpoint, the newest leaf and the old book. */
const kept = async () => [
  (await checkpoint.read())?.size,
  (await checkpoint.readLeaf())?.size,
  (await old.book.last())?.count,
];

/** Grows the transparency log's tree up to the nth event. */
const growTree = (nth: number) =>
  addLeavesTo(pool, inventedLeaves(nth), {
    position: log.events[nth - 1]?.position ?? "",
    eventId: log.events[nth - 1]?.id ?? "",
  });

const followers = async () =>
  (await pool.query<{ name: string }>("select name from followers order by name")).rows.map(
    ({ name }) => name,
  );

describe("A log restored to an earlier time", () => {
  beforeEach(async () => {
    await follow("work", 3);
    await follow("order-list", 3);
    await follow("contacts", 2);
    await follow("transparency", 3);
    await growTree(3);
    await pool.query("update transparency_checkpoint set size = 3, note = 'of three events'");
    await sign(3);
    // A follower of an older build, which keeps this record.
    await follow("auditor", 3);
    await pool.query(
      "insert into audit_digest (count, rolling_hash, position, event_id) values (3, '', '', '')",
    );
    await pool.query("create schema order_list_v1");
    await pool.query(
      "insert into work (subject_id, due_at, tasks, rules) values (gen_random_uuid(), now(), '[]', 1)",
    );
    await expect(start(earlier(2))).rejects.toThrow("lacks an event that this database has seen");
  });

  it("is used once accepted by its mark, and data from the lost events is derived again", async () => {
    await expect(accept(earlier(2), "00000000")).rejects.toThrow(
      "Not accepted: the mark of this log of 2 events",
    );
    expect(await followers()).toHaveLength(5);
    await accept(earlier(2), await markOf(earlier(2)));
    await start(earlier(2));
    expect(await followers()).toEqual(["contacts"]);
    expect([await kept(), forgotten]).toEqual([[undefined, undefined, undefined], 1]);
    for (const query of [
      "select from audit_digest",
      "select from transparency_tree where size > 0",
      "select from transparency_tail",
      "select from transparency_checkpoint where size > 0",
      "select from work",
      "select from pg_namespace where nspname = 'order_list_v1'",
    ])
      expect((await pool.query(query)).rowCount, query).toBe(0);
  });

  it("has the acceptance as an event, with the root of what was accepted and without a name", async () => {
    const restored = { ...createMemoryLog(), id: log.id, events: log.events.slice(0, 2) };
    const on = createMemoryEventStore({ log: restored });
    const mark = await markOf(on);
    const { rollingHash } = await auditLog({ store: on });
    await accept(on, mark);
    const [event, ...more] = await on.readStream("log-acceptance");
    const root = await rootAt(2, tilesOf(leavesOf({ id: log.id, events: log.events.slice(0, 2) }))(2));
    expect([event?.type, event?.data, more]).toEqual([
      "LogAccepted",
      { events: 2, root: hexOf(root), rollingHash },
      [],
    ]);
    expect(event?.metadata).toMatchObject({ actor: { kind: "system", id: "audit" } });
    expect((await auditLog({ store: on, book: old.book })).problem).toBeNull();
    // The mark was that of the log without it.
    await expect(accept(on, mark)).rejects.toThrow("Not accepted");
    await accept(on, await markOf(on));
    expect((await on.readStream("log-acceptance")).map(({ data }) => data.events)).toEqual([2, 3]);
  });

  it("no longer passes as the log it was restored from", async () => {
    await accept(earlier(2), await markOf(earlier(2)));
    await start(earlier(2));
    const goneOn = { ...createMemoryLog(), id: log.id, events: log.events.slice(0, 2) };
    await write(createMemoryEventStore({ log: goneOn }), "order-a", "Three again");
    await pool.query("update followers set position = $1, event_id = $2", [
      goneOn.events[2]?.position,
      goneOn.events[2]?.id,
    ]);
    await expect(start(store)).rejects.toThrow("lacks an event");
  });

  it("is not accepted while the product runs", async () => {
    await pool.query(
      "update followers set lease_until = now() + interval '1 minute' where name = 'contacts'",
    );
    await expect(accept(earlier(2), "")).rejects.toThrow("The product is running on this database");
  });

  it("is not accepted if it is empty, or another log", async () => {
    await expect(accept(earlier(0), "")).rejects.toThrow("it is empty");
    const other = createMemoryEventStore();
    await write(other, "order-b", "One");
    await expect(accept(other, "")).rejects.toThrow("this database belongs to log");
  });
});

it("A database restored under a newer log is used once accepted, and keeps its derived data", async () => {
  await follow("work", 2);
  await sign(3);
  await expect(start(store)).rejects.toThrow("This database was restored to an earlier time");
  await accept(store, await markOf(store));
  await start(store);
  expect([await followers(), await kept()]).toEqual([["work"], [3, 3, 3]]);
});

it.each([
  ["belongs to another log", () => sign(3, { logId: "another log" })],
  ["is not in the log, which the tree has outgrown", () => sign(3, { eventId: randomUUID() })],
  ["is not what was signed", () => checkpoint.writeLeaf("spoiled")],
])("What was signed is put aside where it %s", async (_, spoil) => {
  await sign(3);
  await spoil();
  await growTree(3);
  await start(store);
  await accept(store, await markOf(store));
  expect((await kept())[0]).toBeUndefined();
  await expect(checkpoint.readLeaf()).resolves.toBeUndefined();
});

it("The tree alone is emptied, to be rebuilt, but not while the product runs", async () => {
  await follow("transparency", 3);
  await follow("contacts", 3);
  await growTree(3);
  await pool.query("update followers set lease_until = now() + interval '1 minute' where name = 'contacts'");
  await expect(emptyTree(pool)).rejects.toThrow("The product is running on this database");
  await pool.query("update followers set lease_until = null");
  await emptyTree(pool);
  expect(await followers()).toEqual(["contacts"]);
  expect((await pool.query("select from transparency_tree where size > 0")).rowCount).toBe(0);
});

it("A new database adopts a log without its database once accepted", async () => {
  await pool.query("update installation set bound_log = null, begun_at = null");
  await expect(start(store)).rejects.toThrow("this database is new");
  await accept(store, await markOf(store));
  expect(await start(store)).toMatchObject({ logId: log.id, begunAt: now() });
});
