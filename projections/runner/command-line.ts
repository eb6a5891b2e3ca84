import { randomUUID } from "node:crypto";
import { readConfig } from "../../infra/config/config.ts";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { type CataloguedProjection, chosenFrom } from "../catalogue.ts";
import { type OpenLog, openLog } from "./open-log.ts";
import { dropOldVersions } from "./version-uses.ts";

// npm run projections:rebuild [name]
// npm run projections:drop [name]

type Command = (projection: CataloguedProjection, log: OpenLog) => Promise<string>;

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    "rebuild",
    async (projection, { pool, store }) => {
      const started = performance.now();
      const events = await projection.rebuild({ pool, store, newId: randomUUID });
      return `rebuilt from ${events} events in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
    },
  ],
  [
    "drop",
    async (projection, { pool }) => {
      const { dropped, stillUsed } = await dropOldVersions(pool, projection);
      const gone = dropped.length > 0 ? `dropped version ${dropped.join(", ")}` : "nothing older to drop";
      const kept = stillUsed.length > 0 ? `; version ${stillUsed.join(", ")} is still used by a process` : "";
      return `${gone}${kept}.`;
    },
  ],
]);

/** Runs a command on the named projection, or on all in turn, and prints the results. */
async function run(word: string | undefined, name: string | undefined): Promise<void> {
  const command = commands.get(word ?? "");
  if (!command) throw new OperatorError(`Choose a command: ${[...commands.keys()].join(" or ")}.`);
  const chosen = chosenFrom(name);
  const log = await openLog(readConfig(), { beside: true });
  try {
    for (const projection of chosen)
      process.stdout.write(
        `${projection.name} version ${projection.version}: ${await command(projection, log)}\n`,
      );
  } finally {
    await log.close();
  }
}

try {
  await run(process.argv[2], process.argv[3]);
} catch (error) {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = 1;
}
