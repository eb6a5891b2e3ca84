import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../../testing/postgres/embedded-fixture.ts";
import { type TestDatabase, testDatabase } from "../../testing/postgres/test-database.ts";
import { OperatorError } from "../process/operator-error.ts";
import { createPool, inTransaction, type Pool } from "./pool.ts";
import { eventRights, grantService, serviceRoles } from "./service-role.ts";

const role = `role_${randomUUID().replaceAll("-", "")}`;
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.connectionString, 2);
  await pool.query(`create role ${role} login password 'only-for-this-test'`);
});
afterAll(async () => {
  await pool.query(`drop owned by ${role}`);
  await pool.query(`drop role ${role}`);
  await pool.end();
  await database.drop();
});

const asRole = () => {
  const url = new URL(database.connectionString);
  url.username = role;
  url.password = "only-for-this-test";
  return url.href;
};

it("grants rights to every table of the schema", async () => {
  await inTransaction(pool, (client) => grantService(client, role));
  const { rows } = await pool.query<{ name: string; isReadable: boolean }>(
    `select relname as name, has_table_privilege($1, oid, 'select') as "isReadable" from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`,
    [role],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ isReadable }) => !isReadable).map(({ name }) => name)).toEqual([]);
});

it("hands over what the owner made while it ran the product", async () => {
  await pool.query(`
    create schema read_model;
    create type read_model.state as enum ('open');
    create table read_model.orders (id serial primary key, state read_model.state);
    create view read_model.ids as select id from read_model.orders;
    create function read_model.one() returns integer language sql as 'select 1'`);
  await inTransaction(pool, (client) => grantService(client, role));
  expect(await serviceRoles(pool)).toEqual([role]);
  for (const statement of [
    "insert into read_model.orders (state) values ('open')",
    "alter type read_model.state add value 'closed'",
    "alter table read_model.orders add column at timestamptz",
    "drop function read_model.one()",
    "drop schema read_model cascade",
    "create schema another",
  ])
    await ask(asRole(), statement);
});

it("says which right an owner lacks who may not hand over what it made", async () => {
  const owner = `owner_${randomUUID().replaceAll("-", "")}`;
  await pool.query(`create role ${owner}`);
  const owned = await testDatabase();
  const admin = createPool(owned.connectionString, 1);
  try {
    await admin.query(`
      do $$ declare relation regclass; begin
        execute format('alter database %I owner to ${owner}', current_database());
        for relation in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        loop execute format('alter table %s owner to ${owner}', relation); end loop;
      end $$;
      create schema read_model authorization ${owner}`);
    const grant = () =>
      inTransaction(admin, async (client) => {
        await client.query(`set local role ${owner}`);
        await grantService(client, role);
      });
    await expect(grant()).rejects.toThrow(OperatorError);
    await expect(grant()).rejects.toThrow(`grant "${role}" to the owner`);
    await admin.query(`grant ${role} to ${owner}`);
    await grant();
    await admin.query(`drop owned by ${role}`);
  } finally {
    await admin.end();
    await owned.drop();
    await pool.query(`drop role ${owner}`);
  }
});

it("tells whether the connected role could change events", async () => {
  await inTransaction(pool, (client) => grantService(client, role));
  const restricted = createPool(asRole(), 1);
  expect(await eventRights(restricted)).toEqual({ role, canChange: false });
  await pool.query(`grant trigger on events to ${role}`);
  expect(await eventRights(restricted)).toEqual({ role, canChange: true });
  // Granted anew, it has what it needs and no more.
  await inTransaction(pool, (client) => grantService(client, role));
  expect(await eventRights(restricted)).toEqual({ role, canChange: false });
  await restricted.end();
  expect(await eventRights(pool)).toMatchObject({ canChange: true });
});

it("refuses a role that does not exist, and one that could change events", async () => {
  await expect(grantService(pool, "absent")).rejects.toThrow("There is no database role absent");
  const { rows } = await pool.query<{ name: string }>("select current_user as name");
  await expect(grantService(pool, rows[0]?.name ?? "")).rejects.toThrow("is a superuser");
});
