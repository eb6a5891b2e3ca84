import { beginning, type EventStore, type StoredEvent } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import { createFollower, type Follower, type FollowerOptions } from "../../../infra/following/follower.ts";
import { type FollowerKey, readFollower } from "../../../infra/following/lease.ts";
import { park } from "../../../infra/following/parked-streams.ts";
import type { Client, Pool } from "../../../infra/postgres/pool.ts";
import { owedTo, subjectIdOf, subjectIfKnown } from "../subject.ts";
import { addRows, taskRules, tasksFollower } from "../work/work-table.ts";
import type { FollowTasksDependencies } from "./follow-tasks.ts";

/** Has a row only while the tasks of older orders and tickets are still being derived under these rules. */
const olderTasksFollower = (rules: number): FollowerKey => ({ name: "older-work", version: rules });

/** Streams loaded one after the other, in one transaction. */
const batchSize = 200;

/**
 * Starts following new events under new rules at once, and queues older orders and tickets to be derived alongside.
 * Does nothing if these rules were already begun, by any process.
 */
export async function beginRules(pool: Pool, store: EventStore, rules: number): Promise<void> {
  const [live, older] = [tasksFollower(rules), olderTasksFollower(rules)];
  if (await readFollower(pool, live)) return;
  const [position, logId] = [await store.head(), await store.logId()];
  const last = position === beginning ? undefined : await store.eventAt(position);
  // One statement: neither row may exist without the other.
  await pool.query(
    `with begun as (
       insert into followers (name, version, position, event_id, log_id) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning position
     )
     insert into followers (name, version) select $6, $7 from begun where position <> '' on conflict do nothing`,
    [live.name, live.version, position, last?.id ?? null, last ? logId : null, older.name, older.version],
  );
}

/** Whether the tasks of all orders and tickets have been derived under these rules. */
export async function isEverythingListed(pool: Pool, rules: number): Promise<boolean> {
  return (await readFollower(pool, olderTasksFollower(rules))) === undefined;
}

/**
 * Derives once the tasks of orders and tickets that existed when the rules changed. Visits each at its first event,
 * reads its current state, and only adds rows: the live follower may already know of a later event.
 */
export function followOlderTasks(
  parts: Omit<FollowTasksDependencies, "engine"> & Omit<FollowerOptions, "process" | keyof FollowerKey>,
): Follower {
  const { store, pool, newId, log, watch, storage, rules = taskRules } = parts;
  return createFollower({
    ...olderTasksFollower(rules),
    endsAtHead: true,
    batchSize,
    store,
    pool,
    newId,
    log,
    ...(watch && { watch }),
    ...(storage && { storage }),
    process: async (client, events) => {
      for (const event of events.filter(({ revision }) => revision === 0))
        await derive(parts, client, event, rules);
    },
  });
}

async function derive(
  parts: Omit<FollowTasksDependencies, "engine">,
  client: Client,
  event: StoredEvent,
  rules: number,
): Promise<void> {
  const { stream } = event;
  const subjectId = subjectIdOf(stream);
  if (subjectId === undefined) return;
  const at = parts.now();
  try {
    const subject = await subjectIfKnown(parts, subjectId);
    if (!subject)
      throw new StreamUnreadable(stream, "chain-broken", `${stream} has events but no first event.`);
    const tasks = whileReading(stream, () => owedTo(subject, at.toISOString(), parts.settings));
    await addRows(client, [{ subjectId, tasks }], at, rules);
  } catch (error) {
    if (!(error instanceof StreamUnreadable)) throw error;
    // Parked for the live follower, which continues once this one is done.
    await park(client, tasksFollower(rules), event, error.reason);
    parts.log.error(
      { stream, reason: error.reason },
      "ALARM: a stream was parked: it triggers no tasks until repaired",
    );
  }
}
