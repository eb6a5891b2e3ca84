import pg from "pg";
import {
  type EventStore,
  EventStoreUnreachable,
  OutcomeUnknown,
  StoreBusy,
} from "../../event-store/event-store.ts";
import { nameOfError } from "../../following/follower-faults.ts";
import { pause as realPause } from "../../following/follower-turn.ts";
import { isTransientError } from "../../following/transient-fault.ts";
import { endClient, expectWrites } from "../../postgres/pool.ts";
import type { Log } from "../../process/log.ts";

/** Our storage; with the log in Postgres there is only the database. */
type StoragePart = "database" | "event store";

/** Monitors whether our storage answers, and logs outages: once, then every minute, and once when over. */
export type StorageWatch = {
  /** Reports an error that may mean an unreachable part. Do not log it as well: the watch does. */
  suspect(error: unknown): void;
  /** After a suspicion waits for the check, two seconds at most. @throws StorageAway while the part does not answer */
  expect(part: StoragePart): Promise<void>;
  /**
   * Resolves when nothing is suspected, or the signal aborts. True if a part was unreachable: the failed work has not
   * really been tried yet. After errors that no part explains it waits ever longer, up to 15 s.
   */
  over(signal: AbortSignal): Promise<boolean>;
  /** Called each time all parts answer again. The callback must not throw. */
  onBack(callback: () => void): void;
};

/** A part of our storage does not answer. No request was sent. */
class StorageAway extends EventStoreUnreachable {
  override name = "StorageAway";
  constructor(part: StoragePart) {
    super(`The ${part} does not answer.`);
  }
}

/** Assumes that everything answers. */
export const trustedStorage: StorageWatch = {
  suspect: () => undefined,
  expect: async () => undefined,
  over: async () => false,
  onBack: () => undefined,
};

type StorageWatchOptions = {
  /** A cheap request to each part, over a separate connection. */
  readonly probes: Readonly<Partial<Record<StoragePart, () => Promise<unknown>>>>;
  readonly log: Readonly<Record<"warn" | "info", (facts: object, words: string) => void>>;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs?: () => number;
  /** Waits, less when the signal aborts, and never throws; defaults to a real timer. */
  readonly pause?: typeof realPause;
};

const probeEveryMs = 500;
const answerWithinMs = 2000;
const sayEveryMs = 60_000;
const unexplained = { firstMs: 500, mostMs: 15_000 } as const;

export function createStorageWatch(options: StorageWatchOptions): StorageWatch & AsyncDisposable {
  return new ProbingWatch(options);
}

class ProbingWatch implements StorageWatch, AsyncDisposable {
  readonly #probes: readonly (readonly [StoragePart, () => Promise<unknown>])[];
  readonly #log: StorageWatchOptions["log"];
  readonly #nowMs: () => number;
  readonly #pause: typeof realPause;
  readonly #stopping = new AbortController();
  readonly #callbacks: (() => void)[] = [];
  /** Set from the first suspicion until nothing is suspected: resolves to whether a part was unreachable. */
  #suspicion: Promise<boolean> | undefined;
  /** Resolves once all parts have been checked. */
  #verdict: Promise<void> = Promise.resolve();
  #away: ReadonlySet<StoragePart> = new Set();
  /** Since the last log line. */
  #faults = 0;
  readonly #saidAtMs = { outage: Number.NEGATIVE_INFINITY, unexplained: Number.NEGATIVE_INFINITY };
  #unexplained = { atMs: Number.NEGATIVE_INFINITY, pauseMs: 0 };

