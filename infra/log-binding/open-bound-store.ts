import { type OpenEventStoreOptions, openEventStore } from "../event-store/open-event-store.ts";
import { nameOfError } from "../following/follower-faults.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type GuardedEventStore, guardEventStore, type SeenEvent } from "./guarded-event-store.ts";
import { bindToLog, hasLog, type ReadSignedEvent } from "./log-binding.ts";

type OpenBoundStoreOptions = Omit<OpenEventStoreOptions, "onlyLooks"> & {
  /** Reads which event was signed last, beside the keys; undefined for a process without keys. */
  readonly signed: ReadSignedEvent | undefined;
  readonly now: () => Date;
  readonly log: Pick<Log, "warn" | "error">;
};

/** A store, and when its log and database were bound; null if not recorded. */
type BoundStore = {
  readonly store: GuardedEventStore;
  readonly begunAt: Date | null;
  readonly close: () => Promise<void>;
};

/**
 * Opens the configured event store, once its log is confirmed to belong to the database and the keys. The first start
 * of an empty database binds it to an empty log.
 * @throws OperatorError when it is another log, or cannot be reached; the signal's reason when the start is cancelled
 */
export async function openBoundStore(options: OpenBoundStoreOptions): Promise<BoundStore> {
  const { url, pool, signed, now, log, onTrouble = () => undefined } = options;
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
      ...{ pool, store, signed, now },
      inDatabase: url === undefined,
      warn: (words) => log.warn(words),
    });
    const guarded = guardEventStore({
      store,
      bound,
      onOther: () =>
        log.error(
          "ALARM: the event store holds a log that does not belong to this database: everything waits",
        ),
      onBack: () => log.warn("this database's log is back"),
      // In Postgres the log and its records are lost, and restored, together.
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
 * Records, at most once a second, the newest event known to be in an external log: while followers are stopped, an
 * older copy must still be recognised.
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
      log.warn({ code: nameOfError(error) }, "the newest event could not be recorded");
    }
  }

  function saw(newest: SeenEvent): void {
    waiting = newest;
    timer ??= setTimeout(() => void flush(), noteEveryMs).unref();
  }

  return { saw, flush };
}
