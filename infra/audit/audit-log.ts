import { beginning, type EventStore, type Position, type StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { BookBroken, type CheckpointBook, type SignedCheckpoint } from "./checkpoint-book.ts";
import { createLogVerifier, type DigestAt, emptyDigest, type LogVerifier } from "./log-digest.ts";

export type AuditProblem = {
  readonly kind: /** An event was changed, removed, moved or inserted. */
    | "chain-broken"
    /** The log is consistent, but differs from the signed checkpoints. */
    | "differs-from-checkpoint"
    /** Events counted by a checkpoint are missing. */
    | "cut-short"
    /** The checkpoints belong to another log. */
    | "other-log"
    /** The checkpoints themselves were changed. */
    | "checkpoints-broken";
  /** Where, if known. */
  readonly stream: string | null;
  readonly revision: number | null;
  /** A sentence without personal data. */
  readonly words: string;
};

export type AuditReport = {
  readonly events: number;
  readonly streams: number;
  /** Signed checkpoints compared with the log. */
  readonly checkpoints: number;
  /** Of the last event read. */
  readonly position: Position;
  readonly rollingHash: string;
  readonly eventId: string | null;
  readonly logId: string;
  readonly problem: AuditProblem | null;
};

/** Checkpoints to compare with; none when only the log's own hashes are checked. */
type Checkpoints = Pick<CheckpointBook, "read">;

type AuditOptions = {
  readonly store: Pick<EventStore, "readAll" | "readStream" | "logId">;
  readonly book: Checkpoints;
  readonly signal?: AbortSignal;
  readonly onProgress?: (events: number) => void;
  /** Called for each verified event. */
  readonly onEvent?: (event: StoredEvent) => void;
};

const eventsAtOnce = 1_000;

export const eventReaderOf =
  (store: Pick<EventStore, "readStream">) =>
  async (stream: string, revision: number): Promise<StoredEvent | undefined> =>
    (await store.readStream(stream, revision)).find((event) => event.revision === revision);

/**
 * Reads the whole log and checks it against its own hashes and every signed checkpoint. Stops at the first broken
 * event, because nothing after it proves anything.
 * @throws the store's errors; the signal's reason
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

  /** Two checkpoints may cover the same event. */
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

/** Whether a digest equals the one signed at the same event count. */
export const agrees = (checkpoint: SignedCheckpoint | undefined, reached: DigestAt): boolean =>
  checkpoint?.rollingHash === reached.rollingHash && checkpoint.eventId === reached.eventId;

/** The checkpoints still in force: the last accepted baseline and those after it. */
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

export const bookBroken = (error: BookBroken): AuditProblem => ({
  kind: "checkpoints-broken",
  stream: null,
  revision: null,
  words: error.message,
});

export const chainBroken = (error: BrokenChain): AuditProblem => ({
  kind: "chain-broken",
  stream: error.stream,
  revision: error.revision,
  words: error.message,
});

export const differs = ({ count, position }: DigestAt): AuditProblem => ({
  kind: "differs-from-checkpoint",
  stream: null,
  revision: null,
  words: `The first ${count} events, up to position ${position}, are not those that were signed: some were replaced, moved or removed.`,
});

export const cutShort = (count: number, signedCount: number): AuditProblem => ({
  kind: "cut-short",
  stream: null,
  revision: null,
  words: `The log holds ${count} events, but ${signedCount} were signed: the newest ${signedCount - count} are gone.`,
});

export const otherLog = ({ at }: SignedCheckpoint): AuditProblem => ({
  kind: "other-log",
  stream: null,
  revision: null,
  words: `The checkpoint of ${at} was made on another log than this one.`,
});
