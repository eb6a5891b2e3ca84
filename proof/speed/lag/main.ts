import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { ordersTable } from "../../../projections/orders/orders.ts";
import { median, quantile } from "../../figures.ts";
import { runMeasurement } from "../../run-measurement.ts";
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
/** The product closes connections that are idle for 5 s. */
const keptMs = 2_000;

const created = z.object({ id: z.uuid() });

/** Looks in the table again and again for orders that were acknowledged and are not shown yet. */
function watchTable(database: pg.Client) {
  const awaited = new Map<string, number>();
  let lagsMs: number[] = [];
  let isOver = false;
  const text = `select key from ${ordersTable} where key = any($1)`;
  async function look(): Promise<void> {
    while (!isOver) {
      await delay(lookEveryMs);
      if (awaited.size === 0) continue;
      const values = [[...awaited.keys()]];
      const { rows } = await database.query<{ key: string }>({ name: "shown", text, values });
      const at = performance.now();
      for (const { key } of rows) {
        lagsMs.push(at - (awaited.get(key) ?? at));
        awaited.delete(key);
      }
    }
  }
  const looking = look();
  return {
    acknowledged: (orderId: string) => {
      awaited.set(orderId, performance.now());
    },
    /** @returns lags in ms since the last call @throws OperatorError when an order is not shown in time */
    shown: async () => {
      const deadline = performance.now() + shownWithinMs;
      while (awaited.size > 0) {
        if (performance.now() > deadline) throw new OperatorError("An acknowledged order is not shown.");
        await delay(lookEveryMs);
      }
      const lags = lagsMs;
      lagsMs = [];
      return lags;
    },
    stop: async () => {
      isOver = true;
      await looking;
    },
  };
}

type Watch = ReturnType<typeof watchTable>;

type Connection = Awaited<ReturnType<typeof openConnection>>;

/** Orders that arrive at a fixed rate, on as many connections as they need. */
async function orderAt(
  { port, customers, watch }: { port: number; customers: Customers; watch: Watch },
  rate: number,
  seconds: number,
) {
  await using closing = new AsyncDisposableStack();
  const kept: { readonly connection: Connection; readonly sinceMs: number }[] = [];
  const arrived = await arrive(rate, seconds, async () => {
    const last = kept.pop();
    const isOpen = last !== undefined && performance.now() - last.sinceMs < keptMs;
    const connection = isOpen ? last.connection : closing.use(await openConnection(port));
    const answer = await connection.ask(customers.order());
    watch.acknowledged(created.parse(JSON.parse(answer)).id);
    kept.push({ connection, sinceMs: performance.now() });
  });
  await arrived.ended;
  if (arrived.turnedAway > 0)
    throw new OperatorError(`The product did not keep up with ${rate} orders a second.`);
  return arrived;
}

async function measure({ seconds, rate: wanted, seed }: OptionsOf<"proof:lag">): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const { port, connectionString } = await startMeasured(closing);
  const [database, locking] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  for (const client of [database, locking]) {
    await client.connect();
    closing.defer(() => client.end());
  }
  const watch = watchTable(database);
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
  const [p50, p99, most] = [median(lags), quantile(lags, 0.99), Math.max(...lags)];
  console.log(
    `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${most.toFixed(0)} ms (${lags.length} orders)`,
  );

  // A table that is locked shows nothing: the watch must see as much.
  await locking.query("begin");
  await locking.query(`lock table ${ordersTable} in exclusive mode`);
  const held = delay(lockedMs).then(() => locking.query("commit"));
  await orderAt(ordering, 5, 1);
  await held;
  const longest = Math.max(...(await watch.shown()));
  console.log(`Control: with the table locked for ${lockedMs} ms, the longest is ${longest.toFixed(0)} ms`);
  if (longest < lockedMs / 2) throw new OperatorError("The watch missed a table that was locked.");
  const isMet = p99 < mostMs;
  console.log(`\nTarget, p99 below ${mostMs} ms: ${isMet ? "met" : "MISSED"}.`);
  return isMet;
}

await runMeasurement(commandLine("proof:lag"), measure);
