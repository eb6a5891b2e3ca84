import { commandLine, type OptionsOf } from "../../infra/setup/command-line.ts";
import { runMeasurement } from "../run-measurement.ts";
import { walkDecider } from "./walk.ts";

// npm run proof:decider [-- --commands 1000000 --seed 1]: sends random commands to orders in every phase, and fails
// unless each answer is that of a plain model and every command met every phase.

function prove(given: OptionsOf<"proof:decider">): Promise<boolean> {
  const { commands, accepted, visited, pairs, findings } = walkDecider(given);
  for (const finding of findings) console.log(finding);
  console.log(
    `${commands} commands, ${accepted} of them accepted; ${visited} of ${pairs} pairs of a command and a phase; ${findings.length} findings`,
  );
  return Promise.resolve(findings.length === 0 && visited === pairs);
}

await runMeasurement(commandLine("proof:decider"), prove);
