import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { machineLine } from "../figures.ts";
import { proveFollowing } from "./follow.ts";
import { proveRebuilds } from "./rebuild.ts";

// npm run proof:followers [-- --events 1000000 --orders 400 --positions 100 --seed 1]: followers of a log that sixteen
// writers append to, and read models that are rebuilt while events come three times. Fails if one skips or differs.

function optionsGiven() {
  const { values } = parseArgs({
    options: {
      events: { type: "string", default: "1000000" },
      orders: { type: "string", default: "400" },
      positions: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
    },
  });
  const number = (name: "events" | "orders" | "positions" | "seed"): number => {
    const given = Number(values[name]);
    if (Number.isInteger(given) && given >= 1) return given;
    throw new OperatorError(`--${name} is "${values[name]}": give a whole number from 1.`);
  };
  return {
    events: number("events"),
    orders: number("orders"),
    positions: number("positions"),
    seed: number("seed"),
  };
}

async function run(): Promise<boolean> {
  const { events, orders, positions, seed } = optionsGiven();
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-followers-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  // Lost with its folder: what a power cut would undo does not matter.
  const server = await startEmbedded({ directory, settings: ["fsync=off", "full_page_writes=off"] });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  await migrate(connectionString);
  console.log(machineLine());
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  const following = await proveFollowing(connectionString, events, seed);
  const { naive } = following;
  console.log(
    `${following.written} events by 16 writers, ${seconds()} s; skipped, misplaced: ${following.followers.map(({ skipped, misplaced }) => `${skipped}, ${misplaced}`).join("; ")}`,
  );
  console.log(`Control: a naive follower skipped ${naive.written - naive.seen} of ${naive.written} rows`);
  const rebuilds = await proveRebuilds(connectionString, { orders, positions, seed });
  console.log(
    `${rebuilds.events} events of ${orders} orders, four read models at ${positions} positions: ${rebuilds.rows} rows compared, ${seconds()} s`,
  );
  const findings = [...following.findings, ...rebuilds.findings];
  for (const finding of findings) console.log(finding);
  console.log(
    `npm run proof:followers -- --events ${events} --orders ${orders} --positions ${positions} --seed ${seed}: ${findings.length} findings`,
  );
  return findings.length === 0;
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
