import { uptime } from "node:os";
import { pause as realPause } from "../../../infra/following/follower-turn.ts";
import type { Beat, WorkTable } from "./work-table.ts";

const beatEveryMs = 2_000;
/** Others count a worker as dead after so long without a heartbeat, by the workers' clock: within 10 s of its end. */
const deadAfterMs = 8_000;
/** A worker begins no task and sends nothing outside if its last confirmed heartbeat is older. */
const freshForMs = 6_000;

/** This process may not begin anything any more: it stops, or others have taken over. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

type LeaseParts = {
  readonly table: Pick<WorkTable, "enter" | "beat" | "remove">;
  readonly newId: () => string;
  readonly clock?: Clock;
  /** After each heartbeat. */
  readonly onBeat: (beat: Beat) => void;
  /** The lease was lost: what this worker owned is free. */
  readonly onLost: () => void;
  /** Another worker was found dead: what it owned is free. */
  readonly onFreed: () => void;
  /** Must not throw. */
  readonly onFault: (error: unknown) => void;
};

/** Time as a process measures it by itself. */
export type Clock = {
  /** Milliseconds since the machine started, including those while it was suspended. This clock cannot be set. */
  readonly sinceBootMs: () => number;
  /** Ends early when the signal is aborted. */
  readonly pause: typeof realPause;
};

export const realClock: Clock = { sinceBootMs: () => Math.round(uptime() * 1000), pause: realPause };

/**
 * Keeps a worker alive: a row that it writes every two seconds. Others remove the row once it is eight seconds behind on the
 * workers' clock, which runs in the database (migration 0036): each heartbeat of any worker moves it on by the time since the
 * last one, at most by two seconds. An outage that all workers share therefore counts as two seconds, and so does each change
 * of the database's own clock.
 */
export class WorkerLease {
  readonly #parts: LeaseParts;
  readonly #beating = new AbortController();
  #isStopping = false;
  #id: string | undefined;
  #running: Promise<void> = Promise.resolve();
  /** When the last confirmed heartbeat was sent. */
  #confirmedMs = Number.NEGATIVE_INFINITY;
  readonly #removing = new Set<string>();
  #next = Promise.withResolvers<void>();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** The worker's id while its lease is fresh. */
  get fresh(): string | undefined {
    return this.#isFresh() ? this.#id : undefined;
  }

  start(): void {
    this.#running = this.#run();
  }

  /**
   * Call before a task begins, and before anything is sent outside, on behalf of `id`. Waits for the next heartbeat if
   * the last one is old.
   * @throws LeaseLost when others have taken over, or this process stops
   */
  async confirm(id: string): Promise<void> {
    while (this.#id === id) {
      if (this.#isFresh()) return;
      if (this.#isStopping) break;
      await this.#next.promise;
    }
    throw new LeaseLost();
  }

  /** Frees all that the worker owns, after what is under way. Nothing waits for a heartbeat any more. */
  async stop(underWay: Promise<unknown> = Promise.resolve()): Promise<void> {
    this.#isStopping = true;
    this.#wakeAll();
    await underWay;
    this.#beating.abort();
    await this.#running;
    const id = this.#id;
    this.#id = undefined;
    // If this fails, others find that its heartbeats have ended.
    if (id !== undefined) await this.#parts.table.remove(id).catch(this.#parts.onFault);
  }

  #isFresh(): boolean {
    const { clock: { sinceBootMs } = realClock } = this.#parts;
    return sinceBootMs() - this.#confirmedMs < freshForMs;
  }

  async #run(): Promise<void> {
    const { signal } = this.#beating;
    const { onFault, clock: { pause } = realClock } = this.#parts;
    while (!signal.aborted) {
      await this.#beatOnce().catch(onFault);
      await pause(beatEveryMs, signal);
    }
  }

  async #beatOnce(): Promise<void> {
    const { table, newId, onBeat, clock: { sinceBootMs } = realClock } = this.#parts;
    if (this.#id === undefined) {
      const id = newId();
      await table.enter(id);
      this.#id = id;
    }
    const id = this.#id;
    const sentMs = sinceBootMs();
    const beat = await table.beat(id);
    if (!beat) return this.#lose();
    this.#confirmedMs = sentMs;
    this.#wakeAll();
    onBeat(beat);
    for (const other of beat.others) if (other.silentMs >= deadAfterMs) this.#remove(other);
  }

  #lose(): void {
    this.#id = undefined;
    this.#wakeAll();
    this.#parts.onLost();
  }

  #wakeAll(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Aside: it may wait for a lock, and this worker's own heartbeat must not. */
  #remove({ id, beats }: Beat["others"][number]): void {
    if (this.#removing.has(id)) return;
    this.#removing.add(id);
    const { table, onFreed, onFault } = this.#parts;
    void table
      .remove(id, beats)
      .then(onFreed, onFault)
      .finally(() => this.#removing.delete(id));
  }
}

/** The port, each of these calls made only while the lease is confirmed. */
export function fenced<Port extends object>(
  port: Port,
  calls: readonly (keyof Port)[],
  confirm: () => Promise<void>,
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (!calls.some((call) => call === name)) return member.bind(target);
      return async (...given: unknown[]) => {
        await confirm();
        return Reflect.apply(member, target, given);
      };
    },
  });
}
