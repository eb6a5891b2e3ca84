import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addLeavesTo, inventedLeaves, tilesOf } from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { agreedFiles } from "../key-ring/durable-files.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { createLog } from "../process/log.ts";
import { type CheckpointFile, openCheckpointFile } from "./checkpoint-file.ts";
import { createCheckpointSigner, type Refusal, readPublished, watchUnsigned } from "./checkpoint-signer.ts";
import type { Bytes } from "./formats/bytes.ts";
import { openCheckpoint } from "./formats/checkpoint.ts";
import { isConsistent } from "./formats/verify-proofs.ts";
import { logKeyFiles, logSigners, originOf, retiredKeys } from "./log-keys.ts";
import { openNewestLeaf } from "./newest-leaf.ts";
import { proveConsistency, rootAt } from "./tree-proofs.ts";
import { forgetTree, readTilesFrom } from "./tree-records.ts";

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

const origin = originOf("https://certificates.example");
const leaves = inventedLeaves(600);
let folders: [string, string];
let file: CheckpointFile;
let clock: Date;
let refused: Refusal[];
/** A log that has grown further than its tree. */
const store = { logId: async () => "a log", head: async () => "further" };
beforeEach(async () => {
  refused = [];
  await inTransaction(pool, forgetTree);
  await pool.query("update transparency_checkpoint set size = 0, note = ''");
  folders = [temporaryFolder("keys"), temporaryFolder("mirror")];
  file = openCheckpointFile(folders);
  clock = new Date("2026-11-21T09:30:00.000Z");
  await keys().open();
});

const keys = () => logKeyFiles(agreedFiles(...folders));
const signers = () => logSigners(keys(), origin, clock);

type Options = Partial<
  Pick<Parameters<typeof createCheckpointSigner>[0], "file" | "signEverySeconds" | "store">
> & {
  state?: "following" | "standby";
};

function signer(options: Options = {}) {
  const { state = "following", ...rest } = options;
  const status = async () => ({
    ...{ name: "transparency", version: 1, state, position: "" },
    ...{ reason: null, stoppedAt: null, fault: null },
  });
  const log = createLog("silent");
  return createCheckpointSigner({
    pool,
    store,
    onRefused: async (refusal) => {
      refused.push(refusal);
    },
    follower: { status },
    file,
    origin,
    signers,
    now: () => clock,
    log,
    signEverySeconds: 60,
    ...rest,
  });
}

const grow = (from: number, added: readonly Bytes[]) =>
  addLeavesTo(pool, added, { position: String(from + added.length), eventId: "event" });

async function published() {
  const known = (await signers()).map(({ key }) => key);
  return (await openCheckpoint((await readPublished(pool))?.note ?? "", known)).checkpoint;
}

it("signs the tree as it grows, first beside the keys, and each checkpoint extends the one before", async () => {
  await grow(0, leaves.slice(0, 300));
  expect(await signer().signNow()).toBe("signed");
  const first = await published();
  expect(first).toEqual({ origin, size: 300, root: await rootAt(300, tilesOf(leaves)(300)) });
  const kept = await Promise.all(
    folders.map((folder) => readFile(join(folder, "transparency/checkpoint"), "utf8")),
  );
  expect(kept).toEqual([(await readPublished(pool))?.note, kept[0]]);
  expect(await signer().signNow()).toBe("nothing-new");
  await grow(300, leaves.slice(300, 600));
  expect(await signer().signNow()).toBe("signed");
  const proof = await proveConsistency(300, 600, readTilesFrom(pool));
  expect(await isConsistent(first, await published(), proof)).toBe(true);
  for (const folder of folders)
    expect(await readdir(join(folder, "transparency"))).toEqual(["checkpoint", "newest-leaf"]);
});

