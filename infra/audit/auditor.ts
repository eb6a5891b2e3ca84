import { beginning, type EventStore, type StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { createFollower, type FollowerStatus } from "../following/follower.ts";
import { nameOfFault } from "../following/follower-faults.ts";
import type { FollowerWatch } from "../following/follower-turn.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import type { StorageWatch } from "../storage/storage-watch.ts";
import {
  type AuditProblem,
  type AuditReport,
  agrees,
  auditLog,
  bookBroken,
  chainBroken,
  cutShort,
  differs,
  eventReaderOf,
  otherLog,
  sinceBaseline,
} from "./audit-log.ts";
import { type AuditRun, lockDigest, readDigest, readRuns, recordRun, writeDigest } from "./audit-records.ts";
import { BookBroken, type CheckpointBook, type SignedCheckpoint } from "./checkpoint-book.ts";
import { createLogVerifier, type DigestAt } from "./log-digest.ts";

export type AuditorOptions = {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly book: CheckpointBook;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  readonly watch?: FollowerWatch;
  readonly storage?: Pick<StorageWatch, "suspect">;
  /** How often a checkpoint is signed where something happened (60 s). */
  readonly signEverySeconds?: number;
};

export type AuditorStanding = {
  readonly follower: FollowerStatus;
  readonly events: number;
  readonly lastCheckpoint: SignedCheckpoint | null;
  /** When the whole log is being read right now: how many events so far. */
  readonly running: number | null;
  /** Newest first. */
  readonly runs: readonly AuditRun[];
};

/** Follows the log, verifies each event, and signs what the log amounts to. */
export type Auditor = {
  start(): void;
  stop(): Promise<void>;
  standing(): Promise<AuditorStanding>;
  /** Reads the whole log and records what came of it; while one is under way, the same answer. */
  auditWhole(): Promise<AuditRun>;
  /** Signs the digest as it stands, where it is newer than what was signed; answers whether it was. */
  signNow(): Promise<boolean>;
};

/** The log does not agree with what was signed. */
class Finding extends Error {
  override name = "AuditFinding";
  readonly problem: AuditProblem;
  constructor(problem: AuditProblem) {
    super(problem.words);
    this.problem = problem;
  }
}

const runsShown = 50;
const wholeEveryMs = 86_400_000;

export function createAuditor(options: AuditorOptions): Auditor {
  return new LogAuditor(options);
}

class LogAuditor implements Auditor {
  readonly #options: AuditorOptions;
  readonly #follower;
  readonly #verifier;
  readonly #ending = new AbortController();
  /** Signed before this process began and not passed yet, by count: what it follows must agree with each of them. */
  #ahead: Promise<ReadonlyMap<number, SignedCheckpoint>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #whole: { readonly run: Promise<AuditRun>; events: number } | undefined;
  #reported = new Set<string>();

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { store, pool, newId, log, watch, storage } = options;
    this.#verifier = createLogVerifier(eventReaderOf(store));
    this.#follower = createFollower({
      name: "auditor",
      version: 1,
      store,
      pool,
      newId,
      log,
      ...(watch && { watch }),
      ...(storage && { storage }),
      process: (client, events) => this.#follow(client, events),
    });
  }

  start(): void {
    this.#follower.start();
    const everyMs = (this.#options.signEverySeconds ?? 60) * 1000;
    this.#timer = setInterval(() => void this.#round(), everyMs);
    this.#timer.unref();
  }

  /** What is done every minute; the next minute is another try. */
  async #round(): Promise<void> {
    try {
      await this.signNow();
      if (await this.#isWholeOverdue()) await this.auditWhole();
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#options.log.error({ code: nameOfFault(error) }, "the audit of the log goes on in a minute");
    }
  }

  /** One process in turn reads the whole log once a day, whoever asked for it last. */
  async #isWholeOverdue(): Promise<boolean> {
    if (this.#whole || (await this.#follower.status()).state !== "following") return false;
    const [last] = await readRuns(this.#options.pool, 1, "whole");
    return !last || this.#options.now().getTime() - Date.parse(last.finishedAt) >= wholeEveryMs;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#follower.stop();
    await this.#whole?.run.catch(() => undefined); // Its caller has the reason.
  }

  async standing(): Promise<AuditorStanding> {
    const { pool, book } = this.#options;
    // Before the runs are read: one that ends in between is still said to be under way, and whoever asks will ask again.
    const running = this.#whole?.events ?? null;
    const [follower, digest, runs, lastCheckpoint] = await Promise.all([
      this.#follower.status(),
      readDigest(pool),
      readRuns(pool, runsShown),
      book.last(),
    ]);
    return {
      follower,
      events: digest.count,
      lastCheckpoint: lastCheckpoint ?? null,
      running,
      runs,
    };
  }

  auditWhole(): Promise<AuditRun> {
    if (this.#whole) return this.#whole.run;
    const run = this.#readWhole().finally(() => {
      this.#whole = undefined;
    });
    this.#whole = { run, events: 0 };
    return run;
  }

  async #readWhole(): Promise<AuditRun> {
    const { store, book } = this.#options;
    const startedAt = this.#now();
    const report = await auditLog({
      store,
      book,
      signal: this.#ending.signal,
      onProgress: (events) => {
        if (this.#whole) this.#whole.events = events;
      },
    });
    return this.#record("whole", startedAt, report);
  }

  async signNow(): Promise<boolean> {
    const { pool, store, book } = this.#options;
    if ((await this.#follower.status()).state !== "following") return false;
    // The row is locked: two processes that both believe they follow must not write two lines with one predecessor.
    return inTransaction(pool, async (client) => {
      await lockDigest(client);
      const digest = await readDigest(client);
      if (digest.position === beginning) return false;
      const last = await book.last();
      if (last && last.count > digest.count) {
        if (digest.position === (await store.head())) await this.#report(cutShort(digest.count, last.count));
        return false;
      }
      if (last?.count === digest.count) return false;
      await book.append({
        ...digest,
        logId: await store.logId(),
        at: this.#now(),
        baseline: false,
      });
      return true;
    });
  }

  async #follow(client: Client, events: readonly StoredEvent[]): Promise<void> {
    let digest = await readDigest(client);
    try {
      this.#ahead ??= checkpointsAfter(this.#options.book, digest.count);
      const ahead = await this.#ahead;
      const logId = await this.#options.store.logId();
      for (const event of events) {
        digest = await this.#verifier.take(digest, event);
        holdAgainst(ahead.get(digest.count), digest, logId);
      }
    } catch (error) {
      this.#ahead = undefined;
      const problem = problemOf(error);
      if (problem) await this.#report(problem);
      throw error;
    }
    await writeDigest(client, digest);
  }

  /** Once for each finding: a stopped follower is tried again at each start. */
  async #report(problem: AuditProblem): Promise<void> {
    if (this.#reported.has(problem.words)) return;
    this.#reported.add(problem.words);
    const { log, pool } = this.#options;
    log.error({ kind: problem.kind, stream: problem.stream }, "ALARM: the log is not what was written");
    const { count } = await readDigest(pool);
    const counted = { events: count, streams: 0, checkpoints: 0, problem };
    await this.#record("following", this.#now(), counted);
  }

  async #record(
    kind: AuditRun["kind"],
    startedAt: string,
    {
      events,
      streams,
      checkpoints,
      problem,
    }: Pick<AuditReport, "events" | "streams" | "checkpoints" | "problem">,
  ): Promise<AuditRun> {
    const { newId, pool } = this.#options;
    const run = {
      id: newId(),
      kind,
      startedAt,
      finishedAt: this.#now(),
      events,
      streams,
      checkpoints,
      problem,
    };
    await recordRun(pool, run);
    return run;
  }

  #now(): string {
    return this.#options.now().toISOString();
  }
}

/** Only where the database was restored, or the auditor was away, is there anything to read. */
async function checkpointsAfter(
  book: CheckpointBook,
  count: number,
): Promise<ReadonlyMap<number, SignedCheckpoint>> {
  const last = await book.last();
  if (!last || last.count <= count) return new Map();
  const signed = sinceBaseline(await book.read()).filter((checkpoint) => checkpoint.count > count);
  return new Map(signed.map((checkpoint) => [checkpoint.count, checkpoint]));
}

function holdAgainst(checkpoint: SignedCheckpoint | undefined, digest: DigestAt, logId: string): void {
  if (!checkpoint) return;
  if (checkpoint.logId !== logId) throw new Finding(otherLog(checkpoint));
  if (!agrees(checkpoint, digest)) throw new Finding(differs(digest));
}

function problemOf(error: unknown): AuditProblem | undefined {
  if (error instanceof Finding) return error.problem;
  if (error instanceof BookBroken) return bookBroken(error);
  return error instanceof BrokenChain ? chainBroken(error) : undefined;
}
