import { setTimeout as delay } from "node:timers/promises";
import { type AuditReport, auditLog } from "../../../infra/audit/audit-log.ts";
import {
  beginning,
  type EventStore,
  OutcomeUnknown,
  type Position,
  StoreBusy,
  type StoredEvent,
  WrongExpectedRevision,
} from "../../../infra/event-store/event-store.ts";
import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import { OperatorError } from "../../../infra/process/operator-error.ts";

type CopyOptions = {
  readonly from: EventStore;
  readonly to: EventStore;
  /** Ids of the checkpoints' events, which the source must hold. */
  readonly checkpoints?: ReadonlySet<string>;
  /** Interrupts between two appends; the next run resumes there. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
};

/** The report on the copy, and the positions of the checkpoints' events in it, by id. */
type Copied = { readonly report: AuditReport; readonly positions: ReadonlyMap<string, Position> };

const eventsAtOnce = 500;
const mostInAppend = 50;
const mostCharacters = 250_000;
const mostTries = 6;
const firstRetryMs = 100;

/**
 * Copies a log event by event in its order, then reads the whole copy and compares both digests. Events already present
 * are compared and kept, so an interrupted copy resumes on the next run. Only the store's clock and positions are new.
 * @throws OperatorError when the source is broken, grows, or lacks a checkpoint's event, or the target holds other
 * events; the signal's reason
 */
export async function copyLog(options: CopyOptions): Promise<Copied> {
  const { from, to, checkpoints = new Set() } = options;
  if ((await from.logId()) !== (await to.logId()))
    throw new OperatorError("The target belongs to another log: copy into an unused store.");
  const { report: source, positions: places } = await readWhole(from, options);
  if (source.problem) throw new OperatorError(`Not copied: the source is broken. ${source.problem.words}`);
  if (places.size < checkpoints.size)
    throw new OperatorError(
      "Not copied: the source lacks an event that this database has seen, so it is not the log in use but an older copy. Copy from the event store in use.",
    );
  await appendMissing(options);
  const copied = await readWhole(to, options);
  const { report: copy } = copied;
  if (copy.problem) throw new OperatorError(`The copy is broken. ${copy.problem.words}`);
  if ((await from.head()) !== source.position)
    throw new OperatorError("The source grew while it was copied: stop the product, and run this again.");
  if (copy.events !== source.events || copy.rollingHash !== source.rollingHash)
    throw new OperatorError(
      `The copy differs from the source: ${copy.events} events with rolling hash ${copy.rollingHash}, ${source.events} with ${source.rollingHash}. Do not use it.`,
    );
  return copied;
}

/**
 * Reads a whole log, verifies its hashes, and records the positions of the checkpoints' events. Signed checkpoints are the
 * concern of `npm run audit`.
 */
async function readWhole(store: EventStore, { checkpoints, signal }: CopyOptions): Promise<Copied> {
  const positions = new Map<string, Position>();
  const report = await auditLog({
    ...{ store, ...(signal && { signal }) },
    onEvent: ({ id, position }) => {
      if (checkpoints?.has(id)) positions.set(id, position);
    },
  });
  return { report, positions };
}

async function appendMissing({ from, to, signal, onProgress }: CopyOptions): Promise<void> {
  let source = beginning;
  let target = beginning;
  let count = 0;
  for (;;) {
    signal?.throwIfAborted();
    const events = await from.readAll(source, eventsAtOnce);
    const last = events.at(-1);
    if (!last) return;
    const there = await to.readAll(target, events.length);
    for (const [index, event] of there.entries()) refuseOther(event, events[index]);
    for (const group of groupsOf(events.slice(there.length))) {
      signal?.throwIfAborted();
      await appendGroup(to, group);
    }
    source = last.position;
    target = there.length === events.length ? (there.at(-1)?.position ?? target) : await to.head();
    count += events.length;
    onProgress?.(count);
  }
}

/** Consecutive events of one stream go together: single appends would take several times as long. */
function groupsOf(events: readonly StoredEvent[]): StoredEvent[][] {
  const groups: StoredEvent[][] = [];
  let characters = 0;
  for (const event of events) {
    const group = groups.at(-1);
    const size = JSON.stringify(event).length;
    const fits = group && group.length < mostInAppend && characters + size <= mostCharacters;
    if (fits && group[0]?.stream === event.stream) {
      group.push(event);
      characters += size;
    } else {
      groups.push([event]);
      characters = size;
    }
  }
  return groups;
}

/** Retries the same events at the same revision until they are there. */
async function appendGroup(to: EventStore, group: readonly StoredEvent[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const { stream, revision } = first;
  const events = group.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  let fault: unknown;
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      await to.append({ stream, expectedRevision: revision === 0 ? "none" : revision - 1, events });
      return;
    } catch (error) {
      if (!unsettled.some((kind) => error instanceof kind)) throw error;
      fault = error;
    }
    const there = await to.readStream(stream, revision);
    for (const [index, event] of there.entries()) refuseOther(event, group[index]);
    if (there.length === group.length) return;
    await delay(firstRetryMs * 2 ** tries);
  }
  throw fault;
}

