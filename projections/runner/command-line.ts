import { readConfig } from "../../infra/config/config.ts";
import { wordsForOperator } from "../../infra/process/operator-error.ts";
import { type CataloguedProjection, chosenFrom } from "../catalogue.ts";
import { type OpenLog, openLog } from "./open-log.ts";

/** Runs a command on the projections named by its first argument, in turn, and prints the results. */
export async function onEachNamed(
  work: (projection: CataloguedProjection, log: OpenLog) => Promise<string>,
): Promise<void> {
  try {
    const chosen = chosenFrom(process.argv[2]);
    const log = await openLog(readConfig(), { beside: true });
    try {
      for (const projection of chosen)
        process.stdout.write(
          `${projection.name} version ${projection.version}: ${await work(projection, log)}\n`,
        );
    } finally {
      await log.close();
    }
  } catch (error) {
    process.stderr.write(`${wordsForOperator(error)}\n`);
    process.exitCode = 1;
  }
}
