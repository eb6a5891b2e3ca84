import { setImmediate } from "node:timers/promises";
import {
  beginning,
  type EventStore,
  type Position,
  type StoredEvent,
} from "../../infra/event-store/event-store.ts";
import { usualMostParked } from "../../infra/following/follower.ts";
import { checkLog, Stopped } from "../../infra/following/follower-faults.ts";
import { whileHeld } from "../../infra/following/held-lease.ts";
import * as leases from "../../infra/following/lease.ts";
import {
  type ParkingReason,
  park,
  parkingReasonOf,
  unparkAll,
} from "../../infra/following/parked-streams.ts";
import { seize } from "../../infra/following/subscription/membership.ts";
import { workAround } from "../../infra/following/work-around.ts";
import { type LockPatience, patientWithLocks } from "../../infra/postgres/lock-patience.ts";
import { type Client, inDerivedTransaction, inTransaction, type Pool } from "../../infra/postgres/pool.ts";
import { type Projection, schemaOf } from "./projection.ts";
import { tablesOf } from "./read-model-tables.ts";

export type RebuildParts = {
  pool: Pool;
  store: EventStore;
  newId: () => string;
  /** Events read at once (1,000): more outlive the young generation of the heap. */
  batchSize?: number;
  /** Rows in memory, of which those that changed longest ago are written to make room (10,000). */
  mostRows?: number;
  /** With sessions that use the live tables when they are replaced. */
  patience?: Partial<LockPatience>;
};

class RebuildRunning extends Error {
  override name = "RebuildRunning";
}

const rebuildLock = 7_306_551;
const leaseMs = 5_000;
const mostSeizures = 5;

/**
 * Folds the whole log into new tables alongside the live ones, then swaps tables and checkpoint in one transaction.
 * Readers and the follower continue meanwhile; the follower is fenced off for the last step and then continues from the
 * new checkpoint. Streams that cannot be folded are parked; parked ones that now can be are resumed. Returns the number
 * of events read.
 * @throws RebuildRunning, OperatorError when other sessions do not give the live tables up
 */
export async function rebuild<State>(projection: Projection<State>, parts: RebuildParts): Promise<number> {
  const { pool, store } = parts;
  const key = { name: projection.name, version: projection.version };
  const live = schemaOf(projection);
  const shadow = `${live}_rebuild`;
  return whileLocked(pool, live, async () => {
    const logId = await store.logId();
    const fill = await fillWhole(projection, shadow, parts);
    await leases.register(pool, key);
    // While readers keep the table, as a backup does, the follower continues between the tries.
    await patientWithLocks(
      pool,
      async (waitBriefly) => {
        const lease = await seizeForSure(pool, key, parts.newId());
        await whileHeld({ pool, key, lease, leaseMs }, new AbortController().signal, async () => {
          await fill.upTo(await checkpointInThisLog(store, lease));
          await inTransaction(pool, async (client) => {
            await waitBriefly(client, "transaction");
            await replaceSchema(client, live, shadow);
            await unparkAll(client, key);
            for (const { event, reason } of fill.parked()) await park(client, key, event, reason);
            await leases.moveCheckpoint(client, key, lease, { ...fill.reached(), logId }, leaseMs);
          });
          await leases.recordRunning(pool, key, lease.fence);
        });
      },
      parts.patience,
    );
    await tidy(pool, `${live}.${projection.table.name}`);
    return fill.events();
  });
}

/** A follower that joins or leaves its subscription at this moment cannot be seized; a moment later it can. */
async function seizeForSure(pool: Pool, key: leases.FollowerKey, holder: string): Promise<leases.Lease> {
  for (let tries = 1; ; tries++) {
    try {
      return await seize(pool, key, holder, leaseMs);
    } catch (error) {
      if (!(error instanceof leases.LeaseLost) || tries === mostSeizures) throw error;
    }
  }
}

async function fillWhole<State>(projection: Projection<State>, shadow: string, parts: RebuildParts) {
  try {
    const fill = await startFilling(projection, shadow, parts);
    await fill.inMemory();
    await fill.index();
    return fill;
  } catch (error) {
    if (parkingReasonOf(error) === undefined) throw error;
  }
  // The table or an index refuses a row. Finding it requires the index before the rows, written batch by batch.
  const indexed = await startFilling(projection, shadow, parts);
  await indexed.index();
  await indexed.toTheEnd();
  return indexed;
}

type Folding = (events: readonly StoredEvent[]) => Promise<void>;

