import { isStorageError, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { type PerformTaskDependencies, performTask, readSubject } from "../perform-task.ts";
import { type AnyTask, type Subject, subjectSeen } from "../subject.ts";
import { isEarly, type Performable, performable } from "../tasks/performable.ts";
import { RoadFull, type Roads } from "./roads.ts";
import { type Claim, lookAt, type Retry, type Standing, type WorkTable } from "./work-table.ts";
import { type Clock, LeaseLost, realClock } from "./worker-lease.ts";

/** What falls due within this time is kept, or taken at once: letting go and taking again costs two statements. */
export const keptMs = 10_000;
/** A task that has failed, or found no place, is tried again after 1, 2, 4 s and so on. */
const mostDelayMs = 300_000;
const mostPurgeDelayMs = 10_000;
const mostCrowdedMs = 30_000;
const mostDelayOf = (kind: AnyTask["kind"]): number => (kind === "purge" ? mostPurgeDelayMs : mostDelayMs);
const delayAfter = (tries: number, mostMs: number): number =>
  Math.min(mostMs, 1_000 * 2 ** Math.min(tries - 1, 20));
/** Never aborts: a stop waits for the record of a mail that has left. */
const untilTheEnd = new AbortController().signal;
/** Named among the retries where the subject cannot be read. */
const reading = "reading";

type Owning = {
  readonly worker: string;
  readonly claim: Claim;
  readonly roads: Roads;
  readonly stopping: AbortSignal;
  /** The subject is free, and due then. */
  readonly onFree: (dueAt: Date | undefined) => void;
  /** Resolves once no statement that may make this process the owner is unanswered. */
  readonly answers: () => Promise<void>;
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
  /** Something happened to it that this process may not know. */
  #isOutdated = false;
  #state: "busy" | "idle" | "lost" = "busy";
  /** Tasks under way, by name. They outlive a look that fails. */
  readonly #running = new Map<string, Promise<void>>();
  /** Tasks that were tried, by name, and are not tried again before their time, whatever happens to the subject. */
  readonly #retries: Map<string, Retry>;
  /** Of our own storage, or a lost lease: nothing more begins in this look. */
  #fault: unknown;
  /** Resolves when there may be something new. */
  #woken = Promise.withResolvers<void>();
  #isWoken = false;

  constructor(parts: Parts, own: Owning) {
    this.#parts = parts;
    this.#own = own;
    this.#claim = own.claim;
    this.#retries = new Map(Object.entries(own.claim.retries));
  }

  get subjectId(): string {
    return this.#claim.subjectId;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** A batch of this process has derived it anew: what that read is kept here, but for a ticket's order. */
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

  /** Whether the batch that asks may let it go: then nothing begins any more. */
  leave(): boolean {
    if (this.#state !== "idle") return false;
    this.lose();
    return true;
  }

  async run(): Promise<void> {
    try {
      while (!this.#mustEnd()) {
        const owed = await this.#lookThroughOutages();
        if (!owed || (await this.#restOrLetGo(owed))) return;
      }
      // A stopping process frees all it owns at once.
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      await Promise.all(this.#running.values());
      this.#ended.resolve();
    }
  }

  #mustEnd(): boolean {
    return this.#state === "lost" || this.#own.stopping.aborted;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#woken.resolve();
  }

  #heed(): boolean {
    const wasWoken = this.#isWoken;
    this.#isWoken = false;
    this.#woken = Promise.withResolvers();
    return wasWoken;
  }

  /** A failure of our own storage is not an attempt. Undefined when it has ended. */
  async #lookThroughOutages(): Promise<readonly AnyTask[] | undefined> {
    const { storage = trustedStorage, clock: { pause } = realClock } = this.#parts;
    for (let tries = 1; !this.#mustEnd(); tries += 1) {
      try {
        return await this.#look();
      } catch (error) {
        if (!isStorageError(error)) throw error;
        storage.suspect(error);
        const wasAway = await storage.over(this.#own.stopping);
        if (!wasAway) await pause(delayAfter(tries, mostPurgeDelayMs), this.#own.stopping);
      }
    }
    return undefined;
  }

  /** Performs what is due, side by side, and derives again after each, until there is nothing left to begin. */
  async #look(): Promise<readonly AnyTask[]> {
    this.#fault = undefined;
    const isKnown = this.#heed();
    this.#subject = await this.#withEnds(() => (isKnown ? this.#again() : this.#read()));
    for (;;) {
      const found = this.#found();
      this.#begin(found);
      if (this.#running.size === 0 && !this.#isWoken) {
        if (this.#fault) throw this.#fault;
        if (!this.#subject) this.#hasFailed(reading, mostDelayMs);
        return found.map(({ owed }) => owed);
      }
      await Promise.race([...this.#running.values(), this.#woken.promise]);
      this.#heed();
      this.#subject = await this.#withEnds(() => this.#again());
    }
  }

  /** Reads again if a task ended meanwhile: what it appended may not be in the answer, and it would begin again. */
  async #withEnds(read: () => Promise<Subject | undefined>): Promise<Subject | undefined> {
    for (;;) {
      const running = [...this.#running.keys()];
      const subject = await read();
      if (running.every((name) => this.#running.has(name))) return subject;
    }
  }

  /** Whatever is no longer due has not failed. */
  #found(): readonly Performable[] {
    if (!this.#subject) return [];
    const at = this.#parts.now();
    const found = performable(this.#parts, this.#subject, at);
    const due = new Set(found.filter(({ owed }) => !isEarly(owed, at)).map(({ owed }) => owed.name));
    for (const name of this.#retries.keys()) if (!due.has(name)) this.#retries.delete(name);
    return found;
  }

  #begin(found: readonly Performable[]): void {
    const at = this.#parts.now();
    for (const task of found) {
      const { name, kind } = task.owed;
      const isWaiting = isEarly(task.owed, at) || this.#notBefore(name) > at.getTime();
      if (isWaiting || this.#running.has(name) || this.#mustEnd() || this.#fault) continue;
      const ended = this.#perform(task)
        // Unless what it appended says otherwise.
        .then(() => this.#hasFailed(name, mostDelayOf(kind)))
        .catch((error: unknown) => {
          if (error instanceof RoadFull) this.#hasFailed(name, Math.min(mostDelayOf(kind), mostCrowdedMs));
          else this.#fault ??= error;
        })
        .finally(() => this.#running.delete(name));
      this.#running.set(name, ended);
    }
  }

  #notBefore(name: string): number {
    return this.#retries.get(name)?.notBeforeMs ?? 0;
  }

  #hasFailed(name: string, mostMs: number): void {
    const tries = (this.#retries.get(name)?.tries ?? 0) + 1;
    const notBeforeMs = this.#parts.now().getTime() + delayAfter(tries, mostMs);
    this.#retries.set(name, { tries, notBeforeMs });
  }

  /** The subject with what this process has appended, or read with a batch, since. */
  async #again(): Promise<Subject | undefined> {
    const known = this.#subject;
    if (!known || this.#isOutdated) return this.#read();
    return subjectSeen(this.#parts.deps, known).catch(() => this.#read());
  }

  /** Undefined where it cannot be read, which has been logged. */
  #read(): Promise<Subject | undefined> {
    return this.#own.roads.reading.run(() => this.#readAtOnce());
  }

  /** For a task that has a place: it does not wait behind subjects that have none. */
  #readAtOnce(): Promise<Subject | undefined> {
    this.#isOutdated = false;
    return readSubject(this.#parts, this.subjectId);
  }

  /** @throws RoadFull */
  async #perform(found: Performable): Promise<void> {
    const { roads } = this.#own;
    const { name, kind } = found.owed;
    await roads.of(kind).run(async (hasWaited) => {
      const subject = hasWaited ? await this.#readAtOnce() : this.#subject;
      if (subject && !this.#mustEnd()) await this.#performNamed(name, subject);
    });
  }

  /**
   * Once a mail has left, ends only when it is on record or no longer due: the next look would send it again. A stop
   * waits while our storage is away, and for nothing else.
   */
  async #performNamed(name: string, read: Subject): Promise<void> {
    const { mailer, storage = trustedStorage, clock: { pause } = realClock } = this.#parts;
    let hasLeft = false;
    const send = async (mail: Mail) => {
      if (!hasLeft) await mailer.send(mail);
      hasLeft = true;
    };
    const parts = { ...this.#parts, mailer: { ...mailer, send } };
    for (let tries = 1; ; tries += 1) {
      try {
        const subject = tries === 1 ? read : await this.#readAtOnce();
        const isOver = await this.#isOver(parts, subject, name);
        if (isOver || !hasLeft || this.#own.stopping.aborted) return;
      } catch (error) {
        if (!hasLeft || !isStorageError(error)) throw error;
        storage.suspect(error);
        await storage.over(untilTheEnd);
      }
      await pause(delayAfter(tries, mostPurgeDelayMs));
    }
  }

  /** Performs a task. @returns whether it is done, or no longer due; false for a subject that cannot be read */
  async #isOver(parts: Parts, subject: Subject | undefined, name: string): Promise<boolean> {
    if (!subject) return false;
    const task = performable(parts, subject, parts.now()).find(({ owed }) => owed.name === name);
    return !task || (await performTask(parts, subject, task)) === undefined;
  }

  /** True once it is free, or gone. */
  async #restOrLetGo(tasks: readonly AnyTask[]): Promise<boolean> {
    if (this.#mustEnd()) return true;
    const { now, isFollowing, clock: { pause } = realClock } = this.#parts;
    const at = now();
    const standing = this.#standing(tasks, at);
    const inMs = standing ? standing.dueAt.getTime() - at.getTime() : Number.POSITIVE_INFINITY;
    if (this.#retries.size === 0 && (inMs <= keptMs || isFollowing())) {
      this.#state = "idle";
      const resting = new AbortController();
      await Promise.race([pause(Math.max(0, Math.min(inMs, keptMs)), resting.signal), this.#woken.promise]);
      resting.abort();
      if (this.#mustEnd()) return true;
      this.#state = "busy";
      if (this.#isWoken || inMs <= keptMs) return false;
    }
    return this.#letGo(standing);
  }

  #standing(tasks: readonly AnyTask[], at: Date): Standing | null {
    const looks = tasks.map((task) => Math.max(lookAt(task, at), this.#notBefore(task.name)));
    if (!this.#subject) looks.push(this.#notBefore(reading));
    if (looks.length === 0) return null;
    return { dueAt: new Date(Math.min(...looks)), retries: Object.fromEntries(this.#retries) };
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
    this.#claim = claim;
    return false;
  }
}
