import { type EventStore, OutcomeUnknown, StoreBusy } from "../event-store/event-store.ts";
import { EventStoreUnreachable } from "../event-store/kurrent/kurrent-errors.ts";
import { nameOfFault } from "../following/follower-faults.ts";
import { pause as realPause } from "../following/follower-turn.ts";
import { isTransientFault } from "../following/transient-fault.ts";

/** What we keep things in; with the log in Postgres there is the database alone. */
export type StoragePart = "database" | "event store";

/** Knows whether our own storage answers, and tells the operator: once, then every minute, and once when it is over. */
export type StorageWatch = {
  /** Hears of a fault that may mean that a part is away. It is not logged here again: the watch says it for all. */
  suspect(error: unknown): void;
  /** Waits for the verdict where there is a suspicion, two seconds at most. @throws StorageAway while the part does not answer */
  expect(part: StoragePart): Promise<void>;
  /**
   * Resolves once there is no suspicion (any more), or the signal aborts. Answers whether a part was away: then what failed has not been tried yet.
   * After faults that no part explains it waits ever longer, 15 s at last.
   */
  over(signal: AbortSignal): Promise<boolean>;
  /** Calls back each time that all of it answers again. The callback must not throw. */
  onBack(callback: () => void): void;
};

/** A part of our storage does not answer. It was not asked. */
export class StorageAway extends EventStoreUnreachable {
  override name = "StorageAway";
  constructor(part: StoragePart) {
    super(`The ${part} does not answer.`);
  }
}

/** Believes that everything answers. */
export const trustedStorage: StorageWatch = {
  suspect: () => undefined,
  expect: async () => undefined,
  over: async () => false,
  onBack: () => undefined,
};

export type StorageWatchOptions = {
  /** One small question to each part, over a way that is not shared with what may be stuck. */
  readonly probes: Readonly<Partial<Record<StoragePart, () => Promise<unknown>>>>;
  readonly log: Readonly<Record<"warn" | "info", (facts: object, words: string) => void>>;
  /** Milliseconds of a clock that only ever runs on. */
  readonly nowMs?: () => number;
  /** Waits, or less when the signal aborts, and never throws; real time unless told. */
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
  /** From the first suspicion until nothing is suspected: resolves with whether a part was away. */
  #suspicion: Promise<boolean> | undefined;
  /** Until all parts were asked for the first time. */
  #verdict: Promise<void> = Promise.resolve();
  #away: ReadonlySet<StoragePart> = new Set();
  /** Since it was last said. */
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
    await this.#verdict;
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
    const code = nameOfFault(error);
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

  /** Everything answers, yet something failed: a deadlock, a restart that was quick, a disk that takes no more. */
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

  /** At most once a minute of a kind. Answers whether it was said. */
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
    // What comes later, well or badly, was too late.
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
 * An event store that tells the watch of its faults, and fails at once while the part that holds the log is known to be away, instead of
 * letting each caller wait for a time-out. Followers go on by themselves.
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
      if (isStorageFault(error)) storage.suspect(error);
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

/** Whether storage of our own failed (log, database, keys), in a way that passes. It says nothing about what was being done, and counts as no try of it. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof OutcomeUnknown || error instanceof StoreBusy || isTransientFault(error);
