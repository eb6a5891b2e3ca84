import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { ask } from "../../testing/postgres/embedded-fixture.ts";
import { withDatabase } from "../../testing/postgres/test-server.ts";
import { soon } from "../../testing/setup/patience.ts";
import { migrate } from "./migrate.ts";

const name = `test_${randomUUID().replaceAll("-", "")}`;
const server = inject("testServer");
const database = withDatabase(server, name);
beforeAll(() => ask(server, `create database ${name}`));
afterAll(() => ask(server, `drop database ${name} with (force)`));

const files = readdirSync(join(import.meta.dirname, "migrations")).map((file) => file.replace(/\.sql$/, ""));
const done = () => ask(database, "select name from migrations order by name");

it("migrates an empty database once, however many processes start at once", async () => {
  await Promise.all(Array.from({ length: 4 }, () => migrate(database)));
  expect(await done()).toEqual(files.map((file) => ({ name: file })));
});

it("waits for a running migration, and then finds nothing left to do", async () => {
  const holder = new pg.Client({ connectionString: database });
  await holder.connect();
  await holder.query("select pg_advisory_lock(7306521)");
  const second = migrate(database);
  // For this database only: others on the server use locks as well.
  await vi.waitFor(
    async () =>
      expect(
        await ask(
          database,
          `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        ),
      ).toHaveLength(1),
    soon,
  );
  await holder.end();
  await second;
  expect(await done()).toHaveLength(files.length);
});

describe("While another session uses a table, a migration", () => {
  async function use(table: string) {
    const holder = new pg.Client({ connectionString: database, application_name: "nightly dump" });
    await holder.connect();
    await holder.query(`begin; select 1 from ${table} limit 1`);
    return holder;
  }
  const newest = files.at(-1);
  beforeEach(() => ask(database, `delete from migrations where name = '${newest}'`));

  it("lets others read the table between its tries, and is applied once the session is done", async () => {
    const holder = await use("workers");
    let pauses = 0;
    const pause = async () => {
      // Behind a waiting migration this would wait too.
      await ask(database, "select 1 from workers limit 1");
      pauses += 1;
      if (pauses === 2) await holder.end();
    };
    await migrate(database, { lockTimeoutMs: 50, pause });
    expect(pauses).toBe(2);
    expect(await done()).toHaveLength(files.length);
  });

  it("gives up after some tries, and says which session is in the way", async () => {
    const holder = await use("workers");
    const migrating = migrate(database, { lockTimeoutMs: 400, tries: 2, pause: async () => undefined });
    await expect(migrating).rejects.toThrow(/In the way: process \d+ \(nightly dump\) since \d{4}-/);
    expect(await done()).toHaveLength(files.length - 1);
    await holder.end();
    await migrate(database);
  });

  it("or the migration lock itself, says so too", async () => {
    const holder = await use("workers");
    await holder.query("select pg_advisory_lock(7306521)");
    const migrating = migrate(database, { lockTimeoutMs: 400, tries: 1 });
    await expect(migrating).rejects.toThrow("(nightly dump) since");
    await holder.end();
    await migrate(database);
  });
});

it("refuses a database migrated by a newer version, and changes nothing", async () => {
  await ask(database, "insert into migrations (name, run_on) values ('9999_from-the-future', now())");
  await expect(migrate(database)).rejects.toThrow("a schema unknown to this version (9999_from-the-future)");
  expect(await done()).toHaveLength(files.length + 1);
});