it("signs beside the keys where the newest leaf's event is, which is not published", async () => {
  await grow(0, leaves.slice(0, 3));
  await signer().signNow();
  const kept = await file.readLeaf();
  const keysOf = async () => (await signers()).map(({ key }) => key);
  expect(await openNewestLeaf(kept?.note ?? "", keysOf)).toEqual({
    ...{ origin, logId: "a log", size: 3, position: "3", eventId: "event" },
    at: "2026-11-21T09:30:00.000Z",
  });
  // A copied log has other positions.
  await pool.query("update transparency_tree set position = '0003'");
  expect(await signer().signNow()).toBe("signed");
  expect((await file.readLeaf())?.position).toBe("0003");
  // An older build keeps none.
  for (const folder of folders) await rm(join(folder, "transparency/newest-leaf"));
  expect(await signer().signNow()).toBe("signed");
  expect(await signer().signNow()).toBe("nothing-new");
});

it("signs nothing where the log ends before what was signed, or is another, and says so once", async () => {
  await grow(0, leaves.slice(0, 300));
  await signer().signNow();
  await inTransaction(pool, forgetTree);
  await grow(0, leaves.slice(0, 200));
  const ends = signer({ store: { ...store, head: async () => "200" } });
  expect([await ends.signNow(), await ends.signNow()]).toEqual(["cut-short", "cut-short"]);
  expect(await signer({ store: { ...store, logId: async () => "another" } }).signNow()).toBe("other-log");
  expect(refused).toEqual([
    { why: "cut-short", size: 200, signedSize: 300 },
    { why: "other-log", size: 200, signedSize: 300 },
  ]);
  expect((await file.read())?.size).toBe(300);
});

it("signs by itself", async () => {
  await grow(0, leaves.slice(0, 3));
  const made = signer({ signEverySeconds: 0.05 });
  made.start();
  await expect.poll(async () => (await readPublished(pool))?.size, soon).toBe(3);
  await made.stop();
});

it("signs nothing for an empty tree, and nothing in a process that does not grow it", async () => {
  expect(await signer().signNow()).toBe("nothing-new");
  await grow(0, leaves.slice(0, 3));
  expect(await signer({ state: "standby" }).signNow()).toBe("standby");
  expect(await readPublished(pool)).toBeUndefined();
});

it("finishes what a crash interrupted, before or between the files and the database", async () => {
  await grow(0, leaves.slice(0, 3));
  const dies = async () => {
    throw new Error("killed");
  };
  await expect(signer({ file: { ...file, write: dies } }).signNow()).rejects.toThrow("killed");
  expect(await file.read()).toBeUndefined();
  const half = async (note: string) => {
    await openCheckpointFile([folders[0]]).write(note);
    await dies();
  };
  await expect(signer({ file: { ...file, write: half } }).signNow()).rejects.toThrow("killed");
  expect([(await file.read())?.size, await readPublished(pool)]).toEqual([3, undefined]);
  expect(await signer().signNow()).toBe("signed");
  expect((await openCheckpointFile([folders[1]]).read())?.note).toBe((await readPublished(pool))?.note);
});

it("goes by the larger copy when a folder is behind", async () => {
  await grow(0, leaves.slice(0, 3));
  await signer().signNow();
  const behind = (await readPublished(pool))?.note ?? "";
  await grow(3, leaves.slice(3, 7));
  await signer().signNow();
  await openCheckpointFile([folders[1]]).write(behind);
  expect((await file.read())?.size).toBe(7);
  await rm(join(folders[0], "transparency"), { recursive: true });
  expect((await file.read())?.size).toBe(3);
});

it("signs no older tree of a restored database until it has grown to what was signed", async () => {
  await grow(0, leaves.slice(0, 300));
  await signer().signNow();
  await inTransaction(pool, forgetTree);
  await grow(0, leaves.slice(0, 200));
  expect(await signer().signNow()).toBe("older");
  expect((await published()).size).toBe(300);
  await grow(200, leaves.slice(200, 301));
  expect(await signer().signNow()).toBe("signed");
});

it("signs no tree that contradicts what was signed, until an operator puts that aside", async () => {
  await grow(0, leaves.slice(0, 300));
  await signer().signNow();
  await inTransaction(pool, forgetTree);
  await grow(0, leaves.slice(1, 400));
  expect(await signer().signNow()).toBe("forked");
  expect((await published()).size).toBe(300);
  await file.supersede(clock);
  expect(await signer().signNow()).toBe("signed");
  expect((await published()).size).toBe(399);
  for (const folder of folders)
    expect(await readdir(join(folder, "transparency"))).toEqual([
      "checkpoint",
      "checkpoint.20261121t093000000z",
      "newest-leaf",
      "newest-leaf.20261121t093000000z",
    ]);
});

