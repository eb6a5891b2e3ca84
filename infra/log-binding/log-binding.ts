import { BookBroken } from "../audit/checkpoint-book.ts";
import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import type { FollowerKey } from "../following/lease.ts";
import type { Client, Pool } from "../postgres/pool.ts";
import { readPublished } from "../transparency/checkpoint-signer.ts";
import { NoteRefused } from "../transparency/formats/signed-note.ts";
import { treeFollower } from "../transparency/tree-follower.ts";
import { forgetTree, readReach } from "../transparency/tree-records.ts";
import { type LogMismatch, mismatchError, type SignedEvent } from "./log-mismatch.ts";

type LogBindingParts = {
  readonly pool: Pool;
  readonly store: Pick<EventStore, "logId" | "eventAt" | "head">;
  /** Whether the log is in the database itself. */
  readonly inDatabase: boolean;
  /** Reads which event was signed last, beside the keys; undefined for a process without keys. */
  readonly signed: ReadSignedEvent | undefined;
  readonly now: () => Date;
  /** Called where what was signed is invalid. */
  readonly warn: (words: string) => void;
};

/** The newest event that was signed. @throws NoteRefused or BookBroken when that is not what was signed */
export type ReadSignedEvent = () => Promise<SignedEvent | undefined>;

/** A log confirmed to belong to its database. */
export type BoundLog = {
  readonly logId: string;
  /** When database and log were bound, both empty; null if older than binding. */
  readonly begunAt: Date | null;
  /** The newest event known to the database and found in the log. */
  readonly newest: KnownCheckpoint | undefined;
};

type LogComparison = {
  readonly logId: string;
  readonly isBound: boolean;
  readonly begunAt: Date | null;
  readonly newest: KnownCheckpoint | undefined;
  /** Undefined when the log may be used. */
  readonly mismatch: LogMismatch | undefined;
};

/** Another process may bind between two reads; a binding is never undone. */
const mostLooks = 3;

/**
 * Checks that the log belongs to the database, or binds them at the first start. With concurrent starts one binds, the
 * others compare. Must finish before anything is erased, removed or resolved.
 * @throws OperatorError for another log, for one that lacks events known to the database or its keys, and for a
 * database that lacks events known to its keys
 */
export async function bindToLog(parts: LogBindingParts): Promise<BoundLog> {
  for (let look = 1; ; look++) {
    const { mismatch, isBound, ...found } = await compareLog(parts);
    if (!mismatch && isBound) return found;
    if (mismatch && (isBound || look === mostLooks)) throw mismatchError(mismatch, parts.inDatabase);
    if (!mismatch) await bind(parts.pool, found.logId, await whenBegun(parts, found));
  }
}

/** Compares a log with the records of the database and its keys, without changing anything. */
export async function compareLog(parts: Omit<LogBindingParts, "now">): Promise<LogComparison> {
  const { pool, store } = parts;
  // Before reading the database: signed events are already in it, unless it was restored.
  const signed = await lastSigned(parts);
  const binding = await readBinding(pool);
  const known = await knownCheckpoints(pool);
  const logId = await store.logId();
  const mismatch =
    (binding.logId === null ? await unboundMismatch(parts, known) : otherLog(binding.logId, logId)) ??
    (await missingCheckpoint(store, logId, known)) ??
    (await signedMismatch(parts, logId, signed, binding));
  return {
    logId,
    isBound: binding.logId !== null,
    begunAt: binding.begunAt,
    newest: known[0],
    mismatch,
  };
}

/** Whether the database has a log, so that no event store may start a new one for it. */
export async function hasLog(pool: Pool): Promise<boolean> {
  return (await readBinding(pool)).logId !== null || (await knownCheckpoints(pool)).length > 0;
}

type Binding = { logId: string | null; begunAt: Date | null; acceptedEvents: number };

async function readBinding(pool: Pool): Promise<Binding> {
  const { rows } = await pool.query<Binding>(
    `select bound_log as "logId", begun_at as "begunAt", accepted_events as "acceptedEvents" from installation`,
  );
  const [row] = rows;
  if (!row) throw new Error("The database has no row in its table `installation`: it was not migrated.");
  return row;
}

async function bind(pool: Pool, logId: string, begunAt: Date | null): Promise<void> {
  await pool.query("update installation set bound_log = $1, begun_at = $2 where bound_log is null", [
    logId,
    begunAt,
  ]);
}

async function whenBegun(
  { store, now }: LogBindingParts,
  { newest }: Pick<LogComparison, "newest">,
): Promise<Date | null> {
  return newest === undefined && (await store.head()) === beginning ? now() : null;
}

const otherLog = (bound: string, found: string): LogMismatch | undefined =>
  bound === found ? undefined : { kind: "other-log", bound, found };

/** A database without known events may be bound to an empty log, or to the log stored in the database itself. */
async function unboundMismatch(
  { pool, store, inDatabase }: Pick<LogBindingParts, "pool" | "store" | "inDatabase">,
  known: readonly KnownCheckpoint[],
): Promise<LogMismatch | undefined> {
  if (inDatabase || known.length > 0) return undefined;
  const isFresh = (await store.head()) === beginning && !(await holdsRecords(pool));
  return isFresh ? undefined : { kind: "never-followed" };
}

