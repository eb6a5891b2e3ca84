import type { EventStore, Position, StoredEvent } from "../../infra/event-store/event-store.ts";
import { OperatorFault } from "../../infra/operator-fault.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { isSameEvent } from "./same-event.ts";

/** @throws OperatorFault while a process follows the log: it would write on into the store that is being left */
export async function refuseWhileRunning(pool: Pool): Promise<void> {
  const { rows } = await pool.query("select from followers where lease_until > now() limit 1");
  if (rows.length > 0)
    throw new OperatorFault(
      "The product is running on this database: stop it, wait 10 seconds, and run this again.",
    );
}

type Row = { table: "followers" | "audit_digest"; key: string; position: Position };

/**
 * Says in the new log's positions how far everything has come that follows the log, so that nothing is rebuilt or done again. Answers
 * how many were changed; what is in the new positions already stays.
 * @throws OperatorFault for a checkpoint whose event is not in the copy
 */
export async function carryCheckpoints(pool: Pool, from: EventStore, to: EventStore): Promise<number> {
  const { rows } = await pool.query<Row>(
    `select 'followers' as table, name || ' ' || version as key, position from followers where position <> ''
     union all select 'audit_digest', 'the auditor', position from audit_digest where position <> ''`,
  );
  let changed = 0;
  for (const row of rows) {
    const position = await translate(row, from, to);
    if (position === undefined) continue;
    await pool.query(updates[row.table], [position, row.key, row.position]);
    changed += 1;
  }
  return changed;
}

const updates = {
  followers:
    "update followers set position = $1, stop_position = null where name || ' ' || version = $2 and position = $3",
  audit_digest: "update audit_digest set position = $1 where $2 = 'the auditor' and position = $3",
} as const;

async function translate(row: Row, from: EventStore, to: EventStore): Promise<Position | undefined> {
  const event = await eventAt(from, row.position);
  if (event === "of another log") return undefined;
  const [same] = event ? await to.readStream(event.stream, event.revision) : [];
  if (event && same && isSameEvent(event, same)) return same.position;
  throw new OperatorFault(`The checkpoint of ${row.key} is at an event that the copy does not hold.`);
}

/** Each kind of log refuses the positions of the other. */
async function eventAt(
  store: EventStore,
  position: Position,
): Promise<StoredEvent | undefined | "of another log"> {
  try {
    return await store.eventAt(position);
  } catch (error) {
    if (error instanceof RangeError) return "of another log";
    throw error;
  }
}
