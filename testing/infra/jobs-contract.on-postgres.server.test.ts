import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../postgres/test-database.ts";
import { describeBullMqOn } from "./jobs-contract.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeBullMqOn("the Postgres at POSTGRES_TEST_URL", () => database.connectionString);
