import { randomBytes } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import {
  byteNeedles,
  type Needle,
  scanBytes,
  scanFolders,
  textNeedles,
} from "../../testing/vault/raw-scan.ts";
import { type DurableVault, recordFor, startDurableVault } from "../../testing/vault/test-vault.ts";
import { type BlindIndex, createBlindIndex } from "./blind-index.ts";
import { closeMonths } from "./month-keys.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder("index-scan");
});
const at = (name: string) => join(root, name);
let running: DurableVault | undefined;
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function start(dataDir: string): Promise<DurableVault> {
  mkdirSync(at("mirror"), { recursive: true });
  running = await startDurableVault(at(dataDir), at("keys"), at("mirror"));
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

const november = "2026-11-10T12:00:00Z";
const january = "2027-01-10T12:00:00Z";

const partsAt = ({ pool, keyRing }: DurableVault, now: string) => ({
  pool,
  keyRing,
  now: () => new Date(now),
});

const mark = randomBytes(6).toString("hex");
const person = {
  email: `Gwenllian.${mark}@mail.example`,
  name: `Ms Gwenllïan Ŵŷn${mark}`,
  postcode: `${mark.toUpperCase().replaceAll(/[^A-Z0-9]/g, "")}1AA`,
};
/** As typed, and as normalised: neither may be stored. */
const needles = [
  person.email,
  person.email.toLowerCase(),
  `Ŵŷn${mark}`,
  `wyn${mark}`,
  person.postcode,
  person.postcode.toLowerCase(),
].flatMap(textNeedles);

async function index(vault: DurableVault, index: BlindIndex): Promise<string> {
  const { recordId, subject, ...record } = recordFor({ dataClass: "contact", kind: "contact" });
  await vault.vault.seal({ ...record, recordId, subject, body: person });
  await index.write([{ subject: { kind: "order", id: subject }, recordId, person }]);
  return recordId;
}

async function monthKeys({ pool }: DurableVault): Promise<Needle[]> {
  const { rows } = await pool.query<{ segment: string; slot: number }>(
    "select key_segment as segment, key_slot as slot from index_keys",
  );
  return rows.flatMap(({ segment, slot }) => {
    const bytes = readFileSync(join(at("keys"), "segments", `${segment}.keys`));
    return byteNeedles(bytes.subarray(slot * 32, slot * 32 + 32));
  });
}

/** The index as a database dump would hold it: every row as text. */
async function dump({ pool }: DurableVault): Promise<Buffer> {
  const tables = ["blind_index", "index_keys", "vault_records"];
  const rows = await Promise.all(
    tables.map((table) => pool.query(`select row_to_json(t)::text as row from ${table} t`)),
  );
  return Buffer.from(JSON.stringify(rows.map(({ rows }) => rows)));
}

it("stores neither search terms nor, in the database, a month's key, and erases the key after the month", async () => {
  const vault = await start("data");
  const inNovember = createBlindIndex(partsAt(vault, november));
  const recordId = await index(vault, inNovember);
  expect((await inNovember.find("email", person.email, 5)).subjects).toHaveLength(1);
  await vault.pool.query("checkpoint");
  expect(scanFolders([at("data"), at("keys"), at("mirror")], needles)).toEqual([]);
  expect(scanBytes(await dump(vault), needles)).toEqual([]);
  const keys = await monthKeys(vault);
  expect(scanFolders([at("data")], keys)).toEqual([]);
  // Control: while the month lives the same scan finds its key, in both key folders.
  expect(
    scanFolders([at("keys"), at("mirror")], keys).filter((found) => found.startsWith("raw")),
  ).toHaveLength(2);

  await vault.vault.destroy([recordId]);
  expect((await vault.pool.query("select from blind_index")).rowCount).toBe(0);
  expect(await closeMonths(partsAt(vault, january))).toBe(1);
  await vault.pool.query("checkpoint");
  expect(scanFolders([at("data"), at("keys"), at("mirror")], [...keys, ...needles])).toEqual([]);
});

it("finds planted text in heap, write-ahead log and dump (control)", async () => {
  const vault = await start("data");
  await index(vault, createBlindIndex(partsAt(vault, november)));
  await vault.pool.query("alter table blind_index add column planted text");
  await vault.pool.query("update blind_index set planted = $1", [person.email.toLowerCase()]);
  await vault.pool.query("checkpoint");
  const found = scanFolders([at("data")], needles);
  expect(found).toContainEqual(expect.stringContaining("pg_wal"));
  expect(found).toContainEqual(expect.stringContaining("base"));
  expect(scanBytes(await dump(vault), needles)).not.toEqual([]);
});

it("an old backup finds no one once the month's key is gone, and purged people only until then", async () => {
  const original = await start("data");
  const recordId = await index(original, createBlindIndex(partsAt(original, november)));
  await stop();
  for (const copy of ["backup", "late-backup"]) {
    cpSync(at("data"), at(copy), { recursive: true });
    chmodSync(join(at(copy), "cluster"), 0o700);
  }
  const later = await start("data");
  await later.vault.destroy([recordId]);
  await stop();

  // A documented limit: with the live keys, an old backup still reveals that this address was a customer's in that
  // month.
  const early = await start("backup");
  const guesses = createBlindIndex(partsAt(early, january));
  expect((await guesses.find("email", person.email, 5)).subjects).toHaveLength(1);
  // It ends as soon as the restored vault purges what the keys show as erased.
  await early.vault.destroy([recordId]);
  expect((await guesses.find("email", person.email, 5)).subjects).toEqual([]);
  await stop();

  const end = await start("data");
  expect(await closeMonths(partsAt(end, january))).toBe(1);
  await stop();
  const late = await start("late-backup");
  expect((await late.pool.query("select from blind_index")).rowCount).toBe(4);
  for (const [kind, typed] of [
    ["email", person.email],
    ["surname", `Wyn${mark}`],
    ["postcode", person.postcode],
  ] as const) {
    expect((await createBlindIndex(partsAt(late, january)).find(kind, typed, 5)).subjects).toEqual([]);
  }
});
