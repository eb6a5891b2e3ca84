import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { median } from "../../figures.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { type Called, callFor, type WireRequest } from "./callers.ts";
import { type Customers, createCustomers, post } from "./customers.ts";
import { startMeasured } from "./product.ts";

// npm run proof:http [-- --rounds 5 --seconds 3 --seed 1 --only-report]: orders and lookups over HTTP, beside plain
// Express with pg, and Express alone. One durable Postgres, 32 connections, all on this machine. Rounds alternate, so
// slow moments of the machine affect all.

const connections = 32;
const warmUpMs = 500;
/** Servers run for weeks: each way is called this long, before anything is measured, until its code is compiled. */
const firstMs = 8_000;
const mostLookedUp = 2_000;
const caughtUpWithinMs = 60_000;

type Options = OptionsOf<"proof:http">;

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
  for (const { settled, name: _, ...way } of ways) {
    await callFor({ ...way, connections, warmUpMs, measureMs: firstMs });
    await settled?.();
  }
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
  const { port, connectionString } = await startMeasured(closing);
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
  return { port, peerPort, database };
}

type Servers = Awaited<ReturnType<typeof startServers>>;

const numbered = z.object({ orderNumber: z.string() });

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
        next: customers.order,
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
  const customers = createCustomers(seed);
  const orders = await compareOrders(servers, customers, options);
  const lookups = await compareLookups(servers, customers, orders.orderNumbers, options);
  return orders.holds && lookups;
}

await runMeasurement(commandLine("proof:http"), run);
