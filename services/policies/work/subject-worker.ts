import { isStorageError, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import { type PerformTaskDependencies, readSubject } from "../perform-task.ts";
import { type AnyTask, owedTo, type Subject, subjectSeen } from "../subject.ts";
import { isEarly } from "../tasks/performable.ts";
import { mostDelayMs, pauseAfterError, TaskRetries } from "./retries.ts";
import type { Roads } from "./roads.ts";
import { TaskAttempt } from "./task-attempt.ts";
import { type Claim, lookAt, type Standing, type WorkTable } from "./work-table.ts";
import { type Clock, LeaseLost, realClock } from "./worker-lease.ts";

/** What falls due within this time is kept, or taken at once: letting go and taking again costs two statements. */
export const keptMs = 10_000;

type Owning = {
  readonly worker: string;
  readonly claim: Claim;
  readonly roads: Roads;
  readonly stopping: AbortSignal;
  /** Waits until a recent heartbeat says that this process still owns what it owns. @throws LeaseLost */
  readonly confirm: () => Promise<void>;
  /** Logs an error, and suspects our storage of it. */
  readonly report: (error: unknown) => void;
  /** The subject is free, and due then. */
  readonly onFree: (dueAt: Date | undefined) => void;
  /** Resolves once every statement is answered that may make this process the owner. */
  readonly answers: () => Promise<unknown>;
};

type Parts = PerformTaskDependencies & {
  readonly table: WorkTable;
  readonly isFollowing: () => boolean;
  readonly clock?: Clock;
};

/** Performs what one subject is owed, for as long as this process owns it. */
export class SubjectWorker {
  readonly #parts: Parts;
  readonly #own: Owning;
  readonly #ended = Promise.withResolvers<void>();
  #claim: Claim;
  /** As last read, or seen. */
  #subject: Subject | undefined;
  /** It may have changed in another process: to be read before use. */
  #isOutdated = false;
  #state: "busy" | "idle" | "lost" = "busy";
  /** Tasks under way, by name, and their ends. They outlive a look that fails. */
  readonly #running = new Map<string, { attempt: TaskAttempt; ended: Promise<void> }>();
  readonly #retries: TaskRetries;
  /** Resolves when there may be something new. */
  #woken = Promise.withResolvers<void>();
  #isWoken = false;

  constructor(parts: Parts, own: Owning) {
    this.#parts = parts;
    this.#own = own;
    this.#claim = own.claim;
    this.#retries = new TaskRetries(own.claim.retries, parts.now);
  }

  get subjectId(): string {
    return this.#claim.subjectId;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get isActing(): boolean {
    return [...this.#running.values()].some(({ attempt }) => attempt.isActing);
  }

  /** A batch of this process has derived it anew, so this process has its events; a ticket's order must be read. */
  derived(claim: Claim): void {
    this.#claim = claim;
    if (this.#subject?.kind === "ticket") this.#isOutdated = true;
    this.#wake();
  }

  /** Taken again, perhaps after another process derived it. */
  claimed(claim: Claim): void {
    this.#claim = claim;
    this.#isOutdated = true;
    this.#wake();
  }

  /** As a heartbeat saw it. */
  seen(changes: string): void {
    if (BigInt(changes) > BigInt(this.#claim.changes)) this.claimed({ ...this.#claim, changes });
  }

  stop(): void {
    this.#wake();
  }

  lose(): void {
    this.#state = "lost";
    this.#wake();
  }

  /** Ends it if it is idle, so that the batch that asks can free it. */
  leaveIfIdle(): boolean {
    if (this.#state !== "idle") return false;
    this.lose();
    return true;
  }

  async run(): Promise<void> {
    try {
      while (!this.#mustEnd()) {
        const owed = await this.#lookThroughOutages();
        if (!owed || (await this.#waitOrLetGo(owed))) return;
      }
    } finally {
      await Promise.all(this.#ends());
      this.#ended.resolve();
    }
  }

  #ends(): Promise<void>[] {
    return [...this.#running.values()].map(({ ended }) => ended);
  }

  #mustEnd(): boolean {
    return this.#state === "lost" || this.#own.stopping.aborted;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#woken.resolve();
  }

  /** Undefined when this worker's time is over. */
  async #lookThroughOutages(): Promise<readonly AnyTask[] | undefined> {
    for (let tries = 1; !this.#mustEnd(); tries += 1) {
      try {
        return await this.#look();
      } catch (error) {
        this.#isOutdated = true;
        this.#own.report(error);
        await pauseAfterError(this.#parts, tries, this.#own.stopping);
      }
    }
    return undefined;
  }

  /** Begins what is due, beside what is under way. @returns all that is owed */
  async #look(): Promise<readonly AnyTask[]> {
    this.#isWoken = false;
    this.#woken = Promise.withResolvers();
    await this.#refresh();
    const owed = this.#owed();
    if (!this.#subject) this.#retries.triedReading();
    this.#begin(owed);
    return owed;
  }

  /** Again if a task ended meanwhile: what it appended may not be in the answer, and it would begin again. */
  async #refresh(): Promise<void> {
    for (;;) {
      const running = [...this.#running.keys()];
      this.#subject = await this.#asOfNow();
      if (running.every((name) => this.#running.has(name))) return;
    }
  }

  /** Read, or the subject as known with what this process has appended, or read with a batch, since. */
  async #asOfNow(): Promise<Subject | undefined> {
    const known = this.#subject;
    if (!known || this.#isOutdated) return this.#read();
    return subjectSeen(this.#parts.deps, known).catch(() => this.#read());
  }

  #read(): Promise<Subject | undefined> {
    return this.#own.roads.reading.run(() => {
      this.#isOutdated = false;
      return this.#readAtOnce();
    });
  }

  /** Undefined where it cannot be read, which has been logged. For tasks: they have a place already. */
  #readAtOnce(): Promise<Subject | undefined> {
    return readSubject(this.#parts, this.subjectId);
  }

  #owed(): readonly AnyTask[] {
    if (!this.#subject) return [];
    const at = this.#parts.now();
    const owed = owedTo(this.#subject, at.toISOString(), this.#parts.settings);
    this.#retries.keep(new Set(owed.filter((task) => !isEarly(task, at)).map(({ name }) => name)));
    return owed;
  }

  #begin(owed: readonly AnyTask[]): void {
    const at = this.#parts.now();
    for (const task of owed) {
      const { name } = task;
      if (this.#running.has(name) || !this.#mayBegin(task, at) || this.#mustEnd()) continue;
      const attempt = this.#attempt(task);
      const ended = attempt
        .run()
        .then(
          () => true,
          (error: unknown) => this.#isTried(error),
        )
        .then((isTried) => {
          this.#running.delete(name);
          // The next look forgets it if it is no longer due.
          if (isTried) this.#retries.tried(task);
        });
      this.#running.set(name, { attempt, ended });
    }
  }

  #mayBegin(task: AnyTask, at: Date): boolean {
    const { isFull } = this.#own.roads.of(task.kind);
    return !isEarly(task, at) && this.#retries.notBefore(task.name) <= at.getTime() && !isFull;
  }

  #attempt(task: AnyTask): TaskAttempt {
    const { roads, confirm, stopping } = this.#own;
    return new TaskAttempt(this.#parts, task, {
      ...{ roads, confirm, stopping },
      known: () => this.#subject,
      read: () => this.#readAtOnce(),
      mustEnd: () => this.#mustEnd(),
      report: (error) => {
        this.#isOutdated ||= isStorageError(error);
        this.#own.report(error);
      },
    });
  }

  /** Whether a task that ended with this error counts as tried. If part of our storage was away, waits, and it does not. */
  async #isTried(error: unknown): Promise<boolean> {
    if (error instanceof LeaseLost) this.lose();
    else this.#own.report(error);
    const { storage = trustedStorage } = this.#parts;
    const wasAway = isStorageError(error) && (await storage.over(this.#own.stopping));
    this.#isOutdated = true;
    return !wasAway;
  }

  /** Waits for what may bring something to do, or lets go. @returns true once it is free, or gone */
  async #waitOrLetGo(tasks: readonly AnyTask[]): Promise<boolean> {
    if (this.#mustEnd()) return true;
    const at = this.#parts.now();
    const left = tasks.filter(({ name }) => !this.#running.has(name));
    const standing = this.#standing(left, at);
    const inMs = standing ? Math.max(0, standing.dueAt.getTime() - at.getTime()) : mostDelayMs;
    if (this.#running.size > 0) {
      await this.#wait(Math.min(inMs, mostDelayMs));
      return false;
    }
    // What has failed, or has no room here, may be another worker's next.
    const isPutOff = !this.#retries.isEmpty || left.some(({ kind }) => this.#own.roads.of(kind).isFull);
    if (isPutOff || (inMs > keptMs && !this.#parts.isFollowing())) return this.#letGo(standing);
    this.#state = "idle";
    await this.#wait(Math.min(inMs, keptMs));
    if (this.#mustEnd()) return true;
    this.#state = "busy";
    return this.#isWoken || inMs <= keptMs ? false : this.#letGo(standing);
  }

  /** Until a task ends, the subject is woken, or the time is over: then others may have changed it. */
  async #wait(ms: number): Promise<void> {
    const { clock: { pause } = realClock } = this.#parts;
    const waiting = new AbortController();
    const ends = [this.#woken.promise, ...this.#ends()].map((end) => end.then(() => false));
    const isOver = await Promise.race([...ends, pause(ms, waiting.signal).then(() => true)]);
    waiting.abort();
    this.#isOutdated ||= isOver;
  }

  /** When the subject is to be looked at again for tasks that are not under way, and what of them has failed. */
  #standing(tasks: readonly AnyTask[], at: Date): Standing | null {
    const looks = tasks.map((task) => {
      const roomFromMs = this.#own.roads.of(task.kind).isFull ? at.getTime() + keptMs : 0;
      return Math.max(lookAt(task, at), this.#retries.notBefore(task.name), roomFromMs);
    });
    if (!this.#subject) looks.push(this.#retries.readsNotBefore);
    if (looks.length === 0) return null;
    return { dueAt: new Date(Math.min(...looks)), retries: this.#retries.all };
  }

  async #letGo(standing: Standing | null): Promise<boolean> {
    const { table } = this.#parts;
    const { worker, onFree, answers } = this.#own;
    // Or a late answer would make this process perform what it no longer owns.
    await answers();
    if (this.#mustEnd() || this.#isWoken) return this.#mustEnd();
    if (await table.letGo(worker, this.#claim, standing)) {
      onFree(standing?.dueAt);
      return true;
    }
    const claim = await table.claimOf(worker, this.subjectId);
    if (!claim) return true;
    // What was derived meanwhile is perhaps not in this process's memory.
    this.claimed(claim);
    return false;
  }
}
