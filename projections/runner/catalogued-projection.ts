import type { Projection } from "./projection.ts";
import { type RebuildParts, rebuild } from "./rebuild-projection.ts";
import { type RunnerParts, type RunningProjection, runProjection } from "./runner.ts";

/** A projection with its state type hidden. */
export type CataloguedProjection = {
  readonly name: string;
  readonly version: number;
  run(parts: RunnerParts): RunningProjection;
  rebuild(parts: RebuildParts): Promise<number>;
};

/** Leaves of a projection what runs and rebuilds it: a list can hold projections of different states. */
export function catalogued<State>(projection: Projection<State>): CataloguedProjection {
  return {
    name: projection.name,
    version: projection.version,
    run: (parts) => runProjection(projection, parts),
    rebuild: (parts) => rebuild(projection, parts),
  };
}
