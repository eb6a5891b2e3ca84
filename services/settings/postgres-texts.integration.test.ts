import { hash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool, type Pool } from "../../infra/postgres/pool.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createSettingsTexts } from "./postgres-texts.ts";

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

test("A text is kept once under its SHA-256, however its fields are ordered, and read back", async () => {
  const texts = createSettingsTexts(pool);
  const digest = await texts.keep({ name: "Siân Ŵyn", source: "a letter" });
  expect(await texts.keep({ source: "a letter", name: "Siân Ŵyn" })).toBe(digest);
  expect(digest).toBe(hash("sha256", '{"name":"Siân Ŵyn","source":"a letter"}', "hex"));
  expect(await texts.read(digest)).toEqual({ name: "Siân Ŵyn", source: "a letter" });
  await expect(texts.read("0".repeat(64))).rejects.toThrow(expect.objectContaining({ name: "TextMissing" }));
});

test("The database itself refuses to change or remove a text, or to take one under another's digest", async () => {
  const digest = await createSettingsTexts(pool).keep({ name: "kept" });
  const refused = /only added/;
  await expect(pool.query("update settings_texts set content = 'x'")).rejects.toThrow(refused);
  await expect(pool.query("delete from settings_texts")).rejects.toThrow(refused);
  await expect(pool.query("truncate settings_texts")).rejects.toThrow(refused);
  await expect(
    pool.query("insert into settings_texts (digest, content) values ($1, 'other')", ["0".repeat(64)]),
  ).rejects.toThrow(/settings_texts_check|violates check/);
  expect(await createSettingsTexts(pool).read(digest)).toEqual({ name: "kept" });
});
