import { beginning, type EventStore, type StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { createFollower, type FollowerStatus } from "../following/follower.ts";
import { nameOfError } from "../following/follower-faults.ts";
import type { Work } from "../following/parked-retry.ts";
import type { Subscription } from "../following/subscription/subscribing.ts";
import { type Client, inTransaction, type Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { type AuditReport, agrees, sinceBaseline } from "./audit-log.ts";
import { type AuditProblem, bookBroken, chainBroken, cutShort, differs, otherLog } from "./audit-problem.ts";
import { type AuditRun, lockDigest, readDigest, readRuns, recordRun, writeDigest } from "./audit-records.ts";
import { BookBroken, type CheckpointBook, type SignedCheckpoint } from "./checkpoint-book.ts";
import { createLogVerifier, type DigestAt, digestAfter } from "./log-digest.ts";
import { eventReaderOf } from "./read-log.ts";
import { type AuditParts, dueAudit, runAudit } from "./run-audit.ts";

type AuditorOptions = Pick<AuditParts, "tree" | "progress" | "now"> & {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly book: CheckpointBook;
  readonly newId: () => string;
  readonly log: Log;
  /** The process' own; without it the auditor reads the log by itself. */
  readonly subscription?: Subscription;
  /** How often a checkpoint is signed when there are new events (60 s). */
  readonly signEverySeconds?: number;
};

export type AuditorStanding = {
  readonly follower: FollowerStatus;
  readonly events: number;
  readonly lastCheckpoint: SignedCheckpoint | null;
  /** Events read so far by the audit that is running; null when none is. */
  readonly running: number | null;
  /** Newest first. */
  readonly runs: readonly AuditRun[];
};

/** Follows the log, verifies each event and signs the digest. */
export type Auditor = {
  start(): void;
  stop(): Promise<void>;
  standing(): Promise<AuditorStanding>;
  /** Reads the whole log and records the result; joins such an audit that is already running. */
  auditWhole(): Promise<AuditRun>;
  /** Reads what is newer than the last verified checkpoint, and records the result. */
  auditNew(): Promise<AuditRun>;
  /** Signs the current digest if it is newer than the last checkpoint; resolves to whether it signed. */
  signNow(): Promise<boolean>;
};

type AskedKind = "whole" | "new-events";

class Finding extends Error {
  override name = "AuditFinding";
  readonly problem: AuditProblem;
  constructor(problem: AuditProblem) {
    super(problem.words);
    this.problem = problem;
  }
}

const runsShown = 50;

export function createAuditor(options: AuditorOptions): Auditor {
  return new LogAuditor(options);
}

class LogAuditor implements Auditor {
  readonly #options: AuditorOptions;
  readonly #follower;
  readonly #verifier;
  readonly #ending = new AbortController();
  /** Signed before this process started and not reached yet, by event count: the log must agree with each. */
  #ahead: Promise<ReadonlyMap<number, SignedCheckpoint>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: { readonly kind: AskedKind; readonly run: Promise<AuditRun>; events: number } | undefined;
  #reported = new Set<string>();

  constructor(options: AuditorOptions) {
    this.#options = options;
    const { store, pool, newId, log, subscription } = options;
    this.#verifier = createLogVerifier(eventReaderOf(store));
    const process: Work = (client, events) => this.#follow(client, events);
    const key = { name: "auditor", version: 1 };
    this.#follower =
      subscription?.add({ ...key, process }) ?? createFollower({ ...key, store, pool, newId, log, process });
  }

  start(): void {
    this.#follower.start();
    const everyMs = (this.#options.signEverySeconds ?? 60) * 1000;
    this.#timer = setInterval(() => void this.#round(), everyMs);
    this.#timer.unref();
  }

  /** Runs every minute; a failed round is retried a minute later. */
  async #round(): Promise<void> {
    try {
      await this.signNow();
      const due = await this.#due();
      if (due) await this.#audit(due);
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#options.log.error({ code: nameOfError(error) }, "log audit failed; retrying in a minute");
    }
  }

  /** One of the processes audits. */
  async #due(): Promise<AskedKind | undefined> {
    if (this.#running || (await this.#follower.status()).state !== "following") return undefined;
    const { pool, now } = this.#options;
    const [newest] = await readRuns(pool, 1);
    const [whole] = await readRuns(pool, 1, "whole");
    return dueAudit(newest, whole, now());
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#follower.stop();
    await this.#running?.run.catch(() => undefined); // Its caller has the reason.
  }

  async standing(): Promise<AuditorStanding> {
    const { pool, book } = this.#options;
    // Before the runs are read: an audit that ends in between still counts as running, and the next request shows its
    // result.
    const running = this.#running?.events ?? null;
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
    return this.#audit("whole");
  }

  auditNew(): Promise<AuditRun> {
    return this.#audit("new-events");
  }

  /** Joins a whole audit, and begins one after an audit of new events. */
  #audit(kind: AskedKind): Promise<AuditRun> {
    const before = this.#running;
    if (before && (before.kind === "whole" || kind === "new-events")) return before.run;
    const first = before ? before.run.catch(() => undefined) : Promise.resolve();
    const running = {
      kind,
      events: 0,
      run: first
        .then(() => this.#read(kind, (events) => Object.assign(running, { events })))
        .finally(() => {
          if (this.#running === running) this.#running = undefined;
        }),
    };
    this.#running = running;
    return running.run;
  }

  async #read(kind: AskedKind, onProgress: (events: number) => void): Promise<AuditRun> {
    const startedAt = this.#now();
    const { signal } = this.#ending;
    signal.throwIfAborted();
    const finished = await runAudit({ ...this.#options, kind, signal, onProgress });
    return this.#record(finished.kind, startedAt, finished);
  }

  async signNow(): Promise<boolean> {
    const { pool, store, book } = this.#options;
    if ((await this.#follower.status()).state !== "following") return false;
    // Locks the row: two processes that both believe they hold the lease must not write lines with one predecessor.
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
      for (const event of events) {
        digest = digestAfter(digest, event, await this.#verifier.hashOf(event));
        const signed = ahead.get(digest.count);
        if (signed) holdAgainst(signed, digest, await this.#options.store.logId());
      }
    } catch (error) {
      this.#ahead = undefined;
      const problem = problemOf(error);
      if (problem) await this.#report(problem);
      throw error;
    }
    await writeDigest(client, digest);
  }

  /** Once per finding: a stopped follower is retried at each start. */
  async #report(problem: AuditProblem): Promise<void> {
    if (this.#reported.has(problem.words)) return;
    this.#reported.add(problem.words);
    const { log, pool } = this.#options;
    log.error({ kind: problem.kind, stream: problem.stream }, "ALARM: the log was changed");
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

/** Finds something only after a restore or a pause of the auditor. */
async function checkpointsAfter(
  book: CheckpointBook,
  count: number,
): Promise<ReadonlyMap<number, SignedCheckpoint>> {
  const last = await book.last();
  if (!last || last.count <= count) return new Map();
  const signed = sinceBaseline(await book.read()).filter((checkpoint) => checkpoint.count > count);
  return new Map(signed.map((checkpoint) => [checkpoint.count, checkpoint]));
}

function holdAgainst(checkpoint: SignedCheckpoint, digest: DigestAt, logId: string): void {
  if (checkpoint.logId !== logId) throw new Finding(otherLog(checkpoint));
  if (!agrees(checkpoint, digest)) throw new Finding(differs(digest));
}

function problemOf(error: unknown): AuditProblem | undefined {
  if (error instanceof Finding) return error.problem;
  if (error instanceof BookBroken) return bookBroken(error);
  return error instanceof BrokenChain ? chainBroken(error) : undefined;
}
