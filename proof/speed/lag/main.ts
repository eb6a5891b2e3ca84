import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { orderList } from "../../../projections/order-list/order-list.ts";
import { orderLookup } from "../../../projections/order-lookup.ts";
import { schemaOf } from "../../../projections/runner/projection.ts";
import { type Numbers, runMeasurement } from "../../command-line.ts";
import { median, quantile } from "../../figures.ts";
import { callFor, openConnection } from "../http/callers.ts";
import { type Customers, createCustomers } from "../http/customers.ts";
import { startMeasured } from "../http/product.ts";
import { arrive } from "../load/arrivals.ts";

// npm run proof:lag [-- --seconds 20 --rate 0 --seed 1 --only-report]: how long after the answer to a new order the
// read models show it. Orders arrive at half the rate that the product reaches when it is saturated, or at `--rate` a
// second.

const connections = 32;
const mostMs = 100;
const warmUpMs = 5_000;
const lookEveryMs = 4;
const shownWithinMs = 60_000;
const lockedMs = 400;

const created = z.object({ id: z.uuid() });
const models = { "order-lookup": orderLookup, "order-list": orderList } as const;
type Model = keyof typeof models;
const names = Object.keys(models) as Model[];
const tableOf = (model: Model) => `${schemaOf(models[model])}.orders`;

/** Looks in the tables again and again for orders that were acknowledged and are not shown yet. */
function watchTables(database: pg.Client) {
  const awaited = new Map<Model, Map<string, number>>(names.map((name) => [name, new Map()]));
  const lagsMs = new Map<Model, number[]>(names.map((name) => [name, []]));
  let isOver = false;
  const text = names
    .map((name, nth) => `select '${name}' as model, key from ${tableOf(name)} where key = any($${nth + 1})`)
    .join(" union all ");
  const open = () => names.some((name) => (awaited.get(name)?.size ?? 0) > 0);
  async function look(): Promise<void> {
    while (!isOver) {
      await delay(lookEveryMs);
      if (!open()) continue;
      const values = names.map((name) => [...(awaited.get(name)?.keys() ?? [])]);
      const { rows } = await database.query<{ model: Model; key: string }>({ name: "shown", text, values });
      const at = performance.now();
      for (const { model, key } of rows) {
        const since = awaited.get(model)?.get(key) ?? at;
        awaited.get(model)?.delete(key);
        lagsMs.get(model)?.push(at - since);
      }
    }
  }
  const looking = look();
  return {
    acknowledged: (orderId: string) => {
      for (const name of names) awaited.get(name)?.set(orderId, performance.now());
    },
    /** @returns lags in ms since the last call @throws OperatorError when an order is not shown in time */
    shown: async () => {
      const deadline = performance.now() + shownWithinMs;
      while (open()) {
        if (performance.now() > deadline) throw new OperatorError("An acknowledged order is not shown.");
        await delay(lookEveryMs);
      }
      const lags = new Map(lagsMs);
      for (const name of names) lagsMs.set(name, []);
      return lags;
    },
    stop: async () => {
      isOver = true;
      await looking;
    },
  };
}

type Watch = ReturnType<typeof watchTables>;

/** Orders that arrive at a fixed rate, on as many connections as they need. */
async function orderAt(
  { port, customers, watch }: { port: number; customers: Customers; watch: Watch },
  rate: number,
  seconds: number,
) {
  await using closing = new AsyncDisposableStack();
  const free: Awaited<ReturnType<typeof openConnection>>[] = [];
  const arrived = await arrive(rate, seconds, async () => {
    const connection = free.pop() ?? closing.use(await openConnection(port));
    const answer = await connection.ask(customers.order());
    watch.acknowledged(created.parse(JSON.parse(answer)).id);
    free.push(connection);
  });
  await arrived.ended;
  if (arrived.turnedAway > 0)
    throw new OperatorError(`The product did not keep up with ${rate} orders a second.`);
  return arrived;
}

async function measure({
  seconds,
  rate: wanted,
  seed,
}: Numbers<"seconds" | "rate" | "seed">): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const { port, connectionString } = await startMeasured(closing);
  const [database, locking] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  for (const client of [database, locking]) {
    await client.connect();
    closing.defer(() => client.end());
  }
  const watch = watchTables(database);
  closing.defer(() => watch.stop());
  const customers = createCustomers(seed);
  const ordering = { port, customers, watch };

  const saturated = await callFor({
    ...{ port, connections, warmUpMs, measureMs: seconds * 500, next: customers.order },
    onAnswer: (answer) => watch.acknowledged(created.parse(JSON.parse(answer)).id),
  });
  await watch.shown();
  const rate = wanted > 0 ? wanted : Math.max(1, Math.round(saturated.perSecond / 2));
  console.log(`${saturated.perSecond.toFixed(0)} orders a second on ${connections} connections`);

  const { latestMs } = await orderAt(ordering, rate, seconds);
  const lags = await watch.shown();
  console.log(`\n${rate} orders a second for ${seconds} s, each sent at most ${latestMs.toFixed(0)} ms late`);
  const slow = names.filter((name) => {
    const each = lags.get(name) ?? [];
    const [p50, p99, most] = [median(each), quantile(each, 0.99), Math.max(...each)];
    console.log(
      `${name.padEnd(16)}p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${most.toFixed(0)} ms (${each.length} orders)`,
    );
    return p99 >= mostMs;
  });

  // A table that is locked shows nothing: the watch must see as much.
  await locking.query("begin");
  await locking.query(`lock table ${tableOf("order-lookup")} in exclusive mode`);
  const held = delay(lockedMs).then(() => locking.query("commit"));
  await orderAt(ordering, 5, 1);
  await held;
  const longest = Math.max(...((await watch.shown()).get("order-lookup") ?? []));
  console.log(`Control: with the table locked for ${lockedMs} ms, the longest is ${longest.toFixed(0)} ms`);
  if (longest < lockedMs / 2) throw new OperatorError("The watch missed a table that was locked.");
  const verdict = slow.length === 0 ? "met" : `MISSED by ${slow.join(", ")}`;
  console.log(`\nTarget, p99 below ${mostMs} ms: ${verdict}.`);
  return slow.length === 0;
}

await runMeasurement({ name: "proof:lag", numbers: { seconds: 20, rate: 0, seed: 1 }, measure });
