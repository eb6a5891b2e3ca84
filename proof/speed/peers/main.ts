import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { createCustomers } from "../http/customers.ts";
import { startProductOn, startServer } from "../http/product.ts";
import { compareAppends } from "./appends.ts";
import { loadEmmett } from "./emmett.ts";
import { emmettOrdersTable } from "./emmett-orders.ts";
import { lookUpOrders, type OrderServer, placeOrders } from "./orders-and-lookups.ts";
import { type PeerOrder, startPeer } from "./peer-process.ts";
import { compareRebuilds } from "./rebuilds.ts";
import { report } from "./rounds.ts";

// npm run proof:peers [-- --rounds 5 --seconds 3 --orders 5000 --seed 1 --emmett FOLDER --only-report]: orders and
// lookups over HTTP, appends and rebuilds, beside others that do the same. One durable Postgres, all on this machine.

const firstMs = 8_000;
const caughtUpWithinMs = 60_000;

type Options = OptionsOf<"proof:peers">;

async function isShown(port: number, orderNumber: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/orders/lookup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ orderNumber }),
  });
  await answer.arrayBuffer();
  return answer.ok;
}

async function caughtUp(port: number, latest: string): Promise<void> {
  const deadline = performance.now() + caughtUpWithinMs;
  while (!(await isShown(port, latest))) {
    if (performance.now() > deadline) throw new OperatorError("The read models did not catch up.");
    await delay(200);
  }
  await delay(1_000);
}

async function query(connectionString: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: string }>(text);
    return rows.map(({ n }) => n);
  } finally {
    await client.end();
  }
}

/** @returns the address of a new database on the same server */
async function newDatabase(connectionString: string, name: string): Promise<string> {
  await query(connectionString, `create database ${name}`);
  const address = new URL(connectionString);
  address.pathname = `/${name}`;
  return address.href;
}

async function startServers(
  closing: AsyncDisposableStack,
  product: { readonly port: number; readonly connectionString: string },
  emmett: string | undefined,
): Promise<readonly OrderServer[]> {
  const peer = async (
    name: string,
    order: Exclude<PeerOrder, { serve: "bare" }>,
    has: string,
  ): Promise<OrderServer> => ({
    name,
    port: await startPeer(closing, order),
    kept: () => query(order.connectionString, has),
  });
  const at = (name: string) => newDatabase(product.connectionString, name);
  return [
    {
      name: "The product",
      port: product.port,
      settled: (latest) => caughtUp(product.port, latest),
      kept: () =>
        query(
          product.connectionString,
          "select data->>'orderNumber' as n from events where type = 'OrderCreated'",
        ),
    },
    ...(emmett === undefined
      ? []
      : [
          await peer(
            "Emmett",
            { serve: "emmett", emmett, connectionString: await at("emmett") },
            `select order_number as n from ${emmettOrdersTable}
              join emt_messages on stream_id = 'order-' || id and message_type = 'OrderCreated'`,
          ),
        ]),
    await peer(
      "Express and pg",
      { serve: "plain", connectionString: await at("plain") },
      "select order_number as n from plain_orders join plain_contacts on order_id = id",
    ),
    { name: "Express alone", port: await startPeer(closing, { serve: "bare" }) },
  ];
}

async function overHttp(connectionString: string, { emmett, rounds, seconds, seed }: Options) {
  await using closing = new AsyncDisposableStack();
  const product = await startProductOn(closing, connectionString);
  const servers = await startServers(closing, product, emmett);
  const customers = createCustomers(seed);
  const timing = { firstMs, measureMs: seconds * 1000, rounds };
  const orders = await placeOrders(servers, customers, timing);
  const lookups = await lookUpOrders(servers, orders.acknowledged, customers, timing);
  return [
    report("Orders", orders.rounds, [
      { over: "Emmett", least: 3 },
      { over: "Express and pg", least: 0.8 },
    ]),
    report("Lookups", lookups, [
      { over: "Emmett", least: 3 },
      { over: "Express and pg", least: 1.5 },
      { over: "Express alone", least: 0.6 },
    ]),
  ];
}

async function run(options: Options): Promise<boolean> {
  const { emmett, rounds, seconds, orders, seed } = options;
  console.log(
    emmett === undefined
      ? "Emmett is not measured: it has no licence, so it is installed by whoever gives --emmett FOLDER."
      : `Emmett ${loadEmmett(emmett).version}`,
  );
  await using closing = new AsyncDisposableStack();
  const connectionString = await startServer(closing);
  const http = await overHttp(connectionString, options);
  const appends = await compareAppends(await newDatabase(connectionString, "appends"), {
    ...{ emmett, rounds, measureMs: seconds * 1000 },
  });
  const rebuilds = await compareRebuilds(await newDatabase(connectionString, "rebuilds"), {
    ...{ emmett, orders, rounds, seed },
  });
  const reports = [
    ...http,
    report("Appends", appends, [{ over: "Emmett", least: 5 }, { over: "One insert per transaction" }]),
    report("Rebuilds", rebuilds, [{ over: "Emmett" }, { over: "SQL alone" }]),
  ];
  for (const { lines } of reports) console.log(lines.join("\n"));
  return reports.every(({ holds }) => holds);
}

await runMeasurement(commandLine("proof:peers"), run);
