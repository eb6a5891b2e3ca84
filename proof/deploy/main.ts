import { resolve } from "node:path";
import { commandLine } from "../../infra/setup/command-line.ts";
import { root } from "../../infra/setup/steps.ts";
import { runProof } from "../faults/run-proof.ts";
import { machineLine } from "../figures.ts";
import { deployUnderLoad } from "./deploy.ts";

// npm run proof:deploy [-- --from FOLDER --turns 3 --callers 4 --commands-between 40 --seed 1 --plant NAME]: starts another
// build, replaces its processes by those of this build while customers order, and back again, and fails unless all that
// was acknowledged is in the log, nothing was done twice, nothing is left undone, and the read models are the fold of the
// log. With --plant a fault is put into the processes, and the run fails unless it is found.

const recoversWithinMs = 180_000;
const doneWithinMs = 360_000;
/** A planted fault may leave the product unable to go on: that is not waited for. */
const plantDoneWithinMs = 15_000;

await runProof(commandLine("proof:deploy"), async (given, plant) => {
  const { "commands-between": commandsBetween, from = root, ...others } = given;
  const report = await deployUnderLoad({
    ...others,
    ...{ plant, commandsBetween, recoversWithinMs },
    from: resolve(from),
    doneWithinMs: plant ? plantDoneWithinMs : doneWithinMs,
    say: (words) => console.log(`${new Date().toISOString()} ${words}`),
  });
  console.log(machineLine());
  console.log(
    `${report.replaced} processes replaced, ${report.underLoad} of them while a request was under way`,
  );
  return report;
});
