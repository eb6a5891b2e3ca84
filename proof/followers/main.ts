import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { commandLine, type OptionsOf } from "../../infra/setup/command-line.ts";
import { runMeasurement } from "../run-measurement.ts";
import { proveFollowing } from "./follow.ts";
import { proveRebuilds } from "./rebuild.ts";

// npm run proof:followers [-- --events 1000000 --orders 400 --positions 100 --seed 1]: followers of a log that sixteen
// writers append to, and read models that are rebuilt while events come three times. Fails if one skips or differs.

type Given = OptionsOf<"proof:followers">;

async function prove({ events, orders, positions, seed }: Given): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-followers-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  // Lost with its folder: what a power cut would undo does not matter.
  const server = await startEmbedded({ directory, settings: ["fsync=off", "full_page_writes=off"] });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  await migrate(connectionString);
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
  console.log(`${findings.length} findings`);
  return findings.length === 0;
}

await runMeasurement(commandLine("proof:followers"), prove);
