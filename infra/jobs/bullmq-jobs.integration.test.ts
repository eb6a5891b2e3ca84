import { afterAll, beforeAll } from "vitest";
import { describeBullMqOn } from "../../testing/infra/jobs-contract.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeBullMqOn("BullMQ's Postgres backend", () => database.connectionString);
