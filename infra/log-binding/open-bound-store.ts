import type { CheckpointBook } from "../audit/checkpoint-book.ts";
import { type OpenEventStoreOptions, openEventStore } from "../event-store/open-event-store.ts";
import { nameOfFault } from "../following/follower-faults.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type GuardedEventStore, guardEventStore, type SeenEvent } from "./guarded-event-store.ts";
import { bindToLog, hasLog } from "./log-binding.ts";

export type OpenBoundStoreOptions = Omit<OpenEventStoreOptions, "onlyLooks"> & {
  /** The signed checkpoints beside the keys; undefined for a process that has no keys. */
  readonly book: Pick<CheckpointBook, "last"> | undefined;
  readonly now: () => Date;
  readonly log: Pick<Log, "warn" | "error">;
};

/** A store, and when its log and its database began together; null where nobody wrote that down. */
export type BoundStore = {
  readonly store: GuardedEventStore;
  readonly begunAt: Date | null;
  readonly close: () => Promise<void>;
};

/**
 * Opens the event store that the configuration names, once its log is seen to be the one of the database and of the keys. The first
 * start of an empty database binds it to an empty log.
 * @throws OperatorFault when it is another log, or cannot be reached; the signal's reason when the start is given up
 */
export async function openBoundStore(options: OpenBoundStoreOptions): Promise<BoundStore> {
  const { url, pool, book, now, log, onTrouble = () => undefined } = options;
  let guard: GuardedEventStore | undefined;
  const store = await openEventStore({
    ...options,
    onlyLooks: await hasLog(pool),
    onTrouble: (error) => {
      guard?.doubt();
      onTrouble(error);
    },
  });
  const note = createNewestNote(pool, log);
  try {
    const bound = await bindToLog({
      ...{ pool, store, book, now },
      inDatabase: url === undefined,
      warn: (words) => log.warn(words),
    });
    const guarded = guardEventStore({
      store,
      bound,
      onOther: () => log.error("ALARM: another log answers than the one of this database: everything waits"),
      onBack: () => log.warn("the log of this database is back"),
      // In Postgres the log and what is known of it are lost, and restored, together.
      ...(url !== undefined && { onNewest: note.saw }),
    });
    guard = guarded;
    const close = async () => {
      await note.flush();
      await guarded.close();
    };
    return { store: guarded, begunAt: bound.begunAt, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const noteEveryMs = 1_000;

/**
 * Writes down, once a second at most, the newest event that a log outside the database is known to hold: while followers stand still,
 * an older copy must not pass for the log.
 */
function createNewestNote(pool: Pool, log: Pick<Log, "warn">) {
  let waiting: SeenEvent | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    const newest = waiting;
    [waiting, timer] = [undefined, undefined];
    if (!newest) return;
    try {
      await pool.query(
        `update installation set newest_position = $1, newest_event = $2
         where newest_position is null or newest_position < $1`,
        [newest.position, newest.eventId],
      );
    } catch (error) {
      // The next one is written all the same.
      log.warn({ code: nameOfFault(error) }, "the newest event could not be noted");
    }
  }

  function saw(newest: SeenEvent): void {
    waiting = newest;
    timer ??= setTimeout(() => void flush(), noteEveryMs).unref();
  }

  return { saw, flush };
}
