import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../../infra/postgres/embedded.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";
import { commandLine, type OptionsOf } from "../../../infra/setup/command-line.ts";
import { ordersProjection } from "../../../projections/orders/orders.ts";
import { rebuild } from "../../../projections/runner/rebuild-projection.ts";
import { median } from "../../figures.ts";
import { runMeasurement } from "../../run-measurement.ts";
import { seededLog } from "./seeded-log.ts";
import { differing, rebuildInSql } from "./set-based.ts";

// npm run proof:rebuild [-- --orders 10000 --rounds 3 --seed 1 --only-report]: how fast a read model is rebuilt, beside
// SQL that folds the same log with one statement. Rounds alternate; medians decide.

const share = 0.6;
const sqlAlone = "SQL alone";

const shown = (value: number) => Math.round(value).toLocaleString("en-GB").padStart(12);

type Given = OptionsOf<"proof:rebuild">;

async function measure({ orders, rounds, seed }: Given): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-rebuild-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  const server = await startEmbedded({ directory });
  closing.defer(() => server.stop());
  const { pool, store, events } = await seededLog(closing, server.connectionString, { orders, seed });

  console.log(`Rebuilds: ${orders} orders, ${events} events, ${rounds} rounds in turn.`);
  const contestants: readonly (readonly [string, () => Promise<unknown>])[] = [
    [sqlAlone, () => rebuildInSql(pool)],
    [ordersProjection.name, () => rebuild(ordersProjection, { pool, store, newId: randomUUID })],
  ];
  const rates = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of contestants) {
      const started = performance.now();
      await run();
      const rate = (events * 1000) / (performance.now() - started);
      rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
  }
  const wrong = await differing(pool);
  if (wrong > 0) throw new OperatorError(`The two differ in ${wrong} rows: they do not do the same.`);

  const peer = median(rates.get(sqlAlone) ?? []);
  console.log(`\n${"events a second, medians".padEnd(26)}${"".padStart(12)}${"of SQL".padStart(12)}`);
  for (const [name, each] of rates)
    console.log(`${name.padEnd(26)}${shown(median(each))}${(median(each) / peer).toFixed(2).padStart(12)}`);
  const slow = [...rates].filter(([, each]) => median(each) < share * peer).map(([name]) => name);
  console.log(`\nTarget, ${share} of SQL: ${slow.length === 0 ? "met" : `MISSED by ${slow.join(", ")}`}.`);
  return slow.length === 0;
}

await runMeasurement(commandLine("proof:rebuild"), measure);
