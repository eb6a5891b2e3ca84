import { commandLine } from "../../infra/setup/command-line.ts";
import { runProof } from "../faults/run-proof.ts";
import { machineLine } from "../figures.ts";
import { killUnderLoad } from "./kills.ts";

// npm run proof:kills [-- --kills 1000 --callers 4 --seed 1 --redis --eventstore --plant NAME]: kills the product's
// processes and Postgres with -9 while customers order, and fails unless all that was acknowledged is in the log,
// nothing was done twice and the read models are the fold of the log. With --redis jobs and limits are kept in this
// machine's redis-server, which is killed as well. With --plant a fault is put into the processes, and the run fails
// unless it is found.

const recoversWithinMs = 180_000;
const doneWithinMs = 360_000;
/** A planted fault may leave the product unable to go on: that is not waited for. */
const plantDoneWithinMs = 15_000;

await runProof(commandLine("proof:kills"), async (given, plant) => {
  const report = await killUnderLoad({
    ...given,
    plant,
    withRedis: given.redis,
    withEventStore: given.eventstore,
    recoversWithinMs,
    doneWithinMs: plant ? plantDoneWithinMs : doneWithinMs,
    say: (words) => console.log(`${new Date().toISOString()} ${words}`),
  });
  console.log(machineLine());
  const killed = Object.entries(report.kills).map(([name, times]) => `${times} x ${name}`);
  console.log(`Killed: ${killed.join(", ")}; ${report.underLoad} of them while a request was under way`);
  return report;
});
