import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { timeOrdered } from "../../../domain/time-ordered-ids.ts";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { createPool, type Pool } from "../../../infra/postgres/pool.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { createOrderQueries } from "../../../projections/orders/order-queries.ts";
import { ordersProjection, ordersTable } from "../../../projections/orders/orders.ts";
import { rebuild } from "../../../projections/runner/rebuild-projection.ts";
import { seedBulk } from "../../../services/operations/seed/bulk-orders.ts";
import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { median } from "../../figures.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { batchedDriver, type Tip } from "../append/drivers.ts";

// npm run proof:growth [-- --small 100000 --large 10000000 --rounds 5 --seconds 3 --seed 1 --only-report]: whether
// appends and reads slow down as the log grows. Two logs with their order lookups on one durable Postgres; rounds
// alternate.

const least = 0.9;
const appenders = 64;
const readers = 32;
const warmUpMs = 500;
/** About as many as an order has. */
const eventsPerOrder = 14;
const streamLength = 5;
const mostAsked = 20_000;
/** The control must slow down at least so many times. */
const controlSlows = 3;

type Given = OptionsOf<"proof:growth">;

/** A log of a size, with what is done on it again and again. */
type GrownLog = { readonly events: number; readonly work: Readonly<Record<Work, Callers>> };
type Callers = { readonly callers: number; readonly call: (caller: number) => Promise<unknown> };

const works = {
  append: "appends",
  lookup: "lookups by order number",
  stream: "reads of one order's stream",
  control: "control: counts of all orders",
} as const;
type Work = keyof typeof works;
const everyWork = Object.keys(works) as Work[];

/** Calls a second, each caller waiting for its answer. */
async function rateOf({ callers, call }: Callers, seconds: number): Promise<number> {
  const from = performance.now() + warmUpMs;
  const to = from + seconds * 1000;
  let done = 0;
  const keepCalling = async (caller: number) => {
    while (performance.now() < to) {
      await call(caller);
      const now = performance.now();
      if (now >= from && now < to) done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => keepCalling(caller)));
  return done / seconds;
}

/** As autovacuum does while a log grows: after a copy of millions it would do so during the rounds. */
async function freeze(pool: Pool, table: string): Promise<void> {
  const client = await pool.connect();
  await client.query("set statement_timeout = 0");
  await client.query(`vacuum (freeze, analyze) ${table}`);
  client.release(true);
}

/** Fills a database of its own with past orders, and their lookup. */
async function grow(
  closing: AsyncDisposableStack,
  server: string,
  { name, events: wanted, seed }: { name: string; events: number; seed: number },
): Promise<GrownLog> {
  const address = new URL(server);
  const admin = createPool(server, 1);
  await admin.query(`create database ${name}`);
  await admin.end();
  address.pathname = `/${name}`;
  const connectionString = address.href;
  await migrate(connectionString);
  const pool = createPool(connectionString);
  closing.defer(() => pool.end());
  const store = createPostgresEventStore({ pool, connectionString });
  closing.defer(() => store.close());
  const secrets = { secret: async () => Buffer.alloc(32, seed) };
  const events = await seedBulk({ pool, secrets }, { orders: Math.ceil(wanted / eventsPerOrder), seed });
  await freeze(pool, "events");
  await rebuild(ordersProjection, { pool, store, newId: randomUUID });
  await freeze(pool, ordersTable);

  const { rows } = await pool.query<{ id: string; number: string }>(
    `select key as id, order_number as number from ${ordersTable} order by md5(key::text) limit ${mostAsked}`,
  );
  const random = seededRandom(seed);
  const anyOrder = () => {
    const order = rows[Math.floor(random() * rows.length)];
    if (!order) throw new OperatorError("The log has no orders.");
    return order;
  };
  const driver = batchedDriver(connectionString);
  closing.defer(() => driver.close());
  const streams = new Map<number, { readonly name: string; readonly tip: Tip; readonly length: number }>();
  const append = async (caller: number) => {
    const open = streams.get(caller);
    const stream =
      open && open.length < streamLength
        ? open
        : {
            name: `order-${timeOrdered(randomUUID(), Date.now())}`,
            tip: { revision: "none", hash: null } as const,
            length: 0,
          };
    const tip = await driver.append(stream.name, stream.tip);
    streams.set(caller, { ...stream, tip, length: stream.length + 1 });
  };
  const { lookup } = createOrderQueries(pool);
  const found = async (answer: Promise<unknown>) => {
    if ((await answer) === undefined) throw new OperatorError("An order of the log was not found.");
  };
  console.log(`${name}: ${events} events of ${Math.ceil(wanted / eventsPerOrder)} orders`);
  return {
    events,
    work: {
      append: { callers: appenders, call: append },
      lookup: { callers: readers, call: () => found(lookup(anyOrder().number)) },
      stream: {
        callers: readers,
        call: async () => {
          const stream = await store.readStream(`order-${anyOrder().id}`);
          if (stream.length === 0) throw new OperatorError("A stream of the log was not found.");
        },
      },
      control: { callers: 1, call: () => pool.query(`select count(*) from ${ordersTable}`) },
    },
  };
}

/** Each log comes first every other round: the second finds the disk busy with what the first has written. */
const inTurn = (round: number) => (round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const));

async function measure({ small, large, rounds, seconds, seed }: Given): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-growth-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const { connectionString, stop } = await startEmbedded({ directory });
  closing.defer(() => stop());
  const logs = [
    await grow(closing, connectionString, { name: "small", events: small, seed }),
    await grow(closing, connectionString, { name: "large", events: large, seed }),
  ] as const;

  // What filling them left to write must not slow down the first rounds.
  const admin = createPool(connectionString, 1);
  await admin.query("checkpoint");
  await admin.end();
  const rates = new Map<Work, number[][]>(everyWork.map((work) => [work, [[], []]]));
  for (let round = 0; round < rounds; round++)
    for (const work of everyWork)
      for (const nth of inTurn(round))
        rates.get(work)?.[nth]?.push(await rateOf(logs[nth].work[work], seconds));

  console.log(`\n${"a second, medians".padEnd(34)}${["small", "large", "ratio"].map(cell).join("")}`);
  const ratios = new Map<Work, number>();
  for (const [work, [few = [], many = []]] of rates) {
    const ratio = median(many.map((rate, n) => rate / (few[n] ?? Number.NaN)));
    ratios.set(work, ratio);
    const figures = [median(few).toFixed(0), median(many).toFixed(0), ratio.toFixed(2)];
    console.log(`${works[work].padEnd(34)}${figures.map(cell).join("")}`);
  }
  const control = ratios.get("control") ?? Number.NaN;
  if (!(control * controlSlows < 1))
    throw new OperatorError("The control did not slow down: these logs are too alike to conclude anything.");
  const slower = everyWork.filter((work) => work !== "control" && (ratios.get(work) ?? 0) < least);
  const verdict = slower.length === 0 ? "met" : `MISSED by ${slower.map((work) => works[work]).join(", ")}`;
  console.log(`\nTarget, ${least} of the rate on the small log: ${verdict}.`);
  return slower.length === 0;
}

const cell = (text: string): string => text.padStart(12);

await runMeasurement(commandLine("proof:growth"), measure);
