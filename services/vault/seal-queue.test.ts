import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { expect, it, vi } from "vitest";
import type { KeySlot } from "../../infra/key-ring/key-ring.ts";
import { soon } from "../../testing/setup/patience.ts";
import { createSealQueue } from "./seal-queue.ts";
import type { SealedRow } from "./vault-rows.ts";

let nextSlot = 0;
function row(): SealedRow {
  return {
    recordId: randomUUID(),
    subject: randomUUID(),
    dataClass: "application",
    kind: "application",
    schemaVersion: 1,
    nonce: randomBytes(12),
    ciphertext: randomBytes(40),
    slot: { segment: "0".repeat(32), slot: nextSlot++ },
    keyFingerprint: "0".repeat(32),
    dueAt: "2030-01-01T00:00:00.000Z",
    sealedAt: new Date("2026-01-01T00:00:00.000Z"),
  };
}

/** A table whose statements wait until released, and which records the size of each batch. */
function table(answer: (rows: readonly SealedRow[]) => KeySlot[] = (rows) => rows.map(({ slot }) => slot)) {
  const sizes: number[] = [];
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((open) => {
    letGo = open;
  });
  const insert = async (rows: readonly SealedRow[]) => {
    sizes.push(rows.length);
    await gate;
    return answer(rows);
  };
  return { sizes, insert, letGo: () => letGo() };
}

it("inserts the records of one request with one statement", async () => {
  const { insert, sizes, letGo } = table();
  const seal = createSealQueue(insert);
  const sealed = async () => {
    await Promise.resolve(); // As a key is taken.
    return seal(row());
  };
  letGo();
  expect(await Promise.all([sealed(), sealed(), sealed()])).toEqual([true, true, true]);
  expect(sizes).toEqual([3]);
});

it("batches records that arrive while a statement is in flight, up to 256", async () => {
  const { insert, sizes, letGo } = table();
  const seal = createSealQueue(insert);
  const first = seal(row());
  await vi.waitFor(() => expect(sizes).toEqual([1]), soon);
  const outcomes = Array.from({ length: 600 }, () => seal(row()));
  letGo();
  expect(await Promise.all([first, ...outcomes])).toEqual(Array(601).fill(true));
  expect(sizes).toEqual([1, 256, 256, 88]);
});

it("refuses the 4,097th waiting record, and accepts more once there is room", async () => {
  const { insert, letGo } = table();
  const seal = createSealQueue(insert);
  const outcomes = Array.from({ length: 4096 }, () => seal(row()));
  await expect(seal(row())).rejects.toMatchObject({ name: "VaultBusy" });
  letGo();
  expect(await Promise.all(outcomes)).toHaveLength(4096);
  expect(await seal(row())).toBe(true);
});

it("reports to each caller whether its record was new, even if an id comes twice in a batch", async () => {
  const { insert, letGo } = table((rows) => rows.slice(0, 2).map(({ slot }) => slot));
  const seal = createSealQueue(insert);
  const outcomes = [row(), row(), row()].map(seal);
  letGo();
  expect(await Promise.all(outcomes)).toEqual([true, true, false]);
});

/** As the server says it. */
const databaseError = (code: string) => Object.assign(new pg.DatabaseError("no", 2, "error"), { code });

it("retries a refused batch record by record, and keeps working afterwards", async () => {
  const bad = row();
  const insert = vi.fn(async (rows: readonly SealedRow[]) => {
    if (rows.includes(bad)) throw databaseError("22P02");
    return rows.map(({ slot }) => slot);
  });
  const seal = createSealQueue(insert);
  const outcomes = await Promise.allSettled([row(), row(), bad, row()].map(seal));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await seal(row())).toBe(true);
});

it.each([
  ["is away", new Error("Connection terminated unexpectedly")],
  ["has no room", databaseError("53300")],
])("asks a database that %s once for a whole batch", async (_, error) => {
  const insert = vi.fn(async () => Promise.reject(error));
  const seal = createSealQueue(insert);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => seal(row())));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(insert).toHaveBeenCalledTimes(1);
});
