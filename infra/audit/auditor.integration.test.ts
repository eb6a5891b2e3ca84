import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemoryEventStore, createMemoryLog } from "../../testing/event-store/memory-event-store.ts";
import { recomputed, write } from "../../testing/infra/audit-fixture.ts";
import { manyEvents, signerNamed } from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import type { EventStore } from "../event-store/event-store.ts";
import type { Follower } from "../following/follower.ts";
import { forgetCheckpoints } from "../log-binding/log-binding.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { createLog } from "../process/log.ts";
import {
  type CheckpointFile,
  openCheckpointFile,
  publishedCheckpoint,
} from "../transparency/checkpoint-file.ts";
import { createCheckpointSigner, forgetPublished, readPublished } from "../transparency/checkpoint-signer.ts";
import { hexOf } from "../transparency/formats/bytes.ts";
import type { NoteSigner } from "../transparency/formats/signed-note.ts";
import { signatureTypes } from "../transparency/formats/verifier-key.ts";
import { createTreeFollower } from "../transparency/tree-follower.ts";
import { forgetTree, readReach } from "../transparency/tree-records.ts";
import { type AuditProblem, chainBroken, unsigned } from "./audit-problem.ts";
import { type AuditProgress, openAuditProgress } from "./audit-progress.ts";
import { type AuditRun, createFindings, readDecisiveRuns, recordRun } from "./audit-records.ts";
import { treeInDatabase } from "./audited-tree.ts";
import { type Auditor, createAuditor } from "./auditor.ts";

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

const common = { newId: randomUUID, log: createLog("silent"), detailsOf: () => undefined };
const now = () => new Date("2026-11-21T09:30:00.000Z");
let log: ReturnType<typeof createMemoryLog>;
let store: EventStore;
let file: CheckpointFile;
let key: NoteSigner;
let progress: AuditProgress;
const started: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  await pool.query("truncate audit_runs, followers cascade");
  await inTransaction(pool, async (client) => {
    await forgetTree(client);
    await forgetPublished(client);
  });
  log = createMemoryLog();
  store = createMemoryEventStore({ log });
  const folder = temporaryFolder("audited");
  file = openCheckpointFile([folder]);
  progress = openAuditProgress(folder);
  key = await signerNamed("certificates.example/transparency", signatureTypes.log);
});
afterEach(async () => {
  for (const each of started.splice(0).reverse()) await each.stop();
});

type Product = { follower: Follower; signer: ReturnType<typeof createCheckpointSigner>; auditor: Auditor };

/** What follows, signs and audits a log, as the product composes it. */
function start(on: EventStore = store, more: { pool?: Pool; lookEverySeconds?: number } = {}): Product {
  const parts = { ...common, pool, store: on, now };
  const find = createFindings(parts);
  const follower = createTreeFollower({
    ...parts,
    marksEvery: 256,
    onBroken: (error) => find(chainBroken(error)),
  });
  const signer = createCheckpointSigner({
    ...{ ...parts, follower, file, origin: key.key.name, signers: async () => [key] },
    signEverySeconds: 60,
    onRefused: (refusal) => find(unsigned(refusal)),
  });
  const auditor = createAuditor({
    ...{ ...parts, follower, progress, ...more },
    tree: treeInDatabase(pool, file, { keysOf: async () => [key.key], detailsOf: common.detailsOf }),
  });
  follower.start();
  started.push(follower);
  if (more.lookEverySeconds !== undefined) auditor.start();
  started.push(auditor);
  return { follower, signer, auditor };
}

const untilRead = (events: number) =>
  expect.poll(async () => (await readReach(pool)).size, soon).toBe(events);

/** Until the tree has as many events, and is signed. */
async function grown({ signer }: Product, size: number): Promise<void> {
  await untilRead(size);
  expect(await signer.signNow()).toBe("signed");
}

const writeMany = async (count: number, stream: string) => {
  for (let n = 0; n < count; n++) await write(store, `${stream}-${n}`, "Opened");
};

/** The same log after its first events, as its database is after a restore. */
async function restored(events: number): Promise<EventStore> {
  await pool.query("truncate followers cascade");
  await inTransaction(pool, forgetTree);
  return createMemoryEventStore({
    log: { ...createMemoryLog(), id: log.id, events: log.events.slice(0, events) },
  });
}

