import { isStorageError, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { type PerformTaskDependencies, performTask, readSubject } from "../perform-task.ts";
import { type AnyTask, type Subject, subjectSeen } from "../subject.ts";
import { isEarly, type Performable, performable } from "../tasks/performable.ts";
import type { Roads } from "./roads.ts";
import { type Claim, destroys, lookAt, type Retry, type Standing, type WorkTable } from "./work-table.ts";
import { type Clock, LeaseLost, realClock } from "./worker-lease.ts";

/** What falls due within this time is kept, or taken at once: letting go and taking again costs two statements. */
export const keptMs = 10_000;
/** A task that has failed is tried again after 1, 2, 4 s and so on. */
const mostDelayMs = 300_000;
const mostDestroyDelayMs = 10_000;
/** Of a subject that cannot be read: a worker of another build may be able to. */
const mostUnreadDelayMs = 60_000;
const mostDelayOf = (kind: AnyTask["kind"]): number =>
  destroys.has(kind) ? mostDestroyDelayMs : mostDelayMs;
const delayAfter = (tries: number, mostMs: number): number =>
  Math.min(mostMs, 1_000 * 2 ** Math.min(tries - 1, 20));
/** A stop waits for the record of a mail that has left. */
const neverAborts = new AbortController().signal;
/** What a failed read of the subject itself is called among the retries. */
const readRetry = "reading";

type Owning = {
  readonly worker: string;
  readonly claim: Claim;
  readonly roads: Roads;
  readonly stopping: AbortSignal;
  /** Resolves while the subject is this process's for certain. @throws LeaseLost */
  readonly confirm: () => Promise<void>;
  /** Of an error that is no failure of a task. */
  readonly report: (error: unknown) => void;
  /** The subject is free, and due then. */
  readonly onFree: (dueAt: Date | undefined) => void;
  /** Resolves once no statement that may make this process the owner is unanswered. */
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
  /** Tasks under way, by name. They outlive a look that fails. */
  readonly #running = new Map<string, Promise<void>>();
  /** Those of them that have found their place: they may be sending something. */
  readonly #begun = new Set<string>();
  /** Tasks that were tried, by name, and are not tried again before their time, whatever happens to the subject. */
  readonly #retries: Map<string, Retry>;
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

  get isActing(): boolean {
    return this.#begun.size > 0;
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

  /** Undefined when this worker's time is over. */
  async #lookThroughOutages(): Promise<readonly AnyTask[] | undefined> {
    for (let tries = 1; !this.#mustEnd(); tries += 1) {
      try {
        return await this.#look();
      } catch (error) {
        await this.#outlast(error, tries, this.#own.stopping);
      }
    }
    return undefined;
  }

  /** Reports an error, and waits until our storage answers again; if it was not away, longer with each try. */
  async #outlast(error: unknown, tries: number, signal: AbortSignal): Promise<void> {
    const { storage = trustedStorage, clock: { pause } = realClock } = this.#parts;
    this.#isOutdated = true;
    this.#own.report(error);
    const wasAway = await storage.over(signal);
    if (!wasAway) await pause(delayAfter(tries, mostDestroyDelayMs), signal);
  }

  /** Begins what is due, beside what is under way. @returns all that is owed */
  async #look(): Promise<readonly AnyTask[]> {
    this.#isWoken = false;
    this.#woken = Promise.withResolvers();
    await this.#refresh();
    const found = this.#found();
    if (!this.#subject) this.#hasFailed(readRetry, mostUnreadDelayMs);
    this.#begin(found);
    return found.map(({ owed }) => owed);
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

  /** Undefined where it cannot be read, which has been logged. A task with a place waits behind nobody without one. */
  #readAtOnce(): Promise<Subject | undefined> {
    return readSubject(this.#parts, this.subjectId);
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
      if (this.#running.has(name) || !this.#mayBegin(task.owed, at) || this.#mustEnd()) continue;
      const ended = this.#perform(task)
        .then(
          () => true,
          (error: unknown) => this.#isTried(error),
        )
        .then((isTried) => {
          this.#running.delete(name);
          this.#begun.delete(name);
          // Unless what it appended says otherwise.
          if (isTried) this.#hasFailed(name, mostDelayOf(kind));
        });
      this.#running.set(name, ended);
    }
  }

  #mayBegin(task: AnyTask, at: Date): boolean {
    const { isFull } = this.#own.roads.of(task.kind);
    return !isEarly(task, at) && this.#notBefore(task.name) <= at.getTime() && !isFull;
  }

  #notBefore(name: string): number {
    return this.#retries.get(name)?.notBeforeMs ?? 0;
  }

  #hasFailed(name: string, mostMs: number): void {
    const tries = (this.#retries.get(name)?.tries ?? 0) + 1;
    const notBeforeMs = this.#parts.now().getTime() + delayAfter(tries, mostMs);
    this.#retries.set(name, { tries, notBeforeMs });
  }

  /**
   * Once a mail has left, its task ends only when that is on record or no longer due: the next look would send it again.
   * A stop waits for the record where our storage fails, and for nothing else.
   */
  async #perform({ owed: { name, kind } }: Performable): Promise<void> {
    const { roads, confirm, stopping } = this.#own;
    const { mailer, now, clock: { pause } = realClock } = this.#parts;
    let hasLeft = false;
    const send = async (mail: Mail) => {
      if (!hasLeft) await mailer.send(mail);
      hasLeft = true;
    };
    const parts = { ...this.#parts, mailer: { ...mailer, send } };
    // The subject may have changed since the task was found due.
    const isOver = async (subject: Subject | undefined) => {
      const at = now();
      if (!subject) return false;
      const task = performable(parts, subject, at).find(({ owed }) => owed.name === name);
      if (!task || (!hasLeft && isEarly(task.owed, at))) return true;
      return (await performTask(parts, subject, task)) === undefined;
    };
    const isRecorded = async () => isOver(await this.#readAtOnce());
    let isEnded = await roads.of(kind).run(async (hasWaited) => {
      const subject = hasWaited ? await this.#readAtOnce() : this.#subject;
      await confirm();
      if (this.#mustEnd()) return true;
      this.#begun.add(name);
      return isOver(subject).catch((error: unknown) => {
        if (!hasLeft) throw error;
        return this.#throughOutages(error, isRecorded);
      });
    });
    // Not in the mail's place: other mails can be recorded.
    for (let tries = 1; hasLeft && !isEnded && !stopping.aborted; tries += 1) {
      await pause(delayAfter(tries, mostDestroyDelayMs), stopping);
      isEnded = await roads.log.run(() =>
        isRecorded().catch((error: unknown) => this.#throughOutages(error, isRecorded)),
      );
    }
  }

  /** Repeats what our storage kept from its end, until it ends or fails otherwise. */
  async #throughOutages(first: unknown, again: () => Promise<boolean>): Promise<boolean> {
    let error = first;
    for (let tries = 1; isStorageError(error); tries += 1) {
      await this.#outlast(error, tries, neverAborts);
      try {
        return await again();
      } catch (next) {
        error = next;
      }
    }
    this.#own.report(error);
    return false;
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
    const isPutOff = this.#retries.size > 0 || left.some(({ kind }) => this.#own.roads.of(kind).isFull);
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
    const ends = [this.#woken.promise, ...this.#running.values()].map((end) => end.then(() => false));
    const isOver = await Promise.race([...ends, pause(ms, waiting.signal).then(() => true)]);
    waiting.abort();
    this.#isOutdated ||= isOver;
  }

  /** When the subject is to be looked at again for tasks that are not under way, and what of them has failed. */
  #standing(tasks: readonly AnyTask[], at: Date): Standing | null {
    const looks = tasks.map((task) => {
      const roomFromMs = this.#own.roads.of(task.kind).isFull ? at.getTime() + keptMs : 0;
      return Math.max(lookAt(task, at), this.#notBefore(task.name), roomFromMs);
    });
    if (!this.#subject) looks.push(this.#notBefore(readRetry));
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
    // What was derived meanwhile is perhaps not in this process's memory.
    this.claimed(claim);
    return false;
  }
}