  constructor({ probes, log, nowMs = () => performance.now(), pause = realPause }: StorageWatchOptions) {
    this.#probes = (["database", "event store"] as const).flatMap((part) => {
      const probe = probes[part];
      return probe ? [[part, probe] as const] : [];
    });
    this.#log = log;
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  suspect(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#faults += 1;
    if (this.#suspicion) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#verdict = promise;
    this.#suspicion = this.#investigate(error, resolve);
  }

  async expect(part: StoragePart): Promise<void> {
    if (this.#suspicion) await this.#verdict;
    if (this.#away.has(part)) throw new StorageAway(part);
  }

  async over(signal: AbortSignal): Promise<boolean> {
    const { promise: aborted, resolve } = Promise.withResolvers<boolean>();
    const giveUp = () => resolve(false);
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp);
    try {
      return await Promise.race([this.#suspicion ?? false, aborted]);
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  onBack(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#suspicion;
  }

  async #investigate(error: unknown, hasVerdict: () => void): Promise<boolean> {
    const sinceMs = this.#nowMs();
    const code = nameOfError(error);
    this.#away = await this.#ask();
    hasVerdict();
    const wasAway = this.#away.size > 0;
    if (wasAway) await this.#waitOut(code, sinceMs);
    else await this.#pauseUnexplained(code);
    this.#suspicion = undefined;
    if (wasAway && !this.#stopping.signal.aborted) for (const callback of this.#callbacks) callback();
    return wasAway;
  }

  async #waitOut(code: string | null, sinceMs: number): Promise<void> {
    const facts = () => ({
      seconds: Math.round((this.#nowMs() - sinceMs) / 1000),
      faults: this.#faults,
    });
    const before = [...this.#away];
    let isSaid = this.#say("outage", { away: before, code }, "storage does not answer: what needs it waits");
    while (this.#away.size > 0 && !this.#stopping.signal.aborted) {
      await this.#pause(probeEveryMs, this.#stopping.signal);
      this.#away = await this.#ask();
      const away = [...this.#away];
      if (away.length > 0)
        isSaid = this.#say("outage", { away, ...facts() }, "storage still does not answer") || isSaid;
    }
    if (isSaid) this.#log.info({ away: before, ...facts() }, "storage answers again");
    this.#faults = 0;
  }

  /** Everything answers, yet something failed: a deadlock, a quick restart, a full disk. */
  async #pauseUnexplained(code: string | null): Promise<void> {
    const atMs = this.#nowMs();
    const { atMs: lastAtMs, pauseMs: lastPauseMs } = this.#unexplained;
    const isRare = atMs - lastAtMs > sayEveryMs;
    const pauseMs = isRare ? unexplained.firstMs : Math.min(lastPauseMs * 2, unexplained.mostMs);
    this.#unexplained = { atMs, pauseMs };
    const facts = { code, faults: this.#faults };
    if (this.#say("unexplained", facts, "storage answers, but something that needs it failed"))
      this.#faults = 0;
    await this.#pause(pauseMs, this.#stopping.signal);
  }

  /** Logs at most once a minute per kind. Returns whether it logged. */
  #say(kind: "outage" | "unexplained", facts: object, words: string): boolean {
    const atMs = this.#nowMs();
    if (atMs - this.#saidAtMs[kind] < sayEveryMs) return false;
    this.#saidAtMs[kind] = atMs;
    this.#log.warn(facts, words);
    return true;
  }

  async #ask(): Promise<ReadonlySet<StoragePart>> {
    const answered = await Promise.all(this.#probes.map(([, probe]) => this.#answers(probe)));
    return new Set(this.#probes.flatMap(([part], index) => (answered[index] ? [] : [part])));
  }

  async #answers(probe: () => Promise<unknown>): Promise<boolean> {
    const gaveUp = new AbortController();
    const late = this.#pause(answerWithinMs, gaveUp.signal).then(() => false);
    // Any later result is too late.
    const asked = probe().then(
      () => true,
      () => false,
    );
    const answered = await Promise.race([asked, late]);
    gaveUp.abort();
    return answered;
  }
}

/**
 * An event store that reports its errors to the watch, and fails at once while the log's storage is known to be
 * unreachable, instead of letting each caller time out. Followers retry on their own.
 */
export function failingFast(
  store: EventStore,
  part: StoragePart,
  storage: Pick<StorageWatch, "suspect" | "expect">,
): EventStore {
  const asking = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await storage.expect(part);
    try {
      return await ask();
    } catch (error) {
      if (isStorageError(error)) storage.suspect(error);
      throw error;
    }
  };
  return {
    append: async (request) => {
      try {
        return await asking(() => store.append(request));
      } catch (error) {
        throw error instanceof StorageAway ? new StoreBusy("Nothing was sent.", { cause: error }) : error;
      }
    },
    readStream: (stream, from) => asking(() => store.readStream(stream, from)),
    readAll: (after, limit) => asking(() => store.readAll(after, limit)),
    eventAt: (position) => asking(() => store.eventAt(position)),
    follow: (options) => store.follow(options),
    head: () => asking(() => store.head()),
    logId: () => asking(() => store.logId()),
    close: () => store.close(),
  };
}

/**
 * Whether our storage (log, database, keys) failed transiently. Says nothing about the work itself, and does not count
 * as an attempt.
 */
export const isStorageError = (error: unknown): boolean =>
  error instanceof OutcomeUnknown || error instanceof StoreBusy || isTransientError(error);

const patienceMs = 2000;

/**
 * Checks the database over a separate connection: those of the pool may hang while a recovered server accepts new ones.
 */
const probeDatabase = (connectionString: string) => async (): Promise<void> => {
  const client = new pg.Client({
    connectionString,
    application_name: "certificates probe",
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on("error", () => undefined); // Reported by the failing query.
  try {
    await client.connect();
    await client.query(expectWrites);
  } finally {
    await endClient(client);
  }
};

/** Reads a stream that never exists: the cheapest request that needs the log's leader. */
const probeLog = (store: Pick<EventStore, "readStream">) => async (): Promise<void> =>
  void (await store.readStream("probe"));

/** Watches the database, and the event store if it is a separate server. */
export function watchStorage(parts: {
  readonly connectionString: string;
  readonly store: Pick<EventStore, "readStream">;
  /** True when the log is not in Postgres. */
  readonly isApart: boolean;
  readonly log: Log;
}): StorageWatch & AsyncDisposable {
  const { connectionString, store, isApart, log } = parts;
  return createStorageWatch({
    probes: {
      database: probeDatabase(connectionString),
      ...(isApart && { "event store": probeLog(store) }),
    },
    log: { warn: (facts, words) => log.warn(facts, words), info: (facts, words) => log.info(facts, words) },
  });
}
