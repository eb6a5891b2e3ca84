import { commandLine } from "../../infra/setup/command-line.ts";
import { runProof } from "../faults/run-proof.ts";
import { machineLine } from "../figures.ts";
import { disturb } from "./network.ts";

// npm run proof:network [-- --faults 2000 --callers 4 --seed 1 --redis --eventstore --plant NAME]: resets, silences, halves and slows
// connections between customers, the product's processes, Postgres and the sandbox while customers order, and fails
// unless each request is settled within 10 s, nothing acknowledged is lost and nothing is done twice. With --redis jobs
// and limits are kept in this machine's redis-server. With --plant a fault is put into the processes, and the run fails
// unless it is found.

const settlesWithinMs = 10_000;
const recoversWithinMs = 180_000;
const doneWithinMs = 600_000;
/** A planted fault may leave the product unable to go on: that is not waited for. */
const plantRecoversWithinMs = 15_000;

await runProof(commandLine("proof:network"), async (given, plant) => {
  const report = await disturb({
    ...given,
    withRedis: given.redis,
    withEventStore: given.eventstore,
    settlesWithinMs,
    plant,
    recoversWithinMs: plant ? plantRecoversWithinMs : recoversWithinMs,
    doneWithinMs: plant ? plantRecoversWithinMs : doneWithinMs,
    say: (words) => console.log(`${new Date().toISOString()} ${words}`),
  });
  console.log(machineLine());
  const inWords = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, times]) => `${times} x ${name}`)
      .join(", ");
  console.log(`Faults: ${inWords(report.strikes.byKind)}`);
  console.log(`Between: ${inWords(report.strikes.byLink)}`);
  console.log(`Longest request at a gateway: ${(report.longestMs / 1000).toFixed(1)} s`);
  return report;
});
