import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { findRunning } from "../../../infra/postgres/embedded-process.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { personOf } from "../../../services/operations/seed/seeded-requests.ts";
import { startProduct } from "../../../testing/system/product-process.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { createLoadFigures } from "../load/call-figures.ts";
import { createCustomer } from "../load/customer.ts";
import { bodiesOf, type CardDesk, findCardDesk, placeOrder, placeTogether } from "../load/order.ts";
import { findTarget, hasManyAddresses, type LoadTarget } from "../load/target.ts";
import { type Counters, countingSettings, openCounters } from "./counters.ts";
import { dearTogether, missed, reportLines, statementLines, workOf } from "./report.ts";

// npm run proof:work [-- --orders 40 --idle 60 --together 5 --seed 1 --statements 20 --only-report]: what one whole order
// costs, and what several cost that are paid for together. One caller places orders, one after another; purges and mails
// run beside. Counted from the first request to the last purge and webhook, less what the same time costs at rest.

/** A process runs for weeks: before anything is measured, statements are prepared and code is compiled. */
const warmUp = { orders: 200, callers: 8 } as const;
const doneWithinMs = 120_000;

type Given = OptionsOf<"proof:work">;
type Reading = Awaited<ReturnType<Counters["read"]>>;

type Range = {
  readonly from: number;
  readonly count: number;
  /** Orders per payment. */
  readonly together?: number;
};

/** Lets customers place whole orders in turn. @throws OperatorError when a call failed: its costs would be missing */
async function placeOrders(
  target: LoadTarget,
  cards: CardDesk,
  random: () => number,
  { from, count, together = 1 }: Range,
): Promise<void> {
  const figures = createLoadFigures();
  for (let nth = from; nth < from + count; nth++) {
    const customer = createCustomer(figures, target.from(nth));
    const bodies = bodiesOf(personOf(random, nth));
    const placed = { url: target.url, cards, customer };
    if (together === 1) await placeOrder({ ...placed, bodies });
    else await placeTogether({ ...placed, bodies: Array.from({ length: together }, () => bodies) });
    customer.leave();
  }
  if (figures.faults() > 0) throw new OperatorError("A call failed: the figures would lack its costs.");
}

/**
 * The sandbox's GRO reports the despatch a minute after submission, which is no part of the orders counted here.
 * @throws OperatorError when its reports cannot be turned off
 */
async function despatchNothing(url: string): Promise<void> {
  const { ok, status } = await fetch(`${url}/sandbox/gro/behaviour`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ mode: "loseNotices" }),
  });
  if (!ok) throw new OperatorError(`The sandbox's GRO answered ${status}.`);
}

const unfinished = `
  select greatest(0, $1 - (select count(*) from events where type = 'SensitiveDataPurged'))
       + (select count(*) from work where due_at < now() + interval '1 minute')
       + (select count(*) from sandbox.deliveries) as n`;

/** Waits until so many orders are purged, no task is due within a minute, and every webhook was delivered. */
async function untilDone(counters: Counters, orders: number): Promise<void> {
  const deadline = performance.now() + doneWithinMs;
  let left = Number.NaN;
  while (performance.now() < deadline) {
    left = await counters.ask(unfinished, [orders]);
    if (left === 0) return;
    await delay(500);
  }
  throw new OperatorError(
    `After ${doneWithinMs / 1000} s, ${left} purges, tasks and webhooks are still open.`,
  );
}

const spanOf = (from: Reading, to: Reading) => ({
  from: from.counts,
  to: to.counts,
  seconds: (to.atMs - from.atMs) / 1000,
});

const controlled = 50;

/**
 * Negative control: known work must be counted, before anything is concluded from the counters.
 * @throws OperatorError naming the counter that misses it
 */
async function control(counters: Counters, connectionString: string): Promise<void> {
  const before = (await counters.read()).counts;
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("create table counted_control (n integer, filler text)");
  for (let n = 0; n < controlled; n++)
    await client.query("insert into counted_control values ($1, $2)", [n, "x".repeat(200)]);
  await client.query("select count(*) from generate_series(1, 3000000) as n");
  await client.end();
  const after = (await counters.read()).counts;
  const least = {
    transactions: controlled,
    fsyncs: controlled,
    walBytes: controlled * 200,
    insertedRows: controlled,
    statements: controlled,
    postgresCpuMs: 100,
  } as const;
  const names = [
    "transactions",
    "fsyncs",
    "walBytes",
    "insertedRows",
    "statements",
    "postgresCpuMs",
  ] as const;
  const blind = names.filter((name) => after[name] - before[name] < least[name]);
  if (blind.length > 0) throw new OperatorError(`The counters miss known work: ${blind.join(", ")}.`);
}

async function measure({ orders, idle, together, seed, statements }: Given): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-work-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const server = await startEmbedded({ directory, settings: countingSettings });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  const product = await startProduct({
    DATABASE_URL: connectionString,
    LOG_LEVEL: "error",
    ...(hasManyAddresses ? {} : { TRUST_PROXY: "1" }),
  });
  closing.defer(() => product.dispose().then(() => undefined));
  const postmaster = findRunning(join(directory, "cluster"))?.pid ?? 0;
  const counters = await openCounters(connectionString, { product: product.pid, postmaster });
  closing.defer(() => counters.close());

  console.log(
    `Whole orders, one caller: ${orders} after ${warmUp.orders} to warm up; ${idle} s at rest before.`,
  );
  const random = seededRandom(seed);
  const target = await findTarget(product.url, false);
  const cards = await findCardDesk(target.url);
  await despatchNothing(target.url);
  const each = warmUp.orders / warmUp.callers;
  await Promise.all(
    Array.from({ length: warmUp.callers }, (_, caller) =>
      placeOrders(target, cards, random, { from: caller * each, count: each }),
    ),
  );
  await untilDone(counters, warmUp.orders);
  await control(counters, connectionString);
  const rest = await counters.read();
  await delay(idle * 1000);
  const before = await counters.read();
  const resting = spanOf(rest, before);
  await placeOrders(target, cards, random, { from: warmUp.orders, count: orders });
  await untilDone(counters, warmUp.orders + orders);
  const after = await counters.read();
  const work = workOf(resting, spanOf(before, after), orders);

  const payments = Math.ceil(orders / together);
  const all = warmUp.orders + orders;
  await placeOrders(target, cards, random, { from: all, count: payments, together });
  await untilDone(counters, all + payments * together);
  const end = await counters.read();
  const ofTogether = workOf(resting, spanOf(after, end), payments);
  const several = { orders: together, work: ofTogether };
  console.log(`\n${reportLines(work, several).join("\n")}`);
  if (statements > 0) {
    const ofOne = statementLines(before.statements, after.statements, orders, statements);
    const ofSeveral = statementLines(after.statements, end.statements, payments, statements);
    console.log(`\n${ofOne.join("\n")}\n\n${together} together:\n${ofSeveral.join("\n")}`);
  }
  const above = [...missed(work), ...dearTogether(work, several)];
  console.log(`\nTargets: ${above.length === 0 ? "all are met" : `MISSED: ${above.join(", ")}`}.`);
  return above.length === 0;
}

await runMeasurement(commandLine("proof:work"), measure);