it("lets a key sign beside its successor for a month", async () => {
  const [first] = await signers();
  await keys().begin(clock);
  clock = new Date(clock.getTime() + 29 * 86_400_000);
  const both = await signers();
  expect(both).toHaveLength(2);
  expect(both[1]?.key).toEqual(first?.key);
  await grow(0, leaves.slice(0, 3));
  await signer().signNow();
  const note = (await readPublished(pool))?.note ?? "";
  for (const { key } of both) expect((await openCheckpoint(note, [key])).checkpoint.size).toBe(3);
  clock = new Date(clock.getTime() + 2 * 86_400_000);
  expect((await signers()).map(({ key }) => key)).toEqual([both[0]?.key]);
  const retired = await retiredKeys(agreedFiles(...folders), origin, clock);
  expect(retired).toEqual([
    { key: first?.key, since: new Date("2026-12-21T09:30:00.000Z"), isRevoked: false },
  ]);
});

it("signs the same tree again where not every present key has signed it", async () => {
  await grow(0, leaves.slice(0, 3));
  await signer().signNow();
  const [leaked] = await keys().read();
  await keys().begin(clock);
  if (leaked) await keys().destroy(leaked);
  const interrupted = { ...file, write: (note: string) => file.write(note).then(() => expect.unreachable()) };
  await expect(signer({ file: interrupted }).signNow()).rejects.toThrow();
  expect(await signer().signNow()).toBe("signed");
  expect((await published()).size).toBe(3);
  const keysOf = async () => (await signers()).map(({ key }) => key);
  expect((await openNewestLeaf((await file.readLeaf())?.note ?? "", keysOf)).size).toBe(3);
  expect(await signer().signNow()).toBe("nothing-new");
});

it("never copies a key back that is being erased, and signs nothing without a key", async () => {
  await grow(0, leaves.slice(0, 3));
  for (const { file: name } of await keys().read()) await rm(join(folders[0], "installation", name));
  await signer().signNow();
  expect(await readdir(join(folders[0], "installation"))).toEqual([]);
  for (const erased of await keys().read()) await keys().destroy(erased);
  await grow(3, leaves.slice(3, 7));
  await expect(signer().signNow()).rejects.toThrow("no key that signs");
});

it("signs only what a power cut of the database server would not undo", async () => {
  const written = async () =>
    (await pool.query<{ at: string }>("select pg_current_wal_insert_lsn() as at")).rows[0]?.at;
  const isOnDisk = async (at: string | undefined) =>
    (await pool.query<{ is: boolean }>("select pg_current_wal_flush_lsn() >= $1 as is", [at])).rows[0]?.is;
  const seen: (boolean | undefined)[] = [];
  await grow(0, leaves);
  const grownAt = await written();
  const watched: CheckpointFile = {
    ...file,
    writeLeaf: async (note) => {
      seen.push(await isOnDisk(grownAt));
      await file.writeLeaf(note);
    },
  };
  expect(await signer({ file: watched }).signNow()).toBe("signed");
  expect(seen).toEqual([true]);
});

it("says for how long the tree has not been signed", async () => {
  const unsignedSeconds = watchUnsigned(pool, () => clock);
  expect(await unsignedSeconds()).toBe(0);
  await grow(0, leaves.slice(0, 3));
  expect(await unsignedSeconds()).toBe(0);
  clock = new Date(clock.getTime() + 90_000);
  expect(await unsignedSeconds()).toBe(90);
  await signer().signNow();
  expect(await unsignedSeconds()).toBe(0);
  await inTransaction(pool, forgetTree);
  expect(await unsignedSeconds()).toBe(0);
  clock = new Date(clock.getTime() + 60_000);
  expect(await unsignedSeconds()).toBe(60);
});
