import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { z } from "zod";
import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import { personOf } from "../../services/operations/seed/seeded-requests.ts";
import { ask } from "../../testing/postgres/embedded-fixture.ts";
import { withDatabase } from "../../testing/postgres/test-server.ts";
import { soon } from "../../testing/setup/patience.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { ownSettings } from "../../testing/system/own-settings.ts";
import { startProduct } from "../../testing/system/product-process.ts";
import { createLoadFigures } from "../speed/load/call-figures.ts";
import { createCustomer } from "../speed/load/customer.ts";
import { bodiesOf, findCardDesk, placeOrder } from "../speed/load/order.ts";
import { findTarget } from "../speed/load/target.ts";

const server = inject("testServer");
const name = `test_${randomUUID().replaceAll("-", "")}`;
const [owner, service] = [`${name}_owner`, `${name}_service`];
const addressAs = (role: string): string => {
  const url = new URL(withDatabase(server, name));
  url.username = role;
  url.password = "only-for-this-test";
  return url.href;
};

beforeAll(async () => {
  for (const role of [owner, service])
    await ask(server, `create role ${role} login password 'only-for-this-test'`);
  await ask(server, `create database ${name} owner ${owner}`);
});
afterAll(async () => {
  await ask(server, `drop database ${name} with (force)`);
  for (const role of [owner, service]) await ask(server, `drop role ${role}`);
});

const migrateAs = (role: string, ...options: string[]) => {
  const main = join(import.meta.dirname, "..", "..", "services", "operations", "migrate", "main.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...options], {
    encoding: "utf8",
    ...ownSettings(temporaryFolder("migrate"), { DATABASE_URL: addressAs(role) }),
  });
  return { status, said: stdout + stderr };
};

test("A role that cannot change events is enough for a whole order", async () => {
  expect(migrateAs(service)).toEqual({ status: 1, said: expect.stringContaining("run npm run migrate") });
  expect(migrateAs(owner, "--grant", owner)).toEqual({
    status: 1,
    said: expect.stringContaining(`${owner} owns the tables`),
  });
  expect(migrateAs(owner, "--grant", service)).toEqual({
    status: 0,
    said: expect.stringContaining(`${service} may read and append events`),
  });
  const product = await startProduct({ DATABASE_URL: addressAs(service) });
  try {
    const figures = createLoadFigures();
    const target = await findTarget(product.url, false);
    const cards = await findCardDesk(target.url);
    const customer = createCustomer(figures, target.from(1));
    await placeOrder({ url: target.url, cards, customer, bodies: bodiesOf(personOf(seededRandom(1), 1)) });
    customer.leave();
    expect(figures.faults()).toBe(0);
    const typesOf = async () =>
      (await ask(addressAs(service), "select type from events order by position")).map(
        (row) => z.object({ type: z.string() }).parse(row).type,
      );
    await vi.waitFor(
      async () =>
        expect(await typesOf()).toEqual(
          expect.arrayContaining(["SubmittedToGRO", "SensitiveDataPurged", "MailSent"]),
        ),
      soon,
    );
  } finally {
    expect(await product.dispose()).toBe(0);
  }
  // An upgrade finds the role by its rights.
  expect(migrateAs(owner).said).toContain(service);
});

test.each([
  "update events set type = 'Forged'",
  "delete from events",
  "truncate events",
  "drop table events",
  "alter table events disable trigger log_only_grows",
  "drop trigger log_only_grows on events",
  "create or replace function refuse_change_of_log() returns trigger language plpgsql as 'begin return new; end'",
  "create rule forged as on insert to events do instead nothing",
  "alter table events owner to current_user",
  `grant ${owner} to current_user`,
  "update settings_texts set content = 'forged'",
  "delete from vault_records",
  "delete from audit_runs",
  "delete from migrations",
  "create table public.another (id integer)",
])("It may not: %s", async (statement) => {
  await expect(ask(addressAs(service), statement)).rejects.toMatchObject({ code: "42501" });
});