/** Creates empty tables and folds the log into them. */
async function startFilling<State>(
  projection: Projection<State>,
  shadow: string,
  { pool, store, batchSize = 1_000, mostRows = 10_000 }: RebuildParts,
) {
  const tables = tablesOf(projection, shadow);
  let checkpoint: { position: Position; eventId: string | null } = { position: beginning, eventId: null };
  let events = 0;
  let ahead: Promise<StoredEvent[]> | undefined;
  const parked = new Map<string, { readonly event: StoredEvent; readonly reason: ParkingReason }>();
  await inTransaction(pool, async (client) => {
    await client.query(`drop schema if exists ${shadow} cascade`);
    await tables.createTable(client);
  });
  const intoTable: Folding = (events) => inDerivedTransaction(pool, (client) => tables.apply(client, events));

  async function parkOrFail(event: StoredEvent, error: unknown): Promise<void> {
    const reason = parkingReasonOf(error);
    if (reason === undefined || parked.size >= usualMostParked) throw error;
    parked.set(event.stream, { event, reason });
  }

  /** Returns the number of events folded. The next are read meanwhile. */
  async function foldNext(fold: Folding): Promise<number> {
    const batch = await (ahead ?? store.readAll(checkpoint.position, batchSize));
    ahead = undefined;
    const last = batch.at(-1);
    if (!last) return 0;
    if (batch.length === batchSize) ahead = store.readAll(last.position, batchSize);
    // Folding in memory lets nothing else run: the request goes out first.
    await setImmediate();
    const others: Folding = (some) => fold(some.filter(({ stream }) => !parked.has(stream)));
    await Promise.all([workAround(batch, others, parkOrFail, () => true), ahead]);
    checkpoint = { position: last.position, eventId: last.id };
    events += batch.length;
    return batch.length;
  }

  return {
    reached: () => checkpoint,
    events: () => events,
    parked: () => parked.values(),
    /** Up to the first partial batch: waiting for an empty one could take for ever while others append. */
    async toTheEnd(): Promise<void> {
      let read = batchSize;
      while (read === batchSize) read = await foldNext(intoTable);
    },
    /** The same for an empty table: a row is written once, unless its next event comes late. */
    async inMemory(): Promise<void> {
      const rows = tables.startEmpty();
      const write = (left: number) => inDerivedTransaction(pool, (client) => rows.write(client, left));
      let read = batchSize;
      while (read === batchSize) {
        read = await foldNext((events) => rows.fold(pool, events));
        // Not while folding: a row that is refused says nothing about these events.
        if (rows.size > mostRows) await write(Math.floor(mostRows / 2));
      }
      await write(0);
    },
    /** Before callers wait for it: on a large table this exceeds the usual statement timeout. */
    index: () =>
      inTransaction(pool, async (client) => {
        await client.query("set local statement_timeout = 0");
        await tables.createIndexes(client);
      }),
    /** Up to what readers have already seen; the rest is left to the follower. */
    async upTo(position: Position): Promise<void> {
      while (checkpoint.position < position)
        if ((await foldNext(intoTable)) === 0)
          throw new Error(`The log ended before ${position}, where it was read before.`);
    },
  };
}

/** A checkpoint that is not in the log (one of them was restored) is ignored: the rebuild repairs it. */
async function checkpointInThisLog(store: EventStore, lease: leases.Lease): Promise<Position> {
  try {
    await checkLog(store, lease);
    return lease.position;
  } catch (error) {
    if (error instanceof Stopped) return beginning;
    throw error;
  }
}

async function replaceSchema(client: Client, live: string, shadow: string): Promise<void> {
  await client.query(`drop schema if exists ${live} cascade`);
  await client.query(`alter schema ${shadow} rename to ${live}`);
}

/** Until this, or autovacuum, index-only scans do not work. */
async function tidy(pool: Pool, table: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await client.query(`vacuum (analyze) ${table}`);
  } finally {
    // Closed instead of released: the setting belongs to the session.
    client.release(true);
  }
}

/** Held on a separate connection, so that it ends with the process. */
async function whileLocked<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as mine",
      [rebuildLock, name],
    );
    if (!rows[0]?.mine) throw new RebuildRunning(`Another process is already rebuilding ${name}.`);
    const done = await work();
    // The server ends a closed session in its own time, and would refuse a rebuild that follows at once.
    await client.query("select pg_advisory_unlock($1, hashtext($2))", [rebuildLock, name]);
    return done;
  } finally {
    // Closed instead of released: the lock belongs to the session.
    client.release(true);
  }
}
