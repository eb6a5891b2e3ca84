import { nameOfError } from "../../../infra/following/follower-faults.ts";
import { isStorageError, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import { type PerformTaskDependencies, placeOf } from "../perform-task.ts";
import { unwatchedTasks } from "../task-dependencies.ts";
import { createRoads, type Roads } from "./roads.ts";
import { keptMs, SubjectWorker } from "./subject-worker.ts";
import { type Beat, type Claim, type Derived, nextLookAt, type Taken, type WorkTable } from "./work-table.ts";
import { type Clock, fenced, LeaseLost, realClock, WorkerLease } from "./worker-lease.ts";

/** Subjects that a process owns at a time: more than the 208 of each of four full roads, so that purges find room. */
const mostOwned = 1_000;
/** Taken in one statement. */
const mostTaken = 100;
/** A subject that was due and free for longer before anyone took it is counted, with an alarm. */
const lateAfterMs = 5_000;

export type EngineParts = PerformTaskDependencies & {
  readonly table: WorkTable;
  readonly newId: () => string;
  readonly clock?: Clock;
  /** Whether this process derives tasks from new events: what it has just done then comes back to it. */
  readonly isFollowing: () => boolean;
  /** Asks another worker to look. A lost call changes nothing: its next heartbeat tells it what is due. */
  readonly wakeAnother: () => Promise<void>;
  /** Whether workers of this build may act at all. */
  readonly mayAct?: () => boolean;
};

/** What the follower in this process takes and lets go of with a batch. */
export type Batch = {
  readonly worker: string | undefined;
  readonly takes: ReadonlySet<string>;
  readonly letsGo: ReadonlySet<string>;
  /**
   * Call when the transaction has ended, however it ended. What it lets go counts as let go: if the database does not
   * know, the next heartbeat says so.
   * @param claims the subjects that this worker is known to own since
   */
  ended(claims: readonly Claim[]): void;
};

/** Performs what subjects are owed, those that this process owns. */
export type Engine = {
  start(): void;
  /** Lets go of everything, after what is under way. */
  stop(): Promise<void>;
  /** Takes what is due and free. */
  look(): Promise<void>;
  batch(derived: readonly Derived[], now: Date): Batch;
};

export function createEngine(parts: EngineParts): Engine {
  return new OwningEngine(parts);
}

class OwningEngine implements Engine {
  readonly #parts: EngineParts;
  readonly #roads: Roads = createRoads();
  readonly #owned = new Map<string, SubjectWorker>();
  /** Batches whose end this process has not heard of, by their subjects. */
  readonly #batches = new Map<ReadonlySet<string>, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #lease: WorkerLease;
  #timer = new AbortController();
  #timerAtMs = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #mustLook = false;
  /** The last look may have left something that is due. */
  #hasMore = false;
  /** A statement that takes, until what it took is known here. */
  #taking: Promise<unknown> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    const { table, newId, clock } = parts;
    this.#lease = new WorkerLease({
      ...{ table, newId, ...(clock && { clock }) },
      onBeat: (beat) => this.#beat(beat),
      onLost: () => this.#lose(),
      onFreed: () => void this.look(),
      onFault: (error) => this.#report(error),
    });
  }

  start(): void {
    this.#lease.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer.abort();
    const owned = [...this.#owned.values()];
    const freed = this.#free(owned.filter(({ isActing }) => isActing));
    for (const subject of owned) subject.stop();
    await this.#lease.stop(Promise.all([freed, this.#underWay()]));
    if (owned.length > 0) await this.#wakeAnother();
  }

  /** Frees at once what nothing is under way for. The rest follows with the worker's row. */
  async #free(but: readonly SubjectWorker[]): Promise<void> {
    const worker = this.#lease.fresh;
    const ids = but.map(({ subjectId }) => subjectId);
    if (worker === undefined) return;
    await this.#parts.table.free(worker, ids).catch((error: unknown) => this.#report(error));
  }

  async #underWay(): Promise<void> {
    await this.#looking;
    await Promise.all([...this.#owned.values()].map(({ ended }) => ended));
  }

  look(): Promise<void> {
    this.#mustLook = true;
    this.#looking ??= this.#lookWhileAsked();
    return this.#looking;
  }

  /** Again, if asked meanwhile: what has just become due is not in the answer of a statement under way. */
  async #lookWhileAsked(): Promise<void> {
    while (this.#mustLook) {
      this.#mustLook = false;
      await this.#take().catch((error: unknown) => this.#report(error));
    }
    this.#looking = undefined;
  }

  batch(derived: readonly Derived[], now: Date): Batch {
    const worker = this.#mayTake() ? this.#lease.fresh : undefined;
    const isSoon = ({ tasks }: Derived) =>
      tasks.length > 0 && nextLookAt(tasks, now).getTime() - now.getTime() <= keptMs;
    const room = Math.max(0, mostOwned - this.#owned.size);
    const free = derived.filter((each) => isSoon(each) && !this.#owned.has(each.subjectId));
    const takes = new Set(worker ? free.slice(0, room).map(({ subjectId }) => subjectId) : []);
    const leaving = derived.flatMap((each) => {
      const subject = this.#owned.get(each.subjectId);
      const mayLeave = subject && !isSoon(each) && this.#takingsOf(each.subjectId).length === 0;
      return mayLeave && subject.leaveIfIdle() ? [each.subjectId] : [];
    });
    const subjects = new Set(derived.map(({ subjectId }) => subjectId));
    const over = Promise.withResolvers<void>();
    this.#batches.set(subjects, over.promise);
    return {
      ...{ worker, takes, letsGo: new Set(leaving) },
      ended: (claims) => {
        this.#batches.delete(subjects);
        over.resolve();
        for (const claim of claims) {
          const known = this.#owned.get(claim.subjectId);
          if (known) known.derived(claim);
          else if (worker !== undefined) this.#own(claim, worker);
        }
        const others = derived.filter((each) => each.tasks.length > 0 && !this.#owned.has(each.subjectId));
        for (const { tasks } of others) this.#expect(nextLookAt(tasks, now));
        if (others.some(({ tasks }) => nextLookAt(tasks, now) <= now)) void this.#wakeAnother();
      },
    };
  }

  #mayTake(): boolean {
    return this.#mayAct() && !this.#stopping.signal.aborted;
  }

  #mayAct(): boolean {
    const { mayAct = () => true } = this.#parts;
    return mayAct();
  }

  #beat({ nextDueAt, owned }: Beat): void {
    for (const { subjectId, changes } of owned) this.#owned.get(subjectId)?.seen(changes);
    // The answer that told of these was lost.
    const isForgotten = owned.some(({ subjectId }) => !this.#owned.has(subjectId));
    if (isForgotten) void this.look();
    else if (nextDueAt) this.#expect(nextDueAt);
  }

  /** What this worker owned is free, and others may own it. */
  #lose(): void {
    for (const subject of this.#owned.values()) subject.lose();
  }

  /** Looks when a free subject falls due. */
  #expect(dueAt: Date): void {
    const atMs = dueAt.getTime();
    const inMs = atMs - this.#parts.now().getTime();
    // What is due later comes with a later heartbeat.
    if (inMs > keptMs || atMs >= this.#timerAtMs || this.#stopping.signal.aborted) return;
    this.#timer.abort();
    this.#timerAtMs = atMs;
    const timer = new AbortController();
    this.#timer = timer;
    const { clock: { pause } = realClock } = this.#parts;
    void pause(Math.max(0, inMs), timer.signal).then(() => {
      if (timer.signal.aborted) return;
      this.#timerAtMs = Number.POSITIVE_INFINITY;
      void this.look();
    });
  }

  async #take(): Promise<void> {
    const { table, now } = this.#parts;
    const worker = this.#lease.fresh;
    const most = Math.min(mostTaken, mostOwned - this.#owned.size);
    if (worker === undefined || !this.#mayTake() || most <= 0) return;
    const at = now();
    const crowded = this.#roads.crowded();
    const taking = table.take({ worker, at, busy: this.#busy(), crowded, most }).then((claims) => {
      this.#hasMore = claims.length >= most;
      this.#tellOfLate(claims, at);
      for (const claim of claims) {
        const known = this.#owned.get(claim.subjectId);
        if (known) known.claimed(claim);
        else this.#own(claim, worker);
      }
    });
    // A failure is reported where it is awaited.
    this.#taking = taking
      .catch(() => undefined)
      .then(() => {
        this.#taking = undefined;
      });
    await taking;
  }

  /** Takes the next hundred once there is room for them, and no road is crowded. */
  #takeMore(): void {
    const hasRoom = this.#owned.size <= mostOwned - mostTaken && this.#roads.crowded().length === 0;
    if (this.#hasMore && hasRoom) void this.look();
  }

  #tellOfLate(claims: readonly Taken[], at: Date): void {
    const { log, taskWatch = unwatchedTasks } = this.#parts;
    const late = claims.filter(
      ({ dueAt, wasOwned }) => !wasOwned && at.getTime() - dueAt.getTime() > lateAfterMs,
    );
    if (late.length === 0) return;
    log.warn({ subjects: late.length }, "subjects were taken late");
    taskWatch.takenLate(late.length);
  }

  /** What a look leaves alone: what is owned here, and what an open batch may yet take or let go. */
  #busy(): string[] {
    return [...new Set([...this.#owned.keys(), ...[...this.#batches.keys()].flatMap((ids) => [...ids])])];
  }

  #own(claim: Claim, worker: string): void {
    const confirm = async () => {
      await this.#lease.confirm(worker);
      if (!this.#mayAct()) throw new LeaseLost();
    };
    const subject = new SubjectWorker(this.#fencedParts(confirm), {
      ...{ worker, claim, confirm, roads: this.#roads, stopping: this.#stopping.signal },
      report: (error) => this.#report(error),
      onFree: (dueAt) => dueAt && this.#expect(dueAt),
      answers: () => Promise.all(this.#takingsOf(claim.subjectId)),
    });
    this.#owned.set(claim.subjectId, subject);
    void subject
      .run()
      .catch((error: unknown) => this.#report(error))
      .finally(() => {
        this.#owned.delete(claim.subjectId);
        this.#takeMore();
      });
  }

  /** The statements under way that may make this process the owner. */
  #takingsOf(subjectId: string): Promise<unknown>[] {
    const batches = [...this.#batches].filter(([subjects]) => subjects.has(subjectId));
    return [...(this.#taking ? [this.#taking] : []), ...batches.map(([, ended]) => ended)];
  }

  /** Nothing is sent outside unless this worker's lease is fresh. */
  #fencedParts(confirm: () => Promise<void>): EngineParts {
    const { deps, mailer, automation } = this.#parts;
    return {
      ...this.#parts,
      deps: { ...deps, payments: fenced(deps.payments, ["refund", "cancelIntent"], confirm) },
      mailer: fenced(mailer, ["send"], confirm),
      automation: fenced(automation, ["submit", "ask"], confirm),
    };
  }

  #wakeAnother(): Promise<void> {
    return this.#parts.wakeAnother().catch((error: unknown) => this.#report(error));
  }

  #report(error: unknown): void {
    const { storage = trustedStorage, log } = this.#parts;
    if (isStorageError(error)) storage.suspect(error);
    else log.error({ code: nameOfError(error), place: placeOf(error) }, "automatic work failed");
  }
}
