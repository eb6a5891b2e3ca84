import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { z } from "zod";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import { personOf } from "../../../services/operations/seed/people.ts";
import { seededRandom } from "../../../services/operations/seed/seeded-random.ts";
import { orderBodyOf } from "../../../services/operations/seed/seeded-requests.ts";
import { startProduct } from "../../../web/e2e/product.ts";
import { machineLine, median } from "../../figures.ts";
import { wish } from "../load/order.ts";
import { type Called, callFor, type WireRequest } from "./callers.ts";

// npm run proof:http [-- --rounds 5 --seconds 3 --seed 1 --only-report]: orders and lookups over HTTP, beside plain
// Express with pg, and Express alone. One durable Postgres, 32 connections, all on this machine. Rounds alternate, so
// slow moments of the machine affect all.

const connections = 32;
const warmUpMs = 500;
/** Requests are counted by address. */
const addresses = 20_000;
const mostLookedUp = 2_000;
const caughtUpWithinMs = 60_000;

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      "only-report": { type: "boolean", default: false },
    },
  });
  const number = (name: "rounds" | "seconds" | "seed"): number => {
    const given = Number(values[name]);
    if (Number.isInteger(given) && given >= 1) return given;
    throw new OperatorError(`--${name} is "${values[name]}": give a whole number from 1.`);
  };
  return {
    rounds: number("rounds"),
    seconds: number("seconds"),
    seed: number("seed"),
    onlyReport: values["only-report"],
  };
}

type Options = ReturnType<typeof readOptions>;

/** One way to answer the same request. */
type Way = {
  readonly name: string;
  readonly port: number;
  readonly next: () => WireRequest;
  readonly onAnswer?: (body: string) => void;
  /** Waits for the work that an answer leaves behind, which the next way must not pay for. */
  readonly settled?: () => Promise<void>;
};

/** @returns the rounds of each way, by its name */
async function measure(ways: readonly Way[], { rounds, seconds }: Options): Promise<Map<string, Called[]>> {
  const called = new Map<string, Called[]>(ways.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const { settled, name, ...way } of ways) {
      called.get(name)?.push(await callFor({ ...way, connections, warmUpMs, measureMs: seconds * 1000 }));
      await settled?.();
    }
  return called;
}

type Claim = { readonly of: string; readonly over: string; readonly least: number };

