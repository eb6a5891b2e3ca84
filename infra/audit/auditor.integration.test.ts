import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { newBook, unsignedTree, write } from "../../testing/infra/audit-fixture.ts";
import { signerNamed } from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import type { EventStore } from "../event-store/event-store.ts";
import type { Follower } from "../following/follower.ts";
import { forgetCheckpoints } from "../log-binding/log-binding.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { createLog } from "../process/log.ts";
import { openCheckpointFile } from "../transparency/checkpoint-file.ts";
import {
  type CheckpointSigner,
  createCheckpointSigner,
  forgetPublished,
} from "../transparency/checkpoint-signer.ts";
import { signatureTypes } from "../transparency/formats/verifier-key.ts";
import { createTreeFollower } from "../transparency/tree-follower.ts";
import { forgetTree, readReach } from "../transparency/tree-records.ts";
import { treeInDatabase } from "./audited-tree.ts";
import { type Auditor, createAuditor } from "./auditor.ts";
import type { CheckpointBook } from "./checkpoint-book.ts";

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
let book: CheckpointBook;
let compared: Awaited<ReturnType<typeof unsignedTree>>;
const started: Auditor[] = [];
beforeEach(async () => {
  await pool.query("truncate audit_digest, audit_runs, followers cascade");
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  ({ book } = await newBook());
  compared = await unsignedTree(pool);
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((auditor) => auditor.stop()));
});

function auditor(on: EventStore = store, signEverySeconds = 3600): Auditor {
  const made = createAuditor({
    store: on,
    pool,
    book,
    ...compared,
    now: () => new Date("2026-11-21T09:30:00.000Z"),
    newId: randomUUID,
    log: createLog("silent"),
    // Longer than any test unless a test sets it: each signs when it needs to.
    signEverySeconds,
  });
  made.start();
  started.push(made);
  return made;
}

const untilRead = (made: Auditor, events: number) =>
  expect.poll(async () => (await made.standing()).events, soon).toBe(events);
const untilStopped = (made: Auditor) =>
  expect.poll(async () => (await made.standing()).follower.state, soon).toBe("stopped");

describe("The auditor", () => {
  it("signs the log's digest once", async () => {
    const first = auditor();
    await write(store, "order-a", "Opened", "Paid");
    await untilRead(first, 2);
    expect(await first.signNow()).toBe(true);
    expect(await first.signNow()).toBe(false);
    expect(await book.last()).toMatchObject({ count: 2, logId: log.id, baseline: false });
    expect(await first.auditWhole()).toMatchObject({ events: 2, streams: 1, checkpoints: 1, problem: null });
    expect((await first.standing()).runs).toHaveLength(1);
  });

  it("reports an audit as finished only when its result is shown", async () => {
    await write(store, "order-a", "Opened");
    const release = Promise.withResolvers<void>();
    // One connection: its queries run in turn.
    await using closing = new AsyncDisposableStack();
    const single = new pg.Pool({ connectionString: database.connectionString, max: 1 });
    closing.defer(() => single.end());
    const read = async () => {
      await release.promise;
      return book.read();
    };
    const last = async () => {
      // The runs have been read by now, without the one about to end.
      await single.query("select 1");
      release.resolve();
      await reading;
      return book.last();
    };
    const made = createAuditor({
      ...{ store, pool: single, book: { ...book, read, last }, log: createLog("silent") },
      ...compared,
      ...{ now: () => new Date("2026-11-21T09:30:00.000Z"), newId: randomUUID },
    });
    const reading = made.auditWhole();
    const { running, runs } = await made.standing();
    expect([running, runs]).toEqual([0, []]);
    expect(await made.standing()).toMatchObject({ running: null, runs: [{ kind: "whole" }] });
  });

  it("resumes after a restart with the same digest", async () => {
    const first = auditor();
    await write(store, "order-a", "Opened", "Paid");
    await untilRead(first, 2);
    await first.stop();
    const second = auditor();
    await write(store, "order-a", "Sent");
    await untilRead(second, 3);
    expect(await second.signNow()).toBe(true);
    // Reading the whole log from the start gives the same digest.
    expect((await second.auditWhole()).problem).toBeNull();
  });

  it("signs automatically, and reads the whole log once a day", async () => {
    await write(store, "order-a", "Opened");
    const made = auditor(store, 0.05);
    await expect.poll(async () => (await made.standing()).runs.length, soon).toBe(1);
    await write(store, "order-a", "Paid");
    await expect.poll(async () => (await book.last())?.count, soon).toBe(2);
    expect((await made.standing()).runs).toHaveLength(1);
  });

  it("stops at a changed event, and reports it once", async () => {
    await write(store, "order-a", "Opened", "Paid", "Sent");
    const [, paid] = log.events;
    if (paid) log.events[1] = { ...paid, data: { amount: 0.01 } };
    const made = auditor();
    await untilStopped(made);
    expect((await made.standing()).runs).toMatchObject([
      { kind: "following", problem: { kind: "chain-broken", stream: "order-a", revision: 1 } },
    ]);
    expect(await made.signNow()).toBe(false);
  });

  it("detects a restored log with other events than those signed", async () => {
    const first = auditor();
    await write(store, "order-a", "Opened", "Paid");
    await untilRead(first, 2);
    await first.signNow();
    await first.stop();
    await pool.query("truncate audit_digest, followers cascade");
    const restored = { ...createMemoryLog(), id: log.id, events: log.events.slice(0, 1) };
    const other = createMemoryEventStore({ log: restored });
    await write(other, "order-a", "Cancelled");
    const second = auditor(other);
    await untilStopped(second);
    expect((await second.standing()).runs[0]?.problem?.kind).toBe("differs-from-checkpoint");
  });

  it("detects a restored log that lacks signed events, and signs nothing over them", async () => {
    const first = auditor();
    await write(store, "order-a", "Opened", "Paid");
    await untilRead(first, 2);
    await first.signNow();
    await first.stop();
    await pool.query("truncate audit_digest, followers cascade");
    const restored = { ...createMemoryLog(), id: log.id, events: log.events.slice(0, 1) };
    const second = auditor(createMemoryEventStore({ log: restored }));
    await untilRead(second, 1);
    expect(await second.signNow()).toBe(false);
    expect((await second.standing()).runs[0]?.problem).toMatchObject({ kind: "cut-short" });
    expect((await book.read()).map(({ count }) => count)).toEqual([2]);
  });
});

