import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../../infra/postgres/embedded.ts";
import { migrate } from "../../infra/postgres/migrate.ts";
import { failCommand, WrongCommand } from "../../infra/process/operator-error.ts";
import { commandLine } from "../../infra/setup/command-line.ts";
import { machineLine } from "../figures.ts";
import { type FuzzReport, fuzz } from "./fuzz.ts";
import { plants } from "./planted.ts";

// npm run proof:fuzz [-- --requests 100000 --seed 1 --plant NAME]: sends requests made from the contract, whole and
// spoilt, to a gateway on a Postgres of its own, and fails if one breaks a rule. With --plant a fault is put in, and the
// run fails unless it is found.

function optionsGiven() {
  const { requests, seed, plant: name } = commandLine("proof:fuzz").options;
  const plant = plants.find((each) => each.name === name);
  if (name !== undefined && !plant)
    throw new WrongCommand(`There is no fault ${name}: ${plants.map((each) => each.name).join(", ")}.`);
  return { requests, seed, plant };
}

async function run(): Promise<boolean> {
  const { requests, seed, plant } = optionsGiven();
  await using closing = new AsyncDisposableStack();
  const directory = mkdtempSync(join(tmpdir(), "certificates-fuzz-"));
  closing.defer(() => rmSync(directory, { recursive: true, force: true }));
  // Lost with its folder: what a power cut would undo does not matter.
  const server = await startEmbedded({ directory, settings: ["fsync=off", "full_page_writes=off"] });
  closing.defer(() => server.stop());
  const { connectionString } = server;
  await migrate(connectionString);
  console.log(machineLine());
  const begunMs = performance.now();
  const seconds = () => Math.round((performance.now() - begunMs) / 1000);
  const onRound = (sent: number) => console.log(`${sent} requests, ${seconds()} s`);
  const database = { connectionString, drop: async () => undefined };
  const report = await fuzz(database, { requests, seed, onRound, ...(plant && { plant }) });
  print(report);
  const again = plant ? ` --plant ${plant.name}` : "";
  console.log(
    `npm run proof:fuzz -- --requests ${requests} --seed ${seed}${again}: ${report.findings.length} findings, ${seconds()} s`,
  );
  return plant
    ? report.findings.some((finding) => plant.finding.test(finding))
    : report.findings.length === 0;
}

function print({ requests, statuses, events, neverSucceeded, findings }: FuzzReport): void {
  for (const finding of findings) console.log(finding);
  console.log(
    `${requests} requests, ${events} events; answers: ${Object.entries(statuses)
      .map(([status, times]) => `${times} x ${status}`)
      .join(", ")}`,
  );
  if (neverSucceeded.length > 0) console.log(`Never succeeded: ${neverSucceeded.join(", ")}`);
}

try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  failCommand(error);
}
