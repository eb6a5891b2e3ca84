import { type Config, readConfig } from "../../../infra/config/config.ts";
import { type EventStore, OutcomeUnknown, StoreBusy } from "../../../infra/event-store/event-store.ts";
import { createKurrentEventStore } from "../../../infra/event-store/kurrent/kurrent-event-store.ts";
import { reachEventStore } from "../../../infra/event-store/reach-event-store.ts";
import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import { isTransientError } from "../../../infra/following/transient-fault.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { failCommand, OperatorError, WrongCommand } from "../../../infra/process/operator-error.ts";
import { commandLine } from "../../../infra/setup/command-line.ts";
import { openAnyLog } from "../../../projections/runner/open-log.ts";
import { carryCheckpoints, checkpointEvents, copyLog, refuseOtherLog } from "./copy-log.ts";

// npm run events:copy -- --from postgres --to eventstore (or the reverse), while the product is stopped.

async function copy(config: Config, toEventStore: boolean, signal: AbortSignal): Promise<string> {
  const { EVENTSTORE_URL: url } = config;
  if (url === undefined) throw new OperatorError("Set EVENTSTORE_URL to the event store's address.");
  await using closing = new AsyncDisposableStack();
  const postgres = await openAnyLog({ ...config, EVENTSTORE_URL: undefined });
  closing.defer(() => postgres.close());
  await refuseWhileFollowed(postgres.pool);
  const logId = toEventStore ? await postgres.store.logId() : undefined;
  const kurrent = createKurrentEventStore({ url, ...(logId !== undefined && { logId }) });
  closing.defer(() => kurrent.close());
  await reachEventStore(() => kurrent.head(), url, 0);
  const stores: { from: EventStore; to: EventStore } = toEventStore
    ? { from: postgres.store, to: kurrent }
    : { from: kurrent, to: postgres.store };
  await refuseOtherLog(postgres.pool, await stores.from.logId());
  if (!toEventStore) await beginAs(postgres.pool, await kurrent.logId());
  const { report, positions } = await copyLog({
    ...stores,
    checkpoints: await checkpointEvents(postgres.pool),
    signal,
    onProgress: (count) => process.stderr.write(`\r${count.toLocaleString("en-GB")} events`),
  });
  const { events, streams, rollingHash } = report;
  const carried = await carryCheckpoints(postgres.pool, positions);
  return [
    `\nCopied: ${events} events in ${streams} streams. Both logs have the rolling hash ${rollingHash}.`,
    `${carried} checkpoints now hold positions of the new log.`,
    toEventStore ? "Start the product with EVENTSTORE_URL." : "Start the product without EVENTSTORE_URL.",
  ].join("\n");
}

/** An empty log takes the id of the one copied into it. */
async function beginAs(pool: Pool, logId: string): Promise<void> {
  await pool.query("update installation set log_id = $1 where not exists (select from events)", [logId]);
}

function direction(): boolean {
  const { from, to } = commandLine("events:copy").options;
  const words = `${from} ${to}`;
  if (words === "postgres eventstore") return true;
  if (words === "eventstore postgres") return false;
  throw new WrongCommand("Use --from postgres --to eventstore, or --from eventstore --to postgres.");
}

/** What was copied is kept: a lost store costs only another run. */
function faultOfCopy(error: unknown): unknown {
  const isAway = isTransientError(error) || error instanceof OutcomeUnknown || error instanceof StoreBusy;
  return isAway
    ? new OperatorError(
        "A store became unavailable during the copy. Copied events are kept: check that Postgres and the event store are running, and run this again to continue.",
        { cause: error },
      )
    : error;
}

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
try {
  process.stdout.write(`${await copy(readConfig(), direction(), stopping.signal)}\n`);
} catch (error) {
  // Progress leaves its line open.
  process.stderr.write("\n");
  failCommand(
    stopping.signal.aborted
      ? new OperatorError("Interrupted: run it again to continue.")
      : faultOfCopy(error),
  );
}
