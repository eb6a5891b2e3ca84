import { BookBroken } from "../../../infra/audit/checkpoint-book.ts";
import type { Config } from "../../../infra/config/config.ts";
import type { EventStore, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { StopReason } from "../../../infra/following/lease.ts";
import { compareLog } from "../../../infra/log-binding/log-binding.ts";
import { mismatchError } from "../../../infra/log-binding/log-mismatch.ts";
import { schemaStanding } from "../../../infra/postgres/migrate.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { NoteRefused } from "../../../infra/transparency/formats/signed-note.ts";
import { catalogue, retired } from "../../../projections/catalogue.ts";
import { unusedVersions } from "../../../projections/runner/version-uses.ts";
import { purgeAlarmSeconds } from "../../policies/purging/purge-alarm.ts";
import { outstandingPurges } from "../../policies/work/work-reads.ts";
import { signedEventOf } from "../audit/signed-files.ts";
import { createParkedRecords, parkingFollowers } from "../streams/postgres-parked-records.ts";
import { type Check, type Finding, ok, warning, wrong } from "./findings.ts";

type LogParts = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly config: Pick<Config, "KEY_DIR" | "KEY_MIRROR_DIR" | "EVENTSTORE_URL">;
  readonly now: () => Date;
};

export const logChecks = (parts: LogParts): readonly Check[] => [
  { about: "event store", look: async () => [await storeFinding(parts)] },
  { about: "followers", look: () => followerFindings(parts) },
  { about: "parked records", look: async () => [await parkedFinding(parts.pool)] },
  { about: "read models", look: async () => [await oldVersions(parts.pool)] },
  { about: "destructions", look: async () => [await purgeFinding(parts)] },
  { about: "signed log", look: async () => [await signedFinding(parts)] },
];

/** The next start's refusal, or that it may proceed. */
async function storeFinding({ pool, store, config, now }: LogParts): Promise<Finding> {
  const answers = `answers, log ${(await store.logId()).slice(0, 8)}`;
  if ((await schemaStanding(pool)).pending.length > 0)
    return ok("event store", `${answers}; the next start checks whether it is the right one`);
  const inDatabase = config.EVENTSTORE_URL === undefined;
  const signed = signedEventOf(config, now);
  const { mismatch, isBound } = await compareLog({ pool, store, inDatabase, signed, warn: () => undefined });
  if (mismatch) return wrong("event store", mismatchError(mismatch, inDatabase).message);
  return ok(
    "event store",
    `${answers}, ${isBound ? "the one that this database is bound to" : "and the next start will bind the database to it"}`,
  );
}

type Row = {
  readonly name: string;
  readonly version: number;
  readonly position: string;
  readonly stop_reason: StopReason | null;
  readonly stop_position: string | null;
  readonly alive: boolean;
};

const remedies: Readonly<Record<StopReason, string>> = {
  "event-failed": "see the log line about it; after a fix, start again",
  "too-many-parked": "see the log lines about parked streams: they have one cause; after a fix, start again",
  "other-log": "bring together the database and log that belong together, then start again",
  "checkpoint-missing": "bring together the database and log that belong together, then start again",
  "log-unreadable": "run npm run audit, and see the log line about it",
};

/** Shorter delays go unnoticed by readers of a page. */
const behindMs = 60_000;

/** Before the first start of this release. */
async function isOlderSchema(pool: Pool): Promise<boolean> {
  const { rowCount } = await pool.query("select 1 where to_regclass('public.follower_checkpoints') is null");
  return rowCount !== 0;
}

async function followerFindings(parts: LogParts): Promise<readonly Finding[]> {
  if (await isOlderSchema(parts.pool)) return [ok("followers", "can be examined after the next start")];
  const { rows } = await parts.pool.query<Row>(
    `select name, version, position, stop_reason, stop_position, coalesce(lease_until >= clock_timestamp(), false) as alive
     from follower_checkpoints order by name, version`,
  );
  const current = rows.filter(isOfThisCode);
  if (current.length === 0) return [ok("followers", "none has started yet")];
  const findings: Finding[] = [];
  for (const row of current) {
    const finding = await followerFinding(row, parts);
    if (finding) findings.push(finding);
  }
  return findings.length > 0 ? findings : [ok("followers", `${current.length} are up to date`)];
}

