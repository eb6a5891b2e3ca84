import { trustedStorage } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { AnyTask } from "../subject.ts";
import type { TaskDependencies } from "../task-dependencies.ts";
import { destroys, type Retries, type Retry } from "./work-table.ts";
import { type Clock, realClock } from "./worker-lease.ts";

export const mostDelayMs = 300_000;
/** Of what destroys, of a look, and of the record of a mail. */
const mostShortDelayMs = 10_000;
/** Of a subject that cannot be read: a worker of another build may be able to. */
const mostUnreadDelayMs = 60_000;

/** What a failed read of the subject itself is called among the retries. */
const reading = "reading";

/** 1, 2, 4 s and so on. */
const delayAfter = (tries: number, mostMs: number): number =>
  Math.min(mostMs, 1_000 * 2 ** Math.min(tries - 1, 20));

type Waiting = Pick<TaskDependencies, "storage"> & { readonly clock?: Clock };

/** Waits before a look, or the record of a mail, is repeated. */
export const pauseShortly = (
  { clock: { pause } = realClock }: Waiting,
  tries: number,
  signal: AbortSignal,
): Promise<void> => pause(delayAfter(tries, mostShortDelayMs), signal);

/** Waits, after an error that was reported, until our storage answers again; if it was not away, longer with each try. */
export async function pauseAfterError(parts: Waiting, tries: number, signal: AbortSignal): Promise<void> {
  const { storage = trustedStorage } = parts;
  const wasAway = await storage.over(signal);
  if (!wasAway) await pauseShortly(parts, tries, signal);
}

/**
 * What of a subject was tried: tasks, and the reading itself. Each waits for its own time, whatever happens to the subject.
 */
export class TaskRetries {
  readonly #byName: Map<string, Retry>;
  readonly #now: () => Date;

  constructor(kept: Retries, now: () => Date) {
    this.#byName = new Map(Object.entries(kept));
    this.#now = now;
  }

  get all(): Retries {
    return Object.fromEntries(this.#byName);
  }

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  notBefore(name: string): number {
    return this.#byName.get(name)?.notBeforeMs ?? 0;
  }

  get readsNotBefore(): number {
    return this.notBefore(reading);
  }

  tried({ name, kind }: Pick<AnyTask, "name" | "kind">): void {
    this.#delay(name, destroys.has(kind) ? mostShortDelayMs : mostDelayMs);
  }

  triedReading(): void {
    this.#delay(reading, mostUnreadDelayMs);
  }

  /** Forgets all but these tasks, also the reading: what is no longer due has not failed. */
  keep(due: ReadonlySet<string>): void {
    for (const name of this.#byName.keys()) if (!due.has(name)) this.#byName.delete(name);
  }

  #delay(name: string, mostMs: number): void {
    const tries = (this.#byName.get(name)?.tries ?? 0) + 1;
    this.#byName.set(name, { tries, notBeforeMs: this.#now().getTime() + delayAfter(tries, mostMs) });
  }
}
