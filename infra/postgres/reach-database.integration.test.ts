import { afterAll, beforeAll, expect, it } from "vitest";
import { ask } from "../../testing/postgres/embedded-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { freePort } from "../process/free-port.ts";
import { OperatorError } from "../process/operator-error.ts";
import { migrate } from "./migrate.ts";
import { reachDatabase } from "./reach-database.ts";

let ours: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
  ours = await testDatabase();
});
afterAll(() => ours.drop());

/** The same server, with part of the address changed. */
function changed(change: (url: URL) => void): string {
  const url = new URL(ours.connectionString);
  change(url);
  return url.toString();
}

/** Creates a foreign database for the duration of `work`. */
async function withForeign(options: string, work: (address: string) => Promise<void>): Promise<void> {
  const name = `foreign_${Date.now()}`;
  await ask(ours.connectionString, `create database ${name} template template0 ${options}`);
  try {
    await work(
      changed((url) => {
        url.pathname = name;
      }),
    );
  } finally {
    await ask(ours.connectionString, `drop database ${name} with (force)`);
  }
}

it("accepts our database, and an empty one", async () => {
  await reachDatabase(ours.connectionString);
  await withForeign("encoding 'UTF8'", (address) => reachDatabase(address));
});

it("names a refused password without repeating it", async () => {
  const address = changed((url) => {
    url.password = "opensesame";
  });
  const refusal = await reachDatabase(address).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OperatorError);
  expect(refusal).toMatchObject({ message: expect.stringContaining("refuses the password") });
  expect(String(refusal)).not.toContain("opensesame");
});

it("names a database that does not exist", async () => {
  const address = changed((url) => {
    url.pathname = "nowhere";
  });
  await expect(reachDatabase(address)).rejects.toThrow("/nowhere) cannot be used: there is no such database");
});

it("reports an unresponsive server, once it had time to start", async () => {
  const port = await freePort();
  const address = changed((url) => {
    url.port = String(port);
  });
  await expect(reachDatabase(address, undefined, 600)).rejects.toThrow("nothing listens there");
});

it("accepts a database that another process is just migrating", async () => {
  await withForeign("encoding 'UTF8'", async (address) => {
    await ask(address, "create table migrations ()");
    await expect(reachDatabase(address)).resolves.toBeUndefined();
  });
});

it("lets several processes connect to an empty database at once", async () => {
  await withForeign("encoding 'UTF8'", async (address) => {
    const start = async () => {
      await reachDatabase(address);
      await migrate(address);
    };
    await Promise.all(Array.from({ length: 6 }, start));
    await expect(reachDatabase(address)).resolves.toBeUndefined();
  });
});

it("refuses a database used by another program, and changes nothing", async () => {
  await withForeign("encoding 'UTF8'", async (address) => {
    await ask(address, "create table invoices ()");
    await expect(reachDatabase(address)).rejects.toThrow("it has the tables invoices");
    expect(
      await ask(address, "select count(*)::int as n from pg_tables where schemaname = 'public'"),
    ).toEqual([{ n: 1 }]);
  });
});

it("refuses a database that cannot hold every name", async () => {
  await withForeign("encoding 'SQL_ASCII'", (address) =>
    expect(reachDatabase(address)).rejects.toThrow("is a database in SQL_ASCII"),
  );
});

it("refuses a schema of a newer version", async () => {
  await ask(
    ours.connectionString,
    "insert into migrations (name, run_on) values ('9999_from-the-future', now())",
  );
  await expect(migrate(ours.connectionString)).rejects.toThrow("9999_from-the-future");
  await ask(ours.connectionString, "delete from migrations where name = '9999_from-the-future'");
  await migrate(ours.connectionString);
});
