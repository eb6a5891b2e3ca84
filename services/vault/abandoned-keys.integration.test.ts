import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { destroyAbandonedKeys } from "./abandoned-keys.ts";
import { createVault } from "./postgres-vault.ts";
import type { Database } from "./vault-rows.ts";

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

const now = () => new Date();
const confirmLog = async () => undefined;
const inAnHour = () => new Date(Date.now() + 3_600_000);

/** A vault whose connection breaks while sealing, before or after the server stored the record. */
function vaultThatLosesItsConnection(when: "before" | "after") {
  const pool: Database = {
    query: async (statement) => {
      if (when === "after") await parts.pool.query(statement);
      throw new Error("connection lost");
    },
  };
  return createVault({ pool, keyRing: parts.keyRing, now });
}

it("erases the key of a record that was never stored, and no other", async () => {
  const [lost, stored, acknowledged] = [recordFor(), recordFor(), recordFor()];
  await parts.vault.seal(acknowledged);
  await expect(vaultThatLosesItsConnection("before").seal(lost)).rejects.toThrow("connection lost");
  await expect(vaultThatLosesItsConnection("after").seal(stored)).rejects.toThrow("connection lost");
  const own = { ...parts, confirmLog, begunAt: null };
  const [first, second, ...others] = await parts.keyRing.unsettled(inAnHour());
  if (!first || !second) throw new Error("expected two unresolved keys");
  expect(others).toEqual([]);
  expect(await destroyAbandonedKeys(own, new Date(Date.now() - 3_600_000))).toBe(0);
  expect(await destroyAbandonedKeys(own, inAnHour())).toBe(1);
  await expect(parts.keyRing.read(first)).rejects.toThrow("was erased");
  expect(await parts.keyRing.unsettled(inAnHour())).toEqual([]);
  for (const { recordId, body } of [stored, acknowledged]) {
    expect(await parts.vault.open(recordId, z.unknown())).toEqual(body);
  }
});

it("leaves no key for a record that the server refused", async () => {
  await expect(parts.vault.seal(recordFor({ recordId: "not-a-uuid" }))).rejects.toThrow("uuid");
  expect(await parts.keyRing.unsettled(inAnHour())).toEqual([]);
});

it("resolves new and earlier records", async () => {
  const record = recordFor();
  await parts.vault.seal(record);
  expect(await parts.vault.seal(record)).toBe("existed");
  expect(await parts.keyRing.unsettled(inAnHour())).toEqual([]);
});
