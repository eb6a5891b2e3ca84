import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createPostgresEventStore } from "../../../infra/event-store/postgres/postgres-event-store.ts";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { findRunning } from "../../../infra/postgres/embedded-process.ts";
import { migrate } from "../../../infra/postgres/migrate.ts";
import { createPool } from "../../../infra/postgres/pool.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { cpuClock } from "./cpu-clock.ts";
import { isTooDear, measure, mostShare, reportLines, type Sizes } from "./measure.ts";

// npm run proof:transparency [-- --events 20000 --leaves 100000 --rounds 3 --seed 1 --only-report]: what the
// transparency log's tree costs, and how long audits and proofs take. The target is judged on batches of the sizes in
// which 64 callers' appends come to the tree's follower, in one process; fixed sizes are reported beside it.

async function run(sizes: Sizes): Promise<boolean> {
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
  const figures = await measure(
    {
      ...{ pool, store, connectionString, marksEvery: undefined },
      cpuMsOf: cpuClock(postmaster),
    },
    sizes,
    (words) => process.stderr.write(`\r\u001b[K${words}`),
  );
  process.stderr.write("\n");
  console.log(`\n${reportLines(figures).join("\n")}`);
  console.log(`Load at the end: ${loadavg()[0]?.toFixed(2)}`);
  const isDear = isTooDear(figures);
  console.log(
    `\nTarget, ${mostShare * 100} % of an append in the batches that come under its load: ${isDear ? "MISSED" : "met"}.`,
  );
  return !isDear;
}

await runMeasurement(commandLine("proof:transparency"), run);
