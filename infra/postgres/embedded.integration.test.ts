import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, it } from "vitest";
import { startEmbedded } from "./embedded.ts";
import { testDatabase } from "./test-database.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "certificates-embedded-"));
  folders.push(made);
  return made;
}

async function ask(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it("keeps what was written over a stop and a start", async () => {
  const directory = folder();
  const first = await startEmbedded({ directory });
  await ask(first.connectionString, "create table kept as select 42 as answer");
  await first.stop();
  const second = await startEmbedded({ directory });
  expect(await ask(second.connectionString, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

it("refuses a second owner of the same folder while the first lives", async () => {
  const directory = folder();
  const server = await startEmbedded({ directory });
  await expect(startEmbedded({ directory })).rejects.toThrow(
    "Another process is already running on this data folder",
  );
  expect(await ask(server.connectionString, "select 1 as alive")).toEqual([{ alive: 1 }]);
  await server.stop();
});

it("gives each test file a migrated database of its own", async () => {
  const [one, two] = [await testDatabase(), await testDatabase()];
  await ask(one.connectionString, "create table mine ()");
  await expect(ask(two.connectionString, "select * from mine")).rejects.toThrow("does not exist");
  expect(await ask(two.connectionString, "select count(*)::int as n from installation")).toEqual([{ n: 1 }]);
  await one.drop();
  await two.drop();
});