describe("An audit", () => {
  it("compares the log with what was signed, and its result stands with the newest checkpoint", async () => {
    const product = start();
    await write(store, "order-a", "Opened", "Paid");
    await grown(product, 2);
    const { auditor } = product;
    expect(await auditor.auditWhole()).toMatchObject({
      events: 2,
      streams: 1,
      checkpoints: 1,
      problem: null,
    });
    const { root } = publishedCheckpoint((await readPublished(pool))?.note ?? "");
    expect(await auditor.standing()).toMatchObject({
      follower: { state: "following" },
      events: 2,
      lastCheckpoint: { at: "2026-11-21T09:30:00.000Z", events: 2, root: hexOf(root) },
      runs: [{ kind: "whole" }],
    });
  });

  it("shows no checkpoint that was spoiled in the database, and reports it", async () => {
    const product = start();
    await write(store, "order-a", "Opened");
    await grown(product, 1);
    await pool.query("update transparency_checkpoint set note = 'spoiled'");
    expect((await product.auditor.standing()).lastCheckpoint).toBeNull();
    expect((await product.auditor.auditWhole()).problem?.kind).toBe("checkpoints-broken");
  });

  it("is reported as finished only when its result is shown", async () => {
    await write(store, "order-a", "Opened");
    const release = Promise.withResolvers<void>();
    // One connection: its queries run in turn.
    await using closing = new AsyncDisposableStack();
    const single = new pg.Pool({ connectionString: database.connectionString, max: 1 });
    closing.defer(() => single.end());
    const { auditor, follower } = start(store, { pool: single });
    const waiting = createAuditor({
      ...{ ...common, store, pool: single, now, progress },
      tree: {
        ...treeInDatabase(pool, file, { keysOf: async () => [], detailsOf: common.detailsOf }),
        size: async () => {
          await release.promise;
          return 0;
        },
      },
      follower: {
        status: async () => {
          // The runs have been read by now, without the one about to end.
          await single.query("select 1");
          release.resolve();
          await reading;
          return follower.status();
        },
      },
    });
    const reading = waiting.auditWhole();
    const { running, runs } = await waiting.standing();
    expect([running, runs]).toEqual([0, []]);
    expect(await auditor.standing()).toMatchObject({ running: null, runs: [{ kind: "whole" }] });
  });

  it("is made once a day without being asked", async () => {
    await write(store, "order-a", "Opened");
    const { auditor } = start(store, { lookEverySeconds: 0.05 });
    await expect.poll(async () => (await auditor.standing()).runs.length, soon).toBe(1);
    expect((await auditor.standing()).runs).toMatchObject([{ kind: "whole", problem: null }]);
  });
});

describe("Of the runs on record", () => {
  const hourMs = 3_600_000;
  const ran = (
    kind: AuditRun["kind"],
    afterHours: number,
    problem: AuditProblem | null = null,
  ): Promise<void> => {
    const finishedAt = new Date(now().getTime() + afterHours * hourMs).toISOString();
    const counted = { events: 1, streams: 1, checkpoints: 1, problem };
    return recordRun(pool, { id: randomUUID(), kind, startedAt: finishedAt, finishedAt, ...counted });
  };
  const wrong: AuditProblem = { kind: "event-changed", stream: "order-a", revision: 1, words: "Changed." };
  const standing = async () => (await start().auditor.standing()).problem;

  it("one from the future, recorded while the clock was ahead, neither delays the next nor settles anything", async () => {
    await ran("whole", 1_000, wrong);
    expect(await readDecisiveRuns(pool, now())).toEqual({ newest: undefined, whole: undefined });
    expect(await standing()).toBeNull();
  });

  it("the problem of a whole one lasts until a whole one without", async () => {
    await ran("whole", -3, wrong);
    await ran("new-events", -2);
    expect(await standing()).toEqual(wrong);
    await ran("whole", -1);
    expect(await standing()).toBeNull();
    await ran("following", 0, wrong);
    expect(await standing()).toEqual(wrong);
  });
});

