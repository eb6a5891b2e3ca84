import type { EventStore } from "../event-store/event-store.ts";
import type { Follower, FollowerStatus } from "../following/follower.ts";
import { nameOfError } from "../following/follower-faults.ts";
import type { Pool } from "../postgres/pool.ts";
import type { Log } from "../process/log.ts";
import { publishedCheckpoint } from "../transparency/checkpoint-file.ts";
import { type Published, readPublished } from "../transparency/checkpoint-signer.ts";
import { hexOf } from "../transparency/formats/bytes.ts";
import { NoteRefused } from "../transparency/formats/signed-note.ts";
import { readReach } from "../transparency/tree-records.ts";
import type { AuditProblem } from "./audit-problem.ts";
import { type AuditRun, readDecisiveRuns, readRuns, recordRun, standingProblem } from "./audit-records.ts";
import { type AuditParts, dueAudit, runAudit } from "./run-audit.ts";

type AuditorOptions = AuditParts & {
  readonly store: EventStore;
  readonly pool: Pool;
  /** The tree's. The log is audited by the process that grows the tree. */
  readonly follower: Pick<Follower, "status">;
  readonly newId: () => string;
  readonly log: Log;
  /** How often it looks whether an audit is due (60 s). */
  readonly lookEverySeconds?: number;
};

type ShownCheckpoint = {
  readonly at: string;
  /** Leaves of its tree, one for each event. */
  readonly events: number;
  /** In hex. */
  readonly root: string;
};

export type AuditorStanding = {
  readonly follower: FollowerStatus;
  /** How many have leaves. */
  readonly events: number;
  /** The newest that was published; null also while it is malformed, which audits report. */
  readonly lastCheckpoint: ShownCheckpoint | null;
  /** Events read so far by the audit that is running; null when none is. */
  readonly running: number | null;
  /** Newest first. */
  readonly runs: readonly AuditRun[];
  /** What is wrong with the log, as far as audits found. */
  readonly problem: AuditProblem | null;
};

/** Audits the log when it is due, and on demand. */
export type Auditor = {
  start(): void;
  stop(): Promise<void>;
  standing(): Promise<AuditorStanding>;
  /** Reads the whole log and records the result; joins such an audit that is already running. */
  auditWhole(): Promise<AuditRun>;
  /** Reads what is newer than the last verified checkpoint, and records the result. */
  auditNew(): Promise<AuditRun>;
};

type AskedKind = "whole" | "new-events";

const runsShown = 50;

export function createAuditor(options: AuditorOptions): Auditor {
  return new LogAuditor(options);
}

class LogAuditor implements Auditor {
  readonly #options: AuditorOptions;
  readonly #ending = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: { readonly kind: AskedKind; readonly run: Promise<AuditRun>; events: number } | undefined;

  constructor(options: AuditorOptions) {
    this.#options = options;
  }

  start(): void {
    const everyMs = (this.#options.lookEverySeconds ?? 60) * 1000;
    this.#timer = setInterval(() => void this.#round(), everyMs);
    this.#timer.unref();
  }

  /** A failed round is retried at the next. */
  async #round(): Promise<void> {
    try {
      const due = await this.#due();
      if (due) await this.#audit(due);
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#options.log.error({ code: nameOfError(error) }, "log audit failed; retrying in a minute");
    }
  }

  /** One of the processes audits; while the tree's follower is stopped, each may. */
  async #due(): Promise<AskedKind | undefined> {
    const { pool, follower, now } = this.#options;
    // A tree that stopped growing, at a broken event for example, is audited all the same.
    if (this.#running || (await follower.status()).state === "standby") return undefined;
    const { newest, whole } = await readDecisiveRuns(pool, now());
    return dueAudit(newest, whole, now());
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ending.abort();
    await this.#running?.run.catch(() => undefined); // Its caller has the reason.
  }

  async standing(): Promise<AuditorStanding> {
    const { pool, follower, now } = this.#options;
    // Before the runs are read: an audit that ends in between still counts as running, and the next request shows its
    // result.
    const running = this.#running?.events ?? null;
    const [status, { size: events }, runs, decisive, published] = await Promise.all([
      follower.status(),
      readReach(pool),
      readRuns(pool, runsShown),
      readDecisiveRuns(pool, now()),
      readPublished(pool),
    ]);
    const lastCheckpoint = (published && shown(published)) ?? null;
    const problem = standingProblem(decisive);
    return { follower: status, events, lastCheckpoint, running, runs, problem };
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

  async #read(asked: AskedKind, onProgress: (events: number) => void): Promise<AuditRun> {
    const { now, newId, pool } = this.#options;
    const startedAt = now().toISOString();
    const { signal } = this.#ending;
    signal.throwIfAborted();
    const finished = await runAudit({ ...this.#options, kind: asked, signal, onProgress });
    const { kind, events, streams, checkpoints, problem } = finished;
    const finishedAt = now().toISOString();
    const run = { id: newId(), kind, startedAt, finishedAt, events, streams, checkpoints, problem };
    await recordRun(pool, run);
    return run;
  }
}

function shown({ note, size, signedAt }: Published): ShownCheckpoint | undefined {
  try {
    return { at: signedAt.toISOString(), events: size, root: hexOf(publishedCheckpoint(note).root) };
  } catch (error) {
    if (error instanceof NoteRefused) return undefined;
    throw error;
  }
}
