import type { EventStore, Position, StoredEvent } from "../event-store/event-store.ts";
import { StreamUnreadable } from "../event-store/stream-unreadable.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { nameOfError } from "./follower-faults.ts";
import { LeaseLost } from "./lease.ts";
import * as parked from "./parked-streams.ts";
import { isTransientError } from "./transient-fault.ts";

/** Told how a transaction ended. */
export type Ended = (isCommitted: boolean) => void;

/** Registers a callback for the end of the transaction. */
export type OnEnd = (ended: Ended) => void;

/** Processes events in the caller's transaction. */
export type Work = (client: Client, events: readonly StoredEvent[], onEnd: OnEnd) => Promise<void>;

/** Runs a transaction, and tells the callbacks registered in it how it ended. */
export async function tellingOfEnd(transaction: (onEnd: OnEnd) => Promise<void>): Promise<void> {
  const told: Ended[] = [];
  let isCommitted = false;
  try {
    await transaction((ended) => told.push(ended));
    isCommitted = true;
  } finally {
    for (const ended of told) ended(isCommitted);
  }
}

/** Streams retried in one go. */
export const retriesAtOnce = 20;

type RetryParts = {
  readonly store: Pick<EventStore, "readStream">;
  readonly pool: Pool;
  readonly log: Log | undefined;
  /** Reprocesses a whole stream, part of which was processed before. */
  readonly redo: Work;
  /** Up to which the follower has come: later events reach it in their turn. */
  readonly position: Position;
  /** @throws LeaseLost when another process holds the lease */
  readonly fence: (client: Client) => Promise<void>;
};

/**
 * Retries a parked stream as a whole: what was processed before may have been wrong. Resolves to whether it is resumed.
 * @throws LeaseLost, or a transient error
 */
export async function retryParked(one: parked.ParkedStream, parts: RetryParts): Promise<boolean> {
  const { store, pool, log, redo, position, fence } = parts;
  const { stream, name, version } = one;
  const follower = { name, version };
  try {
    const events = await store.readStream(stream);
    if (!events.some(({ id }) => id === one.eventId)) {
      await noteTry(one, "chain-broken", parts);
      return false;
    }
    const due = events.filter((event) => event.position <= position);
    await tellingOfEnd((onEnd) =>
      inTransaction(pool, async (client) => {
        await redo(client, due, onEnd);
        await parked.unpark(client, follower, stream);
        await fence(client);
      }),
    );
    log?.info({ follower, stream }, "a parked stream was resumed");
    return true;
  } catch (error) {
    if (isNotOfEvents(error)) throw error;
    await noteTry(one, parked.parkingReasonOf(error) ?? one.reason, parts, error);
    return false;
  }
}

async function noteTry(
  one: parked.ParkedStream,
  reason: parked.ParkingReason,
  { pool, log, fence }: RetryParts,
  error?: unknown,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await parked.noteTry(client, one, reason);
    await fence(client);
  });
  const { name, version, stream } = one;
  log?.warn(
    { follower: { name, version }, stream, reason, fault: faultBehind(error) },
    "a retried stream remains parked",
  );
}

/** The cause of an unreadable stream says more than the error itself. */
export const faultBehind = (error: unknown): string | null =>
  nameOfError(error instanceof StreamUnreadable && error.cause !== undefined ? error.cause : error);

/** Whether the events are not to blame: another process took over, or a retry may succeed. */
export const isNotOfEvents = (error: unknown): boolean =>
  error instanceof LeaseLost || isTransientError(error);
