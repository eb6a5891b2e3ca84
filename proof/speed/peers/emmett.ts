import { createRequire } from "node:module";
import { join } from "node:path";
import type pg from "pg";
import { z } from "zod";
import { OperatorError } from "../../../infra/process/operator-error.ts";

// Emmett (event-driven.io) as a peer. It has no licence, so it is no dependency of ours: whoever measures beside it
// installs it in a folder of their own, and what is used of it is typed here.

/** Its default is 10, which was slower. */
export const emmettConnections = 32;

type Sql = string;

export type Event = { readonly type: string; readonly data: object; readonly metadata?: object };

type Projection = { readonly name?: string };

export type EmmettStore = {
  readonly appendToStream: (
    stream: string,
    events: readonly Event[],
    options: { readonly expectedStreamVersion: bigint | "STREAM_DOES_NOT_EXIST" },
  ) => Promise<{ readonly nextExpectedStreamVersion: bigint }>;
  readonly schema: { readonly migrate: () => Promise<unknown> };
};

type OpenStore = (
  connectionString: string,
  options: {
    readonly projections?: readonly { readonly type: "inline"; readonly projection: Projection }[];
    readonly connectionOptions: { readonly pool: pg.Pool };
  },
) => EmmettStore;

type RawSqlProjection = <Handled extends Event>(options: {
  readonly name: string;
  readonly canHandle: readonly Handled["type"][];
  readonly evolve: (event: Handled) => Sql;
  readonly init: () => Sql;
}) => Projection;

type Rebuild = (options: {
  readonly connectionString: string;
  readonly projections: readonly Projection[];
  readonly pulling: { readonly batchSize: number; readonly pullingFrequencyInMs: number };
}) => { readonly start: () => Promise<void>; readonly close: () => Promise<void> };

type HandleCommands = <State, Command extends Event, Decided extends Event>(decider: {
  readonly decide: (command: Command, state: State) => Decided;
  readonly evolve: (state: State, event: Decided) => State;
  readonly initialState: () => State;
}) => (store: EmmettStore, stream: string, command: Command) => Promise<unknown>;

const callable = <Function>() => z.custom<Function>((value) => typeof value === "function");

const dumbo = z.object({ sql: callable<(text: Sql, ...values: readonly unknown[]) => Sql>() });
const core = z.object({ DeciderCommandHandler: callable<HandleCommands>() });
const postgresql = z.object({
  getPostgreSQLEventStore: callable<OpenStore>(),
  postgreSQLRawSQLProjection: callable<RawSqlProjection>(),
  rebuildPostgreSQLProjections: callable<Rebuild>(),
});
const manifest = z.object({ version: z.string() });

const install =
  "npm install --prefix FOLDER @event-driven-io/emmett@0.42.0 @event-driven-io/emmett-postgresql@0.42.0 pg@8.23.1";

/** @throws OperatorError where the folder does not have it */
export function loadEmmett(folder: string) {
  const load = createRequire(join(folder, "package.json"));
  try {
    return {
      ...manifest.parse(load("./node_modules/@event-driven-io/emmett-postgresql/package.json")),
      ...dumbo.parse(load("@event-driven-io/dumbo")),
      ...core.parse(load("@event-driven-io/emmett")),
      ...postgresql.parse(load("@event-driven-io/emmett-postgresql")),
    };
  } catch (cause) {
    throw new OperatorError(`${folder} does not have Emmett. Install it there: ${install}`, { cause });
  }
}

export type Emmett = ReturnType<typeof loadEmmett>;