/** Undefined also if the position belongs to another kind of log, which the event store check reports. */
async function eventAfter(store: EventStore, position: string): Promise<StoredEvent | undefined> {
  try {
    return (await store.readAll(position, 1))[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Read model versions of other code are a separate finding; older versions of policies are simply superseded. */
function isOfThisCode({ name, version }: Row): boolean {
  // Older builds verified the log with a follower of its own, and had read models that are gone.
  if (name === "auditor" || retired.some((entry) => entry.name === name)) return false;
  const known = parkingFollowers.find((entry) => entry.name === name);
  return known === undefined || known.version === version;
}

async function parkedFinding(pool: Pool): Promise<Finding> {
  const made = await pool.query("select 1 where to_regclass('public.parked_streams') is not null");
  if (made.rowCount === 0) return ok("parked records", "none: the schema predates them");
  const records = createParkedRecords(pool);
  const [oldest] = await records.list(1);
  if (oldest === undefined) return ok("parked records", "none");
  const { stream, name, reason, since } = oldest;
  return wrong(
    "parked records",
    `${await records.count()} orders or tickets are parked, the longest since ${since.toISOString()}: ${stream}, which ${name} cannot process (${reason})`,
    "repair them as docs/operations/runbooks.md says, then run npm run streams:retry",
  );
}

async function followerFinding(row: Row, { store, now }: LogParts): Promise<Finding | undefined> {
  const about = `follower ${row.name}`;
  if (row.stop_reason !== null)
    return wrong(
      about,
      `stopped at ${row.stop_position ?? "its checkpoint"} (${row.stop_reason})`,
      remedies[row.stop_reason],
    );
  const next = await eventAfter(store, row.position);
  const lagMs = next === undefined ? 0 : now().getTime() - Date.parse(next.recordedAt);
  if (lagMs <= behindMs) return undefined;
  const seconds = Math.round(lagMs / 1000).toLocaleString("en-GB");
  return row.alive
    ? warning(about, `${seconds} s behind the log`, "check whether its process is busy or its database slow")
    : warning(
        about,
        `${seconds} s behind the log, and no process is running it`,
        "start the product, or its worker and projections",
      );
}

async function oldVersions(pool: Pool): Promise<Finding> {
  if (await isOlderSchema(pool)) return ok("read models", "can be examined after the next start");
  const found = await Promise.all(
    [...catalogue, ...retired].map(async (entry) => ({
      name: entry.name,
      versions: await unusedVersions(pool, entry),
    })),
  );
  const old = found.filter(({ versions }) => versions.length > 0);
  if (old.length === 0) return ok("read models", "no unused versions");
  const names = old.map(({ name, versions }) => `${name} ${versions.join(", ")}`).join("; ");
  return warning(
    "read models",
    `unused versions: ${names}`,
    "once you no longer need older code, run npm run projections:drop",
  );
}

const mostLookedAt = 500;

async function purgeFinding({ pool, now }: LogParts): Promise<Finding> {
  const due = await outstandingPurges(pool)(mostLookedAt);
  const latest = new Date(now().getTime() - purgeAlarmSeconds * 1000).toISOString();
  const late = due.filter(({ dueAt }) => dueAt < latest);
  const [oldest] = late;
  if (oldest === undefined) return ok("destructions", "none is overdue");
  return wrong(
    "destructions",
    `${late.length}${due.length === mostLookedAt ? " or more" : ""} purges of personal data are overdue, the oldest due at ${oldest.dueAt}`,
    "check that a worker is running and can write to KEY_DIR and its mirror; the back office lists each under Compliance",
  );
}

/** Ten times the normal interval. */
const staleCheckpointMs = 600_000;

async function signedFinding({ store, config, now }: LogParts): Promise<Finding> {
  try {
    const last = await signedEventOf(config, now)();
    if (last === undefined) return ok("signed log", "nothing has been signed yet");
    const ageMs = now().getTime() - Date.parse(last.at);
    const signed = `the log was last signed at ${last.at}, at ${last.size.toLocaleString("en-GB")} events`;
    if (ageMs < staleCheckpointMs || (await store.head()) === last.position) return ok("signed log", signed);
    return warning(
      "signed log",
      `${signed}, and has grown since`,
      "check that a worker is running, and that npm run audit finds nothing: it signs the log",
    );
  } catch (error) {
    if (!(error instanceof NoteRefused || error instanceof BookBroken)) throw error;
    return wrong(
      "signed log",
      error.message,
      "compare KEY_DIR and its mirror with a backup before you do anything else",
    );
  }
}
