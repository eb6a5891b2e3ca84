import { expect, onTestFinished, test } from "vitest";
import { createPool } from "../../../infra/postgres/pool.ts";
import { testDatabase } from "../../../testing/postgres/test-database.ts";
import { temporaryFolder } from "../../../testing/setup/temporary-folder.ts";
import { createCustomers } from "../http/customers.ts";
import { compareAppends } from "./appends.ts";
import { lookUpOrders, type OrderServer, placeOrders } from "./orders-and-lookups.ts";
import { startPeer } from "./peer-process.ts";
import { compareRebuilds } from "./rebuilds.ts";

const measureMs = 200;
const timing = { firstMs: 10, measureMs, rounds: 1 };

async function database(): Promise<string> {
  const { connectionString, drop } = await testDatabase();
  onTestFinished(drop);
  return connectionString;
}

async function startPeers(closing: AsyncDisposableStack, connectionString: string) {
  const pool = closing.adopt(createPool(connectionString), (opened) => opened.end());
  const plain: OrderServer = {
    name: "Express and pg",
    port: await startPeer(closing, { serve: "plain", connectionString }),
    kept: async () => {
      const { rows } = await pool.query<{ n: string }>("select order_number as n from plain_orders");
      return rows.map(({ n }) => n);
    },
  };
  const bare: OrderServer = { name: "Express alone", port: await startPeer(closing, { serve: "bare" }) };
  return { plain, bare };
}

test("The peers take the product's orders and lookups", async () => {
  await using closing = new AsyncDisposableStack();
  const { plain, bare } = await startPeers(closing, await database());
  const customers = createCustomers(1);
  const { rounds, acknowledged } = await placeOrders([plain, bare], customers, timing);
  const lookups = await lookUpOrders([plain, bare], acknowledged, customers, timing);
  for (const ran of [rounds, lookups]) expect([...ran.keys()]).toEqual([plain.name, bare.name]);
  for (const { name } of [plain, bare]) expect(acknowledged.get(name)?.length, name).toBeGreaterThan(0);
  expect(new Set(await plain.kept?.())).toEqual(new Set(acknowledged.get(plain.name)));
});

test("A server that does not have what it acknowledged is found", async () => {
  await using closing = new AsyncDisposableStack();
  const { plain } = await startPeers(closing, await database());
  const forgetful = { ...plain, kept: async () => ((await plain.kept?.()) ?? []).slice(1) };
  await expect(placeOrders([forgetful], createCustomers(1), timing)).rejects.toThrow(
    /^Express and pg acknowledged \d+ orders and does not have 1 of them/,
  );
});

test("A lookup of an order that a server does not have ends the measurement", async () => {
  await using closing = new AsyncDisposableStack();
  const { plain } = await startPeers(closing, await database());
  const unknown = new Map([[plain.name, ["AAAA-AAAA-AAAAA"]]]);
  await expect(lookUpOrders([plain], unknown, createCustomers(1), timing)).rejects.toThrow(
    "answered with 404",
  );
});

test("Appends and rebuilds are measured", async () => {
  const appends = await compareAppends(await database(), { emmett: undefined, rounds: 1, measureMs });
  const given = { emmett: undefined, orders: 20, rounds: 1, seed: 1 };
  const rebuilds = await compareRebuilds(await database(), given);
  expect([...appends.keys()]).toEqual(["The product", "One insert per transaction"]);
  expect([...rebuilds.keys()]).toEqual(["The product", "SQL alone"]);
});

test("A folder without Emmett is refused with how to install it", async () => {
  const emmett = temporaryFolder("peers");
  const given = { emmett, orders: 1, rounds: 1, seed: 1 };
  await expect(compareRebuilds(await database(), given)).rejects.toThrow(
    `${emmett} does not have Emmett. Install it there: npm install`,
  );
});
