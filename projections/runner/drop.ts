import { commandLine } from "../../infra/setup/command-line.ts";
import { catalogue, chosenFrom, retired } from "../catalogue.ts";
import { runSteps } from "./each-read-model.ts";
import type { OpenLog } from "./open-log.ts";
import { dropOldVersions, type VersionKey } from "./version-uses.ts";

// npm run projections:drop [-- NAME]

async function dropped(key: VersionKey, { pool }: OpenLog): Promise<string> {
  const { dropped, stillUsed } = await dropOldVersions(pool, key);
  const gone = dropped.length > 0 ? `dropped version ${dropped.join(", ")}` : "nothing older to drop";
  const kept = stillUsed.length > 0 ? `; version ${stillUsed.join(", ")} is still used by a process` : "";
  return `${gone}${kept}.`;
}

const { operand } = commandLine("projections:drop");
await runSteps(() =>
  chosenFrom<VersionKey>([...catalogue, ...retired], operand).map((key) => ({
    heading: retired.includes(key) ? key.name : `${key.name} version ${key.version}`,
    run: (log) => dropped(key, log),
  })),
);
