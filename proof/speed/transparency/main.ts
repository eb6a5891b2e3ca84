import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { findRunning } from "../../../infra/postgres/embedded-process.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { OperatorError, wordsForOperator } from "../../../infra/process/operator-error.ts";
import { machineLine } from "../../figures.ts";
import { cpuMsOf, cpuMsOfTree } from "../work/counters.ts";
import { isTooDear, judgedBatch, measure, mostShare, reportLines, type Sizes } from "./measure.ts";

// npm run proof:transparency [-- --events 20000 --leaves 100000 --rounds 3 --seed 1 --only-report]: what the
// transparency log's tree costs, and how long audits and proofs take.

function readOptions(): { sizes: Sizes; onlyReport: boolean } {
  const { values } = parseArgs({
    options: {
      events: { type: "string", default: "20000" },
      leaves: { type: "string", default: "100000" },
      rounds: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      "only-report": { type: "boolean", default: false },
    },
  });
  const number = (name: "events" | "leaves" | "rounds" | "seed", least: number): number => {
    const given = Number(values[name]);
    if (Number.isInteger(given) && given >= least) return given;
    throw new OperatorError(`--${name} is "${values[name]}": give a whole number from ${least}.`);
  };
  return {
    sizes: {
      events: number("events", 100),
      leaves: number("leaves", 2),
      rounds: number("rounds", 1),
      seed: number("seed", 0),
    },
    onlyReport: values["only-report"],
  };
}

async function run({ sizes, onlyReport }: ReturnType<typeof readOptions>): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-transparency-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const server = await startEmbedded({ directory });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  await migrate(connectionString);
  const pool = closing.adopt(createPool(connectionString), (opened) => opened.end());
  const store = createPostgresEventStore({ pool, connectionString });
  closing.defer(() => store.close());
  const postmaster = findRunning(join(directory, "cluster"))?.pid ?? 0;
  const { events, leaves, rounds, seed } = sizes;
  console.log(
    `Command: npm run proof:transparency -- --events ${events} --leaves ${leaves} --rounds ${rounds} --seed ${seed}`,
  );
  console.log(machineLine());
  const figures = await measure(
    {
      ...{ pool, store, connectionString, marksEvery: undefined },
      cpuMs: () => cpuMsOf(process.pid) + cpuMsOfTree(postmaster),
    },
    sizes,
    (words) => process.stderr.write(`\r\u001b[K${words}`),
  );
  process.stderr.write("\n");
  console.log(`\n${reportLines(figures).join("\n")}`);
  console.log(`Load at the end: ${loadavg()[0]?.toFixed(2)}`);
  const isDear = isTooDear(figures) !== false;
  console.log(
    `\nTarget, ${mostShare * 100} % of an append in batches of ${judgedBatch}: ${isDear ? "MISSED" : "met"}${onlyReport ? " (only reported)" : ""}.`,
  );
  return onlyReport || !isDear;
}

try {
  process.exitCode = (await run(readOptions())) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
