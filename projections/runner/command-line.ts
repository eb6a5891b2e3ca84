import { randomUUID } from "node:crypto";
import { readConfig } from "../../infra/config/config.ts";
import { OperatorError, wordsForOperator } from "../../infra/process/operator-error.ts";
import { catalogue, chosenFrom, retired } from "../catalogue.ts";
import type { CataloguedProjection } from "./catalogued-projection.ts";
import { type OpenLog, openLog } from "./open-log.ts";
import { dropOldVersions, type VersionKey } from "./version-uses.ts";

// npm run projections:rebuild [name]
// npm run projections:drop [name]

/** What is done for one read model. @returns what was done, as a sentence */
type Step = { readonly heading: string; run(log: OpenLog): Promise<string> };

const headingOf = ({ name, version }: VersionKey): string => `${name} version ${version}`;

const commands: ReadonlyMap<string, (name: string | undefined) => readonly Step[]> = new Map([
  [
    "rebuild",
    (name) =>
      chosenFrom(catalogue, name).map((projection) => ({
        heading: headingOf(projection),
        run: (log) => rebuilt(projection, log),
      })),
  ],
  [
    "drop",
    (name) =>
      chosenFrom<VersionKey>([...catalogue, ...retired], name).map((key) => ({
        heading: retired.includes(key) ? key.name : headingOf(key),
        run: (log) => dropped(key, log),
      })),
  ],
]);

async function rebuilt(projection: CataloguedProjection, { pool, store }: OpenLog): Promise<string> {
  const started = performance.now();
  const events = await projection.rebuild({ pool, store, newId: randomUUID });
  return `rebuilt from ${events} events in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
}

async function dropped(key: VersionKey, { pool }: OpenLog): Promise<string> {
  const { dropped, stillUsed } = await dropOldVersions(pool, key);
  const gone = dropped.length > 0 ? `dropped version ${dropped.join(", ")}` : "nothing older to drop";
  const kept = stillUsed.length > 0 ? `; version ${stillUsed.join(", ")} is still used by a process` : "";
  return `${gone}${kept}.`;
}

/** Runs a command on the named read model, or on all in turn, and prints the results. */
async function run(word: string | undefined, name: string | undefined): Promise<void> {
  const command = commands.get(word ?? "");
  if (!command) throw new OperatorError(`Choose a command: ${[...commands.keys()].join(" or ")}.`);
  const steps = command(name);
  const log = await openLog(readConfig(), { beside: true });
  try {
    for (const { heading, run } of steps) process.stdout.write(`${heading}: ${await run(log)}\n`);
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
