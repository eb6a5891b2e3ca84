import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  addLeavesTo,
  inventedLeaves,
  signerNamed,
  tilesOf,
} from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { seal } from "../event-store/hash-chain.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { formatCheckpoint, openCheckpoint } from "./formats/checkpoint.ts";
import { formatNote, signNote } from "./formats/signed-note.ts";
import { formatVerifierKey, signatureTypes } from "./formats/verifier-key.ts";
import { createPublicLog } from "./public-log.ts";
import { rootAt } from "./tree-proofs.ts";
import { forgetTree, recordReceipts } from "./tree-records.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
const leaves = inventedLeaves(700);
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await inTransaction(pool, forgetTree);
  await addLeavesTo(pool, leaves, { position: "700", eventId: "event" });
  await pool.query("update transparency_checkpoint set size = 600, note = 'signed at 600'");
});

const signer = await signerNamed("certificates.example/transparency", signatureTypes.log);
const old = await signerNamed("certificates.example/transparency", signatureTypes.log);
const former = [
  { key: signer.key, since: new Date("2026-11-21T10:00:00.000Z"), isRevoked: true },
  { key: old.key, since: new Date("2026-11-20T10:00:00.000Z"), isRevoked: false },
];
const publicLog = () =>
  createPublicLog({
    pool,
    store: { logId: async () => "log", readStream: async () => [] },
    signers: async () => [signer],
    retired: async () => former,
    witnesses: { quorum: 0, keys: [] },
    detailsOf: () => undefined,
  });

it("has the tiles of the signed tree, whole and partial", async () => {
  const [second, last] = await tilesOf(leaves)(600)([
    { level: 0, number: 1 },
    { level: 0, number: 2 },
  ]);
  expect(await publicLog().tile("tile/0/001")).toEqual(second);
  expect(await publicLog().tile("tile/0/002.p/88")).toEqual(last);
  expect(await publicLog().tile("tile/0/002.p/7")).toEqual(last?.slice(0, 7 * 32));
  const [above] = await tilesOf(leaves)(600)([{ level: 1, number: 0 }]);
  expect(await publicLog().tile("tile/1/000.p/2")).toEqual(above);
});

it.each([
  ["that has grown since it was signed", "tile/0/002.p/89"],
  ["that is not full", "tile/0/002"],
  ["beyond the end", "tile/0/003.p/1"],
  ["of a level that is not reached", "tile/2/000.p/1"],
  ["of no place", "tile/0/2"],
  ["of entries", "tile/entries/000"],
])("has no tile %s", async (_, path) => expect(await publicLog().tile(path)).toBeUndefined());

it("has the empty tree, signed, and the keys before the first signature", async () => {
  expect(await publicLog().checkpoint()).toBe("signed at 600");
  await pool.query("update transparency_checkpoint set size = 0, note = ''");
  const { checkpoint } = await openCheckpoint(await publicLog().checkpoint(), [signer.key]);
  expect(checkpoint).toEqual({ origin: signer.key.name, size: 0, root: await rootAt(0, tilesOf([])(0)) });
  expect(await publicLog().tile("tile/0/000")).toBeUndefined();
  expect(await publicLog().keys()).toEqual([
    { key: formatVerifierKey(signer.key), state: "signs", since: null },
    { key: formatVerifierKey(old.key), state: "retired", since: "2026-11-20T10:00:00.000Z" },
  ]);
});

it("gives no proof that its tree does not bear out", async () => {
  const root = await rootAt(600, tilesOf(leaves)(600));
  const text = formatCheckpoint({ origin: signer.key.name, size: 600, root });
  await pool.query("update transparency_checkpoint set note = $1", [
    formatNote({ text, signatures: [await signNote(text, signer)] }),
  ]);
  const made = { id: randomUUID(), type: "Opened", data: {}, metadata: { at: "2026-11-21T09:30:00.000Z" } };
  const event = {
    ...seal(made, { stream: "order-1", revision: 0, previousHash: null }),
    ...{ stream: "order-1", revision: 0, position: "1", recordedAt: "2026-11-21T09:30:00.100Z" },
  };
  await inTransaction(pool, (client) => recordReceipts(client, new Map([[event.id, 3]])));
  await expect(publicLog().prove(event)).rejects.toThrow("does not have the leaf");
});
