import { isStorageError, trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { type PerformTaskDependencies, performTask, readSubject } from "../perform-task.ts";
import { type Subject, subjectSeen } from "../subject.ts";
import { isEarly, type Performable, performable } from "../tasks/performable.ts";
import { RoadFull, type Roads } from "./roads.ts";
import { type Claim, lookAt, type Standing, type WorkTable } from "./work-table.ts";
import { type Clock, LeaseLost, realClock } from "./worker-lease.ts";

/** What falls due within this time is kept, or taken at once: letting go and taking again costs two statements. */
export const keptMs = 10_000;
/** Failures in a row are looked at again after 1, 2, 4 s and so on; a purge sooner. */
const mostDelayMs = 300_000;
const mostPurgeDelayMs = 10_000;
/** What found no place is looked at again after this time. */
const crowdedMs = 3_000;
const delayAfter = (tries: number, mostMs: number): number =>
  Math.min(mostMs, 1_000 * 2 ** Math.min(tries - 1, 20));
/** Never aborts: a stop waits for the record of a mail that has left. */
const untilTheEnd = new AbortController().signal;

type Owning = {
  readonly worker: string;
  readonly claim: Claim;
  readonly roads: Roads;
  readonly stopping: AbortSignal;
  /** The subject is free, and due then. */
  readonly onFree: (dueAt: Date | undefined) => void;
  /** Batches of the follower that have derived the subject, until their ends are known here. */
  readonly batches: () => Promise<void>;
};

type Parts = PerformTaskDependencies & {
  readonly table: WorkTable;
  readonly isFollowing: () => boolean;
  readonly clock?: Clock;
};

/** What a look came to: tasks that are owed, and those that were tried and are still due. */
type Looked = {
  readonly owed: readonly Performable[];
  readonly undone: readonly Performable[];
  /** What found no place on its road, which is no failure of its own. */
  readonly crowded: readonly Performable[];
  /** It could not be read. */
  readonly isUnread: boolean;
};

/** What was begun in one look. */
type Attempts = {
  readonly tried: Set<string>;
  /** Found no place. */
  readonly crowded: Set<string>;
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
  /** Of our own storage, or a lost lease: nothing more begins in this look. */
  #fault: unknown;
  /** Resolves when there may be something new. */
  #woken = Promise.withResolvers<void>();
  #isWoken = false;

  constructor(parts: Parts, own: Owning) {
    this.#parts = parts;
    this.#own = own;
    this.#claim = own.claim;
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
        const looked = await this.#lookThroughOutages();
        if (!looked || (await this.#restOrLetGo(looked))) return;
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
  async #lookThroughOutages(): Promise<Looked | undefined> {
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

  /** Performs what is due, side by side, and derives again after each, until nothing is due that was not tried. */
  async #look(): Promise<Looked> {
    const attempts: Attempts = { tried: new Set(this.#running.keys()), crowded: new Set() };
    this.#fault = undefined;
    this.#subject = this.#heed() ? await this.#again() : await this.#read();
    for (;;) {
      const { now } = this.#parts;
      const owed = this.#subject ? performable(this.#parts, this.#subject, now()) : [];
      this.#begin(owed, attempts);
      if (this.#running.size === 0 && !this.#isWoken) {
        if (this.#fault) throw this.#fault;
        const due = owed.filter((task) => attempts.tried.has(task.owed.name) && !isEarly(task.owed, now()));
        const undone = due.filter((task) => !attempts.crowded.has(task.owed.name));
        const crowded = due.filter((task) => !undone.includes(task));
        return { owed, undone, crowded, isUnread: this.#subject === undefined };
      }
      await Promise.race([...this.#running.values(), this.#woken.promise]);
      this.#heed();
      this.#subject = await this.#again();
    }
  }

  #begin(tasks: readonly Performable[], attempts: Attempts): void {
    const { tried } = attempts;
    const running = this.#running;
    const isOwed = new Set(tasks.map(({ owed }) => owed.name));
    // A replaced application is purged under the same name again.
    for (const name of tried) if (!isOwed.has(name) && !running.has(name)) tried.delete(name);
    for (const task of tasks) {
      const { name } = task.owed;
      if (tried.has(name) || isEarly(task.owed, this.#parts.now()) || this.#mustEnd() || this.#fault)
        continue;
      tried.add(name);
      const ended = this.#perform(task)
        .catch((error: unknown) => {
          if (error instanceof RoadFull) attempts.crowded.add(name);
          else this.#fault ??= error;
        })
        .finally(() => running.delete(name));
      running.set(name, ended);
    }
  }

  /** The subject with what this process has appended, or read with a batch, since. */
  async #again(): Promise<Subject | undefined> {
    const known = this.#subject;
    if (!known || this.#isOutdated) return this.#read();
    return subjectSeen(this.#parts.deps, known).catch(() => this.#read());
  }

  /** Undefined where it cannot be read, which has been logged. */
  #read(): Promise<Subject | undefined> {
    this.#isOutdated = false;
    return this.#own.roads.reading.run(() => readSubject(this.#parts, this.subjectId));
  }

  /** @throws RoadFull */
  async #perform(found: Performable): Promise<void> {
    const { roads } = this.#own;
    const { name, kind } = found.owed;
    await roads.of(kind).run(async (hasWaited) => {
      const subject = hasWaited ? await this.#read() : this.#subject;
      if (subject && !this.#mustEnd()) await this.#performNamed(name, subject);
    });
  }

  /** Once a mail has left, ends no sooner than it is on record: whoever looked again would send it again. */
  async #performNamed(name: string, subject: Subject): Promise<void> {
    const { mailer, now, storage = trustedStorage, clock: { pause } = realClock } = this.#parts;
    let hasLeft = false;
    const send = async (mail: Mail) => {
      if (!hasLeft) await mailer.send(mail);
      hasLeft = true;
    };
    const parts = { ...this.#parts, mailer: { ...mailer, send } };
    const task = performable(parts, subject, now()).find(({ owed }) => owed.name === name);
    for (let tries = 1; task; tries += 1) {
      try {
        await performTask(parts, subject, task);
        return;
      } catch (error) {
        if (!hasLeft || !isStorageError(error)) throw error;
        storage.suspect(error);
        await storage.over(untilTheEnd);
        await pause(delayAfter(tries, mostPurgeDelayMs));
      }
    }
  }

  /** True once it is free, or gone. */
  async #restOrLetGo(looked: Looked): Promise<boolean> {
    if (this.#mustEnd()) return true;
    const { now, isFollowing, clock: { pause } = realClock } = this.#parts;
    const { undone, crowded, isUnread } = looked;
    const at = now();
    const standing = this.#standing(looked, at);
    const inMs = standing ? standing.dueAt.getTime() - at.getTime() : Number.POSITIVE_INFINITY;
    const isDone = undone.length === 0 && crowded.length === 0 && !isUnread;
    if (isDone && (inMs <= keptMs || isFollowing())) {
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

  /** What falls due sooner does not wait for what failed. */
  #standing({ owed, undone, crowded, isUnread }: Looked, at: Date): Standing | null {
    const hasFailed = undone.length > 0 || isUnread;
    const tries = this.#claim.tries + (hasFailed ? 1 : 0);
    const mostMs = undone.some((task) => task.owed.kind === "purge") ? mostPurgeDelayMs : mostDelayMs;
    const againMs = at.getTime() + delayAfter(tries, mostMs);
    const looks = owed.map((task) => {
      if (undone.includes(task)) return againMs;
      return crowded.includes(task) ? at.getTime() + crowdedMs : lookAt(task.owed, at);
    });
    if (isUnread) looks.push(againMs);
    if (looks.length === 0) return null;
    return { dueAt: new Date(Math.min(...looks)), tries: hasFailed || crowded.length > 0 ? tries : 0 };
  }

  async #letGo(standing: Standing | null): Promise<boolean> {
    const { table } = this.#parts;
    const { worker, onFree, batches } = this.#own;
    // Or the late word of a batch would make this process perform what it no longer owns.
    await batches();
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
