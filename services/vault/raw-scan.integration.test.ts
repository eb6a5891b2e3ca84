import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { byteNeedles, type Needle, scanFolders, textNeedles } from "../../testing/vault/raw-scan.ts";
import { type DurableVault, recordFor, startDurableVault } from "../../testing/vault/test-vault.ts";
import { RecordGone, type RecordToSeal } from "./vault.ts";

const root = temporaryFolder("scan");
const [dataDir, keyDir, mirrorDir] = [join(root, "data"), join(root, "keys"), join(root, "mirror")];
let parts: DurableVault;
beforeAll(async () => {
  mkdirSync(mirrorDir);
  parts = await startDurableVault(dataDir, keyDir, mirrorDir);
});
afterAll(async () => {
  await parts.stop();
});

/** Part of every field of every record, so one search finds any of them. */
const mark = `Gwenllïan Ŵŷn-${randomBytes(6).toString("hex")}`;
const needles = textNeedles(mark);

function person(size: number): RecordToSeal {
  const words = {
    name: mark,
    [mark]: 1,
    address: [`1 ${mark} Street`, { town: mark }],
    notes: `${mark} `.repeat(size),
  };
  return recordFor({ body: words });
}

async function sealPeople(count: number): Promise<RecordToSeal[]> {
  // Short ones, and long ones that the server stores out of line.
  const people = Array.from({ length: count }, (_, n) => person(n % 4 === 0 ? 500 : 1));
  await Promise.all(people.map((record) => parts.vault.seal(record)));
  return people;
}

async function keysOf(people: readonly RecordToSeal[]): Promise<Needle[]> {
  const { rows } = await parts.pool.query<{ segment: string; slot: number }>(
    "select key_segment as segment, key_slot as slot from vault_records where record_id = any($1)",
    [people.map(({ recordId }) => recordId)],
  );
  return rows.flatMap(({ segment, slot }) => {
    const bytes = readFileSync(join(keyDir, "segments", `${segment}.keys`));
    return byteNeedles(bytes.subarray(slot * 32, slot * 32 + 32));
  });
}

it("stores neither plaintext nor, in the database, keys, and nothing opens an erased record", async () => {
  const [destroyed, survivors] = [await sealPeople(12), await sealPeople(8)];
  await expect(parts.vault.seal({ ...person(1), recordId: "refused" })).rejects.toThrow("uuid");
  await expect(parts.vault.seal({ ...person(1), recordId: destroyed[0]?.recordId ?? "" })).resolves.toBe(
    "existed",
  );
  for (const { recordId, body } of survivors)
    expect(await parts.vault.open(recordId, z.unknown())).toEqual(body);
  await parts.pool.query("checkpoint");
  expect(scanFolders([dataDir, keyDir, mirrorDir], needles)).toEqual([]);

  const keys = await keysOf(destroyed);
  expect(scanFolders([dataDir], keys)).toEqual([]);
  // Control: before erasure the same scan finds all keys, in both key folders.
  expect(scanFolders([keyDir], keys).filter((found) => found.startsWith("raw"))).toHaveLength(12);
  expect(scanFolders([mirrorDir], keys).filter((found) => found.startsWith("raw"))).toHaveLength(12);

  await parts.vault.destroy(destroyed.map(({ recordId }) => recordId));
  await parts.pool.query("checkpoint");
  expect(scanFolders([dataDir, keyDir, mirrorDir], [...keys, ...needles])).toEqual([]);
  for (const { recordId } of destroyed) {
    await expect(parts.vault.open(recordId, z.unknown())).rejects.toThrow(RecordGone);
  }
  for (const { recordId, body } of survivors)
    expect(await parts.vault.open(recordId, z.unknown())).toEqual(body);
});

it("finds the text of a deleted row in heap and write-ahead log (control)", async () => {
  const planted = `${mark} ${randomUUID()}`;
  await parts.pool.query("create table planted (words text)");
  await parts.pool.query("insert into planted values ($1)", [planted]);
  await parts.pool.query("delete from planted");
  await parts.pool.query("checkpoint");
  const found = scanFolders([dataDir], textNeedles(planted));
  expect(found).toContainEqual(expect.stringContaining("pg_wal"));
  expect(found).toContainEqual(expect.stringContaining("base"));
});
