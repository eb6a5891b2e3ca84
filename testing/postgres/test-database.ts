import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { withDatabase } from "./test-server.ts";

export type TestDatabase = { connectionString: string; drop: () => Promise<void> };

/** A fresh, migrated database. Call in `beforeAll`, dispose in `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = inject("testServer");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await asAdmin(server, `create database ${name} template template_for_tests`);
  return {
    connectionString: withDatabase(server, name),
    drop: () => asAdmin(server, `drop database ${name} with (force)`),
  };
}

async function asAdmin(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