describe("While the log grows", () => {
  it("a changed event stops its verification, is reported once, and nothing is signed", async () => {
    await write(store, "order-a", "Opened", "Paid", "Sent");
    const [, paid] = log.events;
    if (paid) log.events[1] = { ...paid, data: { amount: 0.01 } };
    const { follower, auditor, signer } = start();
    await expect.poll(async () => (await follower.status()).state, soon).toBe("stopped");
    expect((await auditor.standing()).runs).toMatchObject([
      { kind: "following", problem: { kind: "chain-broken", stream: "order-a", revision: 1 } },
    ]);
    expect(await signer.signNow()).toBe("standby");
  });

  it("a changed event that stopped its verification stops no audit", async () => {
    await write(store, "order-a", "Opened", "Paid");
    const [, paid] = log.events;
    if (paid) log.events[1] = { ...paid, data: { amount: 0.01 } };
    const { auditor } = start(store, { lookEverySeconds: 0.05 });
    const kinds = async () => (await auditor.standing()).runs.map(({ kind }) => kind).sort();
    await expect.poll(kinds, soon).toEqual(["following", "whole"]);
  });

  it("an event that was changed among many is found by the next audit", async () => {
    await writeMany(manyEvents, "order");
    await write(store, "order-a", "Opened", "Paid", "Sent");
    const at = manyEvents + 1;
    const paid = log.events[at];
    if (paid) log.events[at] = { ...paid, data: { amount: 0.01 } };
    const product = start();
    await grown(product, manyEvents + 3);
    expect((await product.auditor.standing()).runs).toEqual([]);
    expect((await product.auditor.auditNew()).problem).toMatchObject({
      ...{ kind: "event-changed", stream: "order-a", revision: 1 },
    });
    if (paid) log.events[at] = paid;
    expect((await product.auditor.auditWhole()).problem).toBeNull();
  });

  it("an event that does not follow the one before it is found, although it is intact itself", async () => {
    await write(store, "order-a", "Opened", "Paid");
    const [opened, paid] = log.events;
    if (opened && paid)
      log.events[0] = { ...(recomputed([{ ...opened, data: { amount: 7 } }])[0] ?? opened) };
    const { follower, auditor } = start();
    await expect.poll(async () => (await follower.status()).state, soon).toBe("stopped");
    expect((await readReach(pool)).size).toBe(1);
    expect((await auditor.standing()).runs[0]?.problem).toMatchObject({ kind: "chain-broken", revision: 1 });
  });

  it("a restored log with other events than those signed is found", async () => {
    await write(store, "order-a", "Opened", "Paid");
    const before = start();
    await grown(before, 2);
    await before.follower.stop();
    const other = await restored(1);
    await write(other, "order-a", "Cancelled");
    const { signer, auditor } = start(other);
    await untilRead(2);
    expect(await signer.signNow()).toBe("forked");
    expect((await auditor.standing()).runs[0]?.problem?.kind).toBe("chain-rewritten");
  });

  it("a restored log that lacks signed events is found once, and nothing is signed over them", async () => {
    await write(store, "order-a", "Opened", "Paid");
    const before = start();
    await grown(before, 2);
    await before.follower.stop();
    const { signer, auditor } = start(await restored(1));
    await untilRead(1);
    expect([await signer.signNow(), await signer.signNow()]).toEqual(["cut-short", "cut-short"]);
    expect((await auditor.standing()).runs).toMatchObject([{ problem: { kind: "cut-short" } }]);
    expect((await file.read())?.size).toBe(2);
  });
});

describe("Beside a signed tree", () => {
  it("reads the whole log, and then what is new", async () => {
    await writeMany(600, "order");
    const product = start();
    await grown(product, 600);
    const made = product.auditor;
    expect(await made.auditWhole()).toMatchObject({ kind: "whole", events: 600, problem: null });
    await writeMany(5, "later");
    await grown(product, 605);
    expect(await made.auditNew()).toMatchObject({ kind: "new-events", events: 5, problem: null });
    expect((await made.standing()).runs.map(({ kind }) => kind).sort()).toEqual(["new-events", "whole"]);
  });

  it("finds a changed event, and a tile that was spoiled until the tree is grown anew", async () => {
    await writeMany(600, "order");
    const product = start();
    await grown(product, 600);
    const event = log.events[300];
    if (event) log.events[300] = { ...event, data: { amount: 0.01 } };
    const made = product.auditor;
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
    await product.follower.stop();
    await inTransaction(pool, (client) => forgetCheckpoints(client, [{ name: "transparency", version: 1 }]));
    start();
    await untilRead(600);
    expect((await made.auditWhole()).problem).toBeNull();
  });
});
