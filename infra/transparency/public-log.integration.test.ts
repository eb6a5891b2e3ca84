import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { inventedLeaves, signerNamed, tilesOf } from "../../testing/infra/transparency-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createPool, inTransaction, type Pool } from "../postgres/pool.ts";
import { formatVerifierKey, signatureTypes } from "./formats/verifier-key.ts";
import { createPublicLog } from "./public-log.ts";
import { addLeaves, forgetTree } from "./tree-records.ts";

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
  await inTransaction(pool, (client) => addLeaves(client, 0, leaves, { position: "700", eventId: "event" }));
  await pool.query("update transparency_checkpoint set size = 600, note = 'signed at 600'");
});

const signer = await signerNamed("certificates.example/transparency", signatureTypes.log);
const publicLog = () =>
  createPublicLog({
    pool,
    store: { logId: async () => "log" },
    signers: async () => [signer],
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

it("has nothing before the first signature but the keys", async () => {
  expect(await publicLog().checkpoint()).toBe("signed at 600");
  await pool.query("update transparency_checkpoint set size = 0, note = ''");
  expect(await publicLog().checkpoint()).toBeUndefined();
  expect(await publicLog().tile("tile/0/000")).toBeUndefined();
  expect(await publicLog().keys()).toBe(`${formatVerifierKey(signer.key)}\n`);
});
