import { readConfig } from "../../infra/config/config.ts";
import { failCommand } from "../../infra/process/operator-error.ts";
import { type OpenLog, openLog } from "./open-log.ts";

/** What is done for one read model. @returns what was done, as a sentence */
export type Step = { readonly heading: string; run(log: OpenLog): Promise<string> };

/** Runs a command on read models in turn, and prints the results. @param steps throws WrongCommand for a wrong name */
export async function runSteps(steps: () => readonly Step[]): Promise<void> {
  try {
    const chosen = steps();
    const log = await openLog(readConfig(), { beside: true });
    try {
      for (const { heading, run } of chosen) process.stdout.write(`${heading}: ${await run(log)}\n`);
    } finally {
      await log.close();
    }
  } catch (error) {
    failCommand(error);
  }
}
