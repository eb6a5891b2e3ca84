import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { type DurableVault, recordFor, startDurableVault } from "../../testing/vault/test-vault.ts";
import { RecordGone, type RecordToSeal } from "./vault.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder("drill");
});
const at = (name: string) => join(root, name);
let running: DurableVault | undefined;
afterEach(async () => {
  await running?.stop();
});

async function start(dataDir: string, keyDir: string): Promise<DurableVault> {
  running = await startDurableVault(dataDir, keyDir);
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

/** Like an operator's `cp -a`: the server refuses a folder that others may enter. */
function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(join(to, "cluster"), 0o700);
}

async function seal(vault: DurableVault["vault"], count: number): Promise<RecordToSeal[]> {
  const people = Array.from({ length: count }, (_, n) => recordFor({ body: { name: `Person ${n}` } }));
  await Promise.all(people.map((person) => vault.seal(person)));
  return people;
}

it("opens from a backup older than the erasure all records except the erased ones", async () => {
  const original = await start(at("data"), at("keys"));
  const people = await seal(original.vault, 60);
  await stop();
  copyData(at("data"), at("backup"));
  copyData(at("data"), at("second-backup"));
  cpSync(at("keys"), at("forbidden-copy-of-keys"), { recursive: true });

  const later = await start(at("data"), at("keys"));
  const [destroyed, kept] = [people.slice(0, 20), people.slice(20)];
  const receipt = await later.vault.destroy(destroyed.map(({ recordId }) => recordId));
  const newcomers = await seal(later.vault, 5);
  await stop();

  const restored = await start(at("backup"), at("keys"));
  for (const { recordId, body } of kept)
    expect(await restored.vault.open(recordId, z.unknown())).toEqual(body);
  for (const { recordId } of [...destroyed, ...newcomers]) {
    await expect(restored.vault.open(recordId, z.unknown())).rejects.toThrow(RecordGone);
  }
  // The restored rows look alive; erasing them again finishes them, with the original receipt.
  expect(await restored.vault.destroy(destroyed.map(({ recordId }) => recordId))).toEqual(receipt);
  for (const { recordId, body } of kept)
    expect(await restored.vault.open(recordId, z.unknown())).toEqual(body);
  await stop();

  // Control, and the reason why key folders are never backed up: an old copy of the keys undoes every purge.
  const undone = await start(at("second-backup"), at("forbidden-copy-of-keys"));
  for (const { recordId, body } of people)
    expect(await undone.vault.open(recordId, z.unknown())).toEqual(body);
});
