import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { BookBroken, type CheckpointBook, type SignedCheckpoint } from "./checkpoint-book.ts";
import { createLogVerifier, type DigestAt, emptyDigest, type LogVerifier } from "./log-digest.ts";

/** What is wrong with a log. */
export type AuditProblem = {
  readonly kind: /** An event was changed, removed, moved, or put in. */
    | "chain-broken"
    /** The log's events agree with each other, but not with what was signed. */
    | "differs-from-checkpoint"
    /** Events that a checkpoint counted are not there. */
    | "cut-short"
    /** The checkpoints were made on another log. */
    | "other-log"
    /** The checkpoints themselves were changed. */
    | "checkpoints-broken";
  /** Where, as far as it is known. */
  readonly stream: string | null;
  readonly revision: number | null;
  /** A sentence without personal data. */
  readonly words: string;
};

export type AuditReport = {
  readonly events: number;
  readonly streams: number;
  /** Signed checkpoints that the log was held against. */
  readonly checkpoints: number;
  /** Of the last event that was read. */
  readonly position: Position;
  readonly rollingHash: string;
  readonly eventId: string | null;
  readonly logId: string;
  readonly problem: AuditProblem | null;
};

/** Checkpoints to hold a log against: none, where only its own hashes are to be trusted. */
export type Checkpoints = Pick<CheckpointBook, "read">;

export type AuditOptions = {
  readonly store: Pick<EventStore, "readAll" | "readStream" | "logId">;
  readonly book: Checkpoints;
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
  /** Hears of each event that was found to follow from those before it. */
  readonly onEvent?: (event: StoredEvent) => void;
};

const eventsAtOnce = 1_000;

/** Reads one event of a stream. */
export const eventReaderOf =
  (store: Pick<EventStore, "readStream">) =>
  async (stream: string, revision: number): Promise<StoredEvent | undefined> =>
    (await store.readStream(stream, revision)).find((event) => event.revision === revision);

/**
 * Reads the whole log and holds it against its own hashes and every signed checkpoint. What it finds wrong it reports; it ends at
 * the first broken event, because nothing after it proves anything.
 * @throws the store's faults; the signal's reason
 */
export async function auditLog(options: AuditOptions): Promise<AuditReport> {
  const logId = await options.store.logId();
  const signed = await readBook(options.book);
  const run = new AuditRun(options, logId, "problem" in signed ? [] : sinceBaseline(signed.checkpoints));
  return run.report("problem" in signed ? signed.problem : await run.readToTheEnd());
}

class AuditRun {
  readonly #options: AuditOptions;
  readonly #logId: string;
  readonly #expected: readonly SignedCheckpoint[];
  readonly #verifier: LogVerifier;
  #reached: DigestAt = { ...emptyDigest, position: beginning, eventId: "" };
  #streams = 0;
  #met = 0;

  constructor(options: AuditOptions, logId: string, expected: readonly SignedCheckpoint[]) {
    this.#options = options;
    this.#logId = logId;
    this.#expected = expected;
    this.#verifier = createLogVerifier(eventReaderOf(options.store));
  }

  async readToTheEnd(): Promise<AuditProblem | null> {
    const foreign = this.#expected.find(({ logId }) => logId !== this.#logId);
    if (foreign) return otherLog(foreign);
    for (;;) {
      this.#options.signal?.throwIfAborted();
      const events = await this.#options.store.readAll(this.#reached.position, eventsAtOnce);
      if (events.length === 0) break;
      const problem = await this.#takeAll(events);
      if (problem) return problem;
      this.#options.onProgress?.(this.#reached.count);
    }
    const last = this.#expected.at(-1);
    return last && this.#met < this.#expected.length ? cutShort(this.#reached.count, last.count) : null;
  }

  async #takeAll(events: readonly StoredEvent[]): Promise<AuditProblem | null> {
    for (const event of events) {
      try {
        this.#reached = await this.#verifier.take(this.#reached, event);
      } catch (error) {
        if (error instanceof BrokenChain) return chainBroken(error);
        throw error;
      }
      this.#options.onEvent?.(event);
      if (event.revision === 0) this.#streams += 1;
      if (!this.#agreesWithCheckpoints()) return differs(this.#reached);
    }
    return null;
  }

  /** Two may have been signed at the same event. */
  #agreesWithCheckpoints(): boolean {
    for (; this.#expected[this.#met]?.count === this.#reached.count; this.#met += 1) {
      if (!agrees(this.#expected[this.#met], this.#reached)) return false;
    }
    return true;
  }

  report(problem: AuditProblem | null): AuditReport {
    const { count, position, rollingHash, eventId } = this.#reached;
    return {
      events: count,
      streams: this.#streams,
      checkpoints: this.#met,
      position,
      rollingHash,
      eventId: eventId || null,
      logId: this.#logId,
      problem,
    };
  }
}

/** Whether a digest is what was signed when the log had as many events. */
export const agrees = (checkpoint: SignedCheckpoint | undefined, reached: DigestAt): boolean =>
  checkpoint?.rollingHash === reached.rollingHash && checkpoint.eventId === reached.eventId;

/** The checkpoints that still count: those after the last that the operator accepted, and that one. */
export function sinceBaseline(checkpoints: readonly SignedCheckpoint[]): readonly SignedCheckpoint[] {
  const from = checkpoints.findLastIndex(({ baseline }) => baseline);
  return from < 0 ? checkpoints : checkpoints.slice(from);
}

async function readBook(
  book: Checkpoints,
): Promise<{ checkpoints: readonly SignedCheckpoint[] } | { problem: AuditProblem }> {
  try {
    return { checkpoints: await book.read() };
  } catch (error) {
    if (!(error instanceof BookBroken)) throw error;
    return { problem: bookBroken(error) };
  }
}

/** Checkpoints that somebody changed, as a finding. */
export const bookBroken = (error: BookBroken): AuditProblem => ({
  kind: "checkpoints-broken",
  stream: null,
  revision: null,
  words: error.message,
});

/** A broken event, as a finding. */
export const chainBroken = (error: BrokenChain): AuditProblem => ({
  kind: "chain-broken",
  stream: error.stream,
  revision: error.revision,
  words: error.message,
});

/** Another log than the one that was signed. */
export const differs = ({ count, position }: DigestAt): AuditProblem => ({
  kind: "differs-from-checkpoint",
  stream: null,
  revision: null,
  words: `The first ${count} events, up to position ${position}, are not those that were signed: some were replaced, moved or taken out.`,
});

/** A log that ends before what was signed. */
export const cutShort = (count: number, signedCount: number): AuditProblem => ({
  kind: "cut-short",
  stream: null,
  revision: null,
  words: `The log holds ${count} events, but ${signedCount} were signed: the newest ${signedCount - count} are gone.`,
});

/** Checkpoints that say nothing of this log. */
export const otherLog = ({ at }: SignedCheckpoint): AuditProblem => ({
  kind: "other-log",
  stream: null,
  revision: null,
  words: `The checkpoint of ${at} was made on another log than this one.`,
});