/** Prints medians, and the medians of each round's ratios. @returns whether all claims hold */
function report(called: ReadonlyMap<string, readonly Called[]>, claims: readonly Claim[]): boolean {
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join("")}`;
  console.log(`\n${line("", ["per second", "p50 ms", "p99 ms"])}`);
  for (const [name, rounds] of called) {
    const of = (figure: keyof Called) => median(rounds.map((round) => round[figure]));
    console.log(line(name, [of("perSecond").toFixed(0), of("p50Ms").toFixed(2), of("p99Ms").toFixed(2)]));
  }
  return claims
    .map(({ of, over, least }) => {
      const others = called.get(over) ?? [];
      const rounds = called.get(of) ?? [];
      const ratio = median(
        rounds.map(({ perSecond }, n) => perSecond / (others[n]?.perSecond ?? Number.NaN)),
      );
      const holds = ratio >= least;
      console.log(
        `Claim: ${of} at least ${least} times ${over}: ${ratio.toFixed(2)}, ${holds ? "holds" : "FAILS"}.`,
      );
      return holds;
    })
    .every(Boolean);
}

const post = (path: string, body: object): WireRequest => ({
  method: "POST",
  path,
  body: JSON.stringify(body),
});

async function askJson(port: number, path: string, body: object): Promise<unknown> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  return answer.ok ? answer.json() : undefined;
}

async function startServers(closing: AsyncDisposableStack) {
  const directory = mkdtempSync(join(tmpdir(), "certificates-http-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const { connectionString, stop } = await startEmbedded({ directory });
  closing.defer(() => stop());
  const product = await startProduct({
    DATABASE_URL: connectionString,
    TRUST_PROXY: "1",
    LOG_LEVEL: "error",
    // The product's default; the browser tests use a shorter one.
    SWEEP_EVERY_SECONDS: "15",
  });
  closing.defer(() => product.dispose().then(() => undefined));
  const database = new pg.Client({ connectionString });
  await database.connect();
  closing.defer(() => database.end());
  await database.query("create database peer");
  const peer = fork(join(import.meta.dirname, "peer.ts"));
  closing.defer(() => peer.disconnect());
  const peersDatabase = new URL(connectionString);
  peersDatabase.pathname = "/peer";
  peer.send({ connectionString: peersDatabase.href });
  const peerPort = await new Promise<number>((resolve, reject) => {
    peer.once("message", (message) => resolve(z.object({ port: z.number() }).parse(message).port));
    peer.once("exit", (code) => reject(new Error(`The peer ended with ${code} before it listened.`)));
  });
  return { port: Number(new URL(product.url).port), peerPort, database };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

const numbered = z.object({ orderNumber: z.string() });

/** Each request is a customer's first. */
function createCustomers(seed: number) {
  const random = seededRandom(seed);
  let customers = 0;
  return {
    address: () => {
      const nth = customers++ % addresses;
      return `198.18.${nth >> 8}.${nth & 255}`;
    },
    orderBody: () => orderBodyOf(personOf(random, customers), wish),
  };
}

type Customers = ReturnType<typeof createCustomers>;

/** @returns whether the claims hold, and the numbers of the latest orders */
async function compareOrders({ port, peerPort, database }: Servers, customers: Customers, options: Options) {
  const orderNumbers: string[] = [];
  const caughtUp = async () => {
    const asked = { orderNumber: orderNumbers.at(-1) };
    const deadline = performance.now() + caughtUpWithinMs;
    while ((await askJson(port, "/api/orders/lookup", asked)) === undefined) {
      if (performance.now() > deadline) throw new OperatorError("The read models did not catch up.");
      await delay(200);
    }
    await delay(1_000);
  };
  const called = await measure(
    [
      {
        name: "POST /api/orders",
        port,
        next: () => ({ ...post("/api/orders", customers.orderBody()), from: customers.address() }),
        onAnswer: (body) => orderNumbers.push(numbered.parse(JSON.parse(body)).orderNumber),
        settled: caughtUp,
      },
      {
        name: "Express and pg, two inserts",
        port: peerPort,
        next: () => post("/plain/orders", customers.orderBody()),
      },
      { name: "Express alone, POST", port: peerPort, next: () => post("/bare", customers.orderBody()) },
    ],
    options,
  );
  const { rows } = await database.query<{ n: number }>(
    "select count(*)::integer as n from events where type = 'OrderCreated'",
  );
  const inLog = rows[0]?.n ?? 0;
  if (inLog < orderNumbers.length)
    throw new OperatorError(`${orderNumbers.length} orders were acknowledged, and ${inLog} are in the log.`);
  const holds = report(called, [{ of: "POST /api/orders", over: "Express and pg, two inserts", least: 1.5 }]);
  return { holds, orderNumbers: orderNumbers.slice(-mostLookedUp) };
}

async function compareLookups(
  { port, peerPort }: Servers,
  customers: Customers,
  orderNumbers: readonly string[],
  options: Options,
): Promise<boolean> {
  let asked = 0;
  const anyOrder = () => ({ orderNumber: orderNumbers[asked++ % orderNumbers.length] ?? "" });
  // All servers write the same answer.
  const answer = z
    .record(z.string(), z.unknown())
    .parse(await askJson(port, "/api/orders/lookup", anyOrder()));
  const kept = numbered.parse(await askJson(peerPort, "/plain/answer", answer));
  const called = await measure(
    [
      {
        name: "POST /api/orders/lookup",
        port,
        next: () => ({ ...post("/api/orders/lookup", anyOrder()), from: customers.address() }),
      },
      { name: "Express and pg, one select", port: peerPort, next: () => post("/plain/lookup", kept) },
      { name: "Express alone, GET", port: peerPort, next: () => ({ method: "GET", path: "/bare" }) },
    ],
    options,
  );
  return report(called, [
    { of: "POST /api/orders/lookup", over: "Express and pg, one select", least: 2.5 },
    { of: "POST /api/orders/lookup", over: "Express alone, GET", least: 0.8 },
  ]);
}

async function run(options: Options): Promise<boolean> {
  const { rounds, seconds, seed } = options;
  await using closing = new AsyncDisposableStack();
  const servers = await startServers(closing);
  console.log(`${connections} connections, medians of ${rounds} alternating rounds of ${seconds} s.`);
  console.log(`Command: npm run proof:http -- --rounds ${rounds} --seconds ${seconds} --seed ${seed}`);
  console.log(machineLine());
  const customers = createCustomers(seed);
  const orders = await compareOrders(servers, customers, options);
  const lookups = await compareLookups(servers, customers, orders.orderNumbers, options);
  return options.onlyReport || (orders.holds && lookups);
}

try {
  process.exitCode = (await run(readOptions())) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
