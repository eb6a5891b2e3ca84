import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    testServer: string;
  }
}

/** Vitest's global set-up: one server per run, with a migrated template that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), "certificates-test-"));
  // Not durable on purpose: durability is tested on separate servers.
  const server = await startEmbedded({
    directory,
    settings: ["fsync=off", "synchronous_commit=off", "full_page_writes=off"],
  });
  await makeTemplate(server.connectionString);
  project.provide("testServer", server.connectionString);
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

/** Creates the migrated database that `testDatabase` clones, replacing any existing one. */
export async function makeTemplate(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query("drop database if exists template_for_tests");
    await client.query("create database template_for_tests");
    await migrate(withDatabase(connectionString, "template_for_tests"));
  } finally {
    await client.end();
  }
}

/** The same server, another database. */
export function withDatabase(connectionString: string, database: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.toString();
}