// Nothing was written, or the stream shows whether it was.
const unsettled = [OutcomeUnknown, StoreBusy, WrongExpectedRevision];

function refuseOther(found: StoredEvent, wanted: StoredEvent | undefined): void {
  if (wanted && isSameEvent(found, wanted)) return;
  throw new OperatorError(
    `The target holds an event that the source lacks: ${found.revision} of ${found.stream}. Copy into a store that nothing else has written to.`,
  );
}

/** Whether two stores hold the same event at the same place of the same stream, to the last character. */
function isSameEvent(one: StoredEvent, other: StoredEvent): boolean {
  return textOf(one) === textOf(other);
}

const textOf = ({ id, stream, revision, type, data, metadata }: StoredEvent): string =>
  JSON.stringify([id, stream, revision, type, data, metadata]);

/** @throws OperatorError if the database belongs to a log other than the one to copy */
export async function refuseOtherLog(pool: Pool, logId: string): Promise<void> {
  const { rows } = await pool.query<{ bound: string }>(
    "select bound_log as bound from installation where bound_log <> $1",
    [logId],
  );
  const [other] = rows;
  if (other)
    throw new OperatorError(
      `This database belongs to log ${other.bound.slice(0, 8)}, and the source holds log ${logId.slice(0, 8)}: set EVENTSTORE_URL or DATABASE_URL to those that belong together.`,
    );
}

/** Everything in the database with a position in the log: table, position and id of the event there. */
const standing = [
  ["followers", "position", "event_id::text"],
  ["parked_streams", "position", "event_id::text"],
  ["audit_digest", "position", "event_id"],
  ["transparency_tree", "position", "event_id"],
  ["transparency_marks", "position", "event_id"],
  ["installation", "newest_position", "newest_event::text"],
] as const;

export async function checkpointEvents(pool: Pool): Promise<ReadonlySet<string>> {
  const parts = standing.map(
    ([table, position, id]) => `select ${id} as id from ${table} where ${position} <> ''`,
  );
  const { rows } = await pool.query<{ id: string }>(parts.join(" union "));
  return new Set(rows.map(({ id }) => id));
}

/**
 * Translates every stored position to the new log, all of them or none, so nothing is rebuilt or repeated. Positions
 * are found by their events, so it does not matter which store the old ones came from.
 * @param positions in the new log, by event id
 * @returns the number of changed positions
 * @throws OperatorError for an event that is not in the copy, or while a process follows the log
 */
export async function carryCheckpoints(
  pool: Pool,
  positions: ReadonlyMap<string, Position>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await client.query("lock table followers in exclusive mode");
    await refuseWhileFollowed(client);
    let changed = 0;
    for (const place of standing) changed += await carry(client, place, positions);
    // The position of a stop belongs to the old log, and is retried at the next start.
    await client.query("update followers set stop_position = null where stop_position is not null");
    return changed;
  });
}

async function carry(
  client: Client,
  [table, position, id]: (typeof standing)[number],
  positions: ReadonlyMap<string, Position>,
): Promise<number> {
  const there = `${position} <> '' and not exists (select from unnest($1::text[]) as copied (id) where copied.id = ${id})`;
  const { rowCount: missing } = await client.query(`select from ${table} where ${there} limit 1`, [
    [...positions.keys()],
  ]);
  if (missing !== 0)
    throw new OperatorError("The product was running while its log was copied: stop it, and run this again.");
  const { rowCount } = await client.query(
    `update ${table} set ${position} = copied.position
     from unnest($1::text[], $2::text[]) as copied (id, position)
     where ${table}.${position} <> '' and copied.id = ${id} and copied.position <> ${table}.${position}`,
    [[...positions.keys()], [...positions.values()]],
  );
  return rowCount ?? 0;
}
