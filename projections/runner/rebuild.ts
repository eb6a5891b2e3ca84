import { randomUUID } from "node:crypto";
import { commandLine } from "../../infra/setup/command-line.ts";
import { catalogue, chosenFrom } from "../catalogue.ts";
import type { CataloguedProjection } from "./catalogued-projection.ts";
import { runSteps } from "./each-read-model.ts";
import type { OpenLog } from "./open-log.ts";

// npm run projections:rebuild [-- NAME]

async function rebuilt(projection: CataloguedProjection, { pool, store }: OpenLog): Promise<string> {
  const started = performance.now();
  const events = await projection.rebuild({ pool, store, newId: randomUUID });
  return `rebuilt from ${events} events in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
}

const { operand } = commandLine("projections:rebuild");
await runSteps(() =>
  chosenFrom(catalogue, operand).map((projection) => ({
    heading: `${projection.name} version ${projection.version}`,
    run: (log) => rebuilt(projection, log),
  })),
);
