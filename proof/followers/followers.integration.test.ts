import { afterEach, beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { proveFollowing } from "./follow.ts";
import { proveRebuilds } from "./rebuild.ts";

/** The same in every run: what fails fails again. */
const seed = 20_261_123;

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.drop());

test("Followers see every event in its place while sixteen writers commit late", async () => {
  const { written, findings } = await proveFollowing(database.connectionString, 5_000, seed);
  expect(findings).toEqual([]);
  expect(written).toBe(5_000);
});

test("Read models that got every event three times are as rebuilt, at any position", async () => {
  const report = await proveRebuilds(database.connectionString, { orders: 20, positions: 5, seed });
  expect(report.findings).toEqual([]);
  expect(report.rows).toBeGreaterThan(100);
});
