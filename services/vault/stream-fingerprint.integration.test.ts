import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKeyRing } from "../../infra/key-ring/file-key-ring.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { createVault } from "./postgres-vault.ts";
import { fingerprinter } from "./stream-fingerprint.ts";
import { idDeriver } from "./vault.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let parts: TestVault;
beforeAll(async () => {
  database = await testDatabase();
  parts = await testVault(database.connectionString);
});
afterAll(async () => {
  await parts.dispose();
  await database.drop();
});

const deriveId = idDeriver(randomBytes(32));
const dueAt = "2030-01-01T00:00:00.000Z";
const of = (orderId: string, vault = parts.vault) =>
  fingerprinter({ vault, records: vault, deriveId, subject: orderId, dueAt, isFirst: false });
const form = { email: "gwen@example.org", name: "Gŵen" };

it("is equal for equal input with fields in any order, and differs for other input or another order", async () => {
  const orderId = randomUUID();
  const first = await of(orderId)(form);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await of(orderId)({ name: "Gŵen", email: "gwen@example.org" })).toBe(first);
  expect(await of(orderId)({ ...form, name: "Gwen" })).not.toBe(first);
  expect(await of(randomUUID())(form)).not.toBe(first);
});

it("is the same for 20 simultaneous first requests in two processes", async () => {
  const { pool, keyDir, mirrorDir } = parts;
  const keyRing = await openKeyRing({ directory: keyDir, mirror: mirrorDir, now: () => new Date() });
  const other = createVault({ pool, keyRing, now: () => new Date() });
  const orderId = randomUUID();
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, n) => of(orderId, n % 2 === 0 ? parts.vault : other)(form)),
  );
  expect(new Set(all).size).toBe(1);
  expect(await parts.vault.recordsOf(orderId)).toHaveLength(1);
});

it("is null for ever once the order's contact data was purged", async () => {
  const orderId = randomUUID();
  await of(orderId)(form);
  const records = await parts.vault.recordsOf(orderId, "contact");
  expect(records.map(({ kind, dueAt: due }) => [kind, due])).toEqual([["fingerprintKey", dueAt]]);
  await parts.vault.destroy(records.map(({ recordId }) => recordId));
  expect(await of(orderId)(form)).toBeNull();
  expect(await of(orderId)(form)).toBeNull();
  expect(await parts.vault.recordsOf(orderId)).toEqual([]);
});