async function holdsRecords(pool: Pool): Promise<boolean> {
  return (await pool.query("select from vault_records limit 1")).rowCount === 1;
}

async function missingCheckpoint(
  store: Pick<EventStore, "eventAt">,
  logId: string,
  known: readonly KnownCheckpoint[],
): Promise<LogMismatch | undefined> {
  for (const { position, eventId, logId: followed } of known) {
    if (followed !== null && followed !== logId) return { kind: "other-log", bound: followed, found: logId };
    if ((await eventIfThere(store, position))?.id !== eventId)
      return { kind: "checkpoint-missing", position };
  }
  return undefined;
}

async function lastSigned({
  signed,
  warn,
}: Pick<LogBindingParts, "signed" | "warn">): Promise<SignedEvent | undefined> {
  try {
    return await signed?.();
  } catch (error) {
    if (!(error instanceof NoteRefused || error instanceof BookBroken)) throw error;
    warn("what was signed last in KEY_DIR is invalid: see npm run doctor");
    return undefined;
  }
}

/**
 * An event's leaf is in the tree, and on disk, before it is signed: the database knows every signed event unless it was
 * restored.
 * Checkpoints of other logs are ignored: the keys may be older than the database.
 */
async function signedMismatch(
  { pool, store }: Pick<LogBindingParts, "pool" | "store">,
  logId: string,
  signed: SignedEvent | undefined,
  { acceptedEvents }: Binding,
): Promise<LogMismatch | undefined> {
  if (signed?.logId !== logId) return undefined;
  // A tree that grows anew is smaller than what was published for a while.
  const published = (await readPublished(pool))?.size ?? 0;
  const known = Math.max((await readReach(pool)).size, published, acceptedEvents);
  if (signed.size <= known) return undefined;
  return (await isInLog(store, signed))
    ? { kind: "database-older", known, signed }
    : { kind: "signed-missing", signed };
}

/** Whether a log has the event that was signed last. */
export const isInLog = async (
  store: Pick<EventStore, "eventAt">,
  { position, eventId }: Pick<SignedEvent, "position" | "eventId">,
): Promise<boolean> => (await eventIfThere(store, position))?.id === eventId;

/** A follower of older builds, which keeps its own record of what it has read. */
const auditor = "auditor";

type Row = FollowerKey & { readonly position: Position; readonly eventId: string };

/** The followers at an event that the log lacks: their read models must be derived again. */
export async function lostFollowers(
  pool: Pool,
  store: Pick<EventStore, "eventAt">,
): Promise<readonly FollowerKey[]> {
  const { rows } = await pool.query<Row>(
    `select name, version, position, event_id as "eventId" from follower_checkpoints where position <> '' order by name, version`,
  );
  const isLost = async (row: Pick<Row, "position" | "eventId">) => !(await isInLog(store, row));
  const tree = await readReach(pool);
  const isTreeLost = tree.position !== "" && (await isLost(tree));
  const lost: FollowerKey[] = [];
  for (const row of rows)
    if ((isTreeLost && row.name === treeFollower) || (await isLost(row)))
      lost.push({ name: row.name, version: row.version });
  return lost;
}

/** Lets followers restart from the beginning at their next start. */
export async function forgetCheckpoints(client: Client, lost: readonly FollowerKey[]): Promise<void> {
  for (const { name, version } of lost)
    await client.query("delete from followers where name = $1 and version = $2", [name, version]);
  if (lost.some(({ name }) => name === auditor)) await client.query("delete from audit_digest");
  if (lost.some(({ name }) => name === treeFollower)) await forgetTree(client);
}

/**
 * Binds the database to a log in its current state, with this many events.
 * @param begunAt for a database that is not bound yet
 */
export async function acceptBinding(
  client: Client,
  { logId, events, begunAt }: { logId: string; events: number; begunAt: Date | null },
): Promise<void> {
  await client.query(
    `update installation set bound_log = $1, accepted_events = $2, newest_position = null, newest_event = null,
       begun_at = case when bound_log is null then $3 else begun_at end`,
    [logId, events, begunAt],
  );
}

/** An event of its log known to a database. */
type KnownCheckpoint = {
  readonly position: Position;
  readonly eventId: string;
  /** Null when only the position was recorded. */
  readonly logId: string | null;
};

/** Every event recorded as a checkpoint in the database, newest first. */
async function knownCheckpoints(pool: Pool): Promise<KnownCheckpoint[]> {
  const { rows } = await pool.query<KnownCheckpoint>(
    `select distinct on (position, event_id) position, event_id as "eventId", log_id as "logId" from (
       select position, event_id::text, log_id from followers where position <> ''
       union all select position, event_id, null from transparency_tree where position <> ''
       union all select newest_position, newest_event::text, bound_log from installation where newest_position is not null
     ) as known order by position desc, event_id, log_id`,
  );
  return rows;
}

/** The event at a position; undefined also for a position of another kind of log. */
export async function eventIfThere(
  store: Pick<EventStore, "eventAt">,
  position: Position,
): Promise<StoredEvent | undefined> {
  try {
    return await store.eventAt(position);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