describe("Beside a signed tree", () => {
  let follower: Follower;
  let signer: CheckpointSigner;
  beforeEach(async () => {
    await inTransaction(pool, async (client) => {
      await forgetTree(client);
      await forgetPublished(client);
    });
    const key = await signerNamed("certificates.example/transparency", signatureTypes.log);
    const file = openCheckpointFile([await mkdtemp(join(tmpdir(), "signed-tree-"))]);
    const detailsOf = () => undefined;
    const common = { pool, log: createLog("silent"), now: () => new Date("2026-11-21T09:30:00.000Z") };
    follower = createTreeFollower({ ...common, store, newId: randomUUID, detailsOf, marksEvery: 256 });
    signer = createCheckpointSigner({
      ...{ ...common, follower, file, origin: key.key.name },
      signers: async () => [key],
    });
    compared.tree = treeInDatabase(pool, file, { keysOf: async () => [key.key], detailsOf });
    follower.start();
  });
  afterEach(() => follower.stop());

  /** Until the tree has as many events, and is signed. */
  async function grown(size: number): Promise<void> {
    await expect.poll(async () => (await readReach(pool)).size, soon).toBe(size);
    expect(await signer.signNow()).toBe("signed");
  }
  const writeMany = async (count: number, stream: string) => {
    for (let n = 0; n < count; n++) await write(store, `${stream}-${n}`, "Opened");
  };

  it("reads the whole log, and then what is new", async () => {
    await writeMany(600, "order");
    await grown(600);
    const made = auditor();
    expect(await made.auditWhole()).toMatchObject({ kind: "whole", events: 600, problem: null });
    await writeMany(5, "later");
    await grown(605);
    expect(await made.auditNew()).toMatchObject({ kind: "new-events", events: 5, problem: null });
    expect((await made.standing()).runs.map(({ kind }) => kind).sort()).toEqual(["new-events", "whole"]);
  });

  it("finds a changed event, and a tile that was spoiled until the tree is grown anew", async () => {
    await writeMany(600, "order");
    await grown(600);
    const event = log.events[300];
    if (event) log.events[300] = { ...event, data: { amount: 0.01 } };
    const made = auditor();
    expect((await made.auditWhole()).problem).toMatchObject({ kind: "event-changed", stream: event?.stream });
    if (event) log.events[300] = event;
    expect((await made.auditWhole()).problem).toBeNull();
    await pool.query(
      "update transparency_tiles set hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40)) where level = 0 and number = 1",
    );
    expect((await made.auditWhole()).problem).toMatchObject({
      kind: "tile-damaged",
      words: expect.stringContaining("tile/0/001 is damaged"),
    });
    await follower.stop();
    await inTransaction(pool, (client) => forgetCheckpoints(client, [{ name: "transparency", version: 1 }]));
    follower = createTreeFollower({
      ...{ pool, store, newId: randomUUID, log: createLog("silent"), detailsOf: () => undefined },
    });
    follower.start();
    await expect.poll(async () => (await readReach(pool)).size, soon).toBe(600);
    expect((await made.auditWhole()).problem).toBeNull();
  });
});
