import { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import timersPromises from "node:timers/promises";

/** A machine that runs the product: it can be killed, started again, and paused. */
export type Machine = {
  readonly name: string;
  /** Grows with each death: what began in an earlier life never goes on. */
  life: number;
  isUp: boolean;
  pausedUntilMs: number;
  /** What goes on when the pause ends. */
  waiting: (() => void)[];
  /** How far its wall clock is ahead. */
  aheadMs: number;
  /** For how long it was suspended: its monotonic clock stood still. */
  suspendedMs: number;
  suspendedFromMs: number | undefined;
};

export const newMachine = (name: string): Machine => ({
  ...{ name, life: 0, isUp: true, pausedUntilMs: 0, waiting: [] },
  ...{ aheadMs: 0, suspendedMs: 0, suspendedFromMs: undefined },
});

/** A machine from one start to its death. */
export type Life = { readonly machine: Machine; readonly life: number };

type Entry = { readonly atMs: number; readonly nth: number; readonly run: () => void; isCancelled: boolean };

/** On whose machine the code runs: its timers wait while the machine is paused, and die with it. */
const running = new AsyncLocalStorage<Life>();
/** All promises that can go on have done so: a tick comes after them. Nothing simulated waits for the event loop. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

/** A clock that moves from one event to the next, and the only source of time and order in a simulation. */
export class VirtualTime {
  readonly #heap: Entry[] = [];
  #nowMs: number;
  #count = 0;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** @returns cancels it */
  at(atMs: number, run: () => void): () => void {
    const entry: Entry = { atMs: Math.max(atMs, this.#nowMs), nth: ++this.#count, run, isCancelled: false };
    push(this.#heap, entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  after(ms: number, run: () => void): () => void {
    return this.at(this.#nowMs + ms, run);
  }

  async runUntil(endMs: number): Promise<void> {
    await settled();
    for (;;) {
      const next = this.#heap[0];
      if (!next || next.atMs > endMs) break;
      pop(this.#heap);
      if (next.isCancelled) continue;
      this.#nowMs = next.atMs;
      next.run();
      await settled();
    }
    this.#nowMs = endMs;
  }

  /** Goes on a machine, when it is not paused; never if it has died since. */
  on(machine: Machine, life: number, run: () => void): void {
    if (machine.life !== life) return;
    if (machine.pausedUntilMs > this.#nowMs) machine.waiting.push(() => this.on(machine, life, run));
    else running.run({ machine, life }, run);
  }

  wallMs(machine?: Machine): number {
    return this.#nowMs + (machine?.aheadMs ?? 0);
  }

  monotonicMs(machine?: Machine): number {
    return this.#nowMs - (machine ? this.#suspendedMs(machine) : 0);
  }

  #suspendedMs({ suspendedMs, suspendedFromMs = this.#nowMs }: Machine): number {
    return suspendedMs + this.#nowMs - suspendedFromMs;
  }

  /** As a stopped process, or with its whole machine suspended: nothing goes on, and all calls wait. */
  pause(machine: Machine, untilMs: number, isSuspended: boolean): void {
    if (isSuspended) machine.suspendedFromMs ??= this.#nowMs;
    machine.pausedUntilMs = Math.max(machine.pausedUntilMs, untilMs);
    this.at(untilMs, () => this.resume(machine, untilMs));
  }

  /** Ends a pause, unless a later one has begun. */
  resume(machine: Machine, pausedUntilMs: number): void {
    if (machine.pausedUntilMs > pausedUntilMs) return;
    machine.pausedUntilMs = this.#nowMs;
    machine.suspendedMs = this.#suspendedMs(machine);
    machine.suspendedFromMs = undefined;
    // One after another, as an event loop does: each may change what becomes of the next.
    for (const goOn of machine.waiting.splice(0)) this.after(0, goOn);
  }
}

function earlier(one: Entry, other: Entry): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.nth < other.nth);
}

function push(heap: Entry[], entry: Entry): void {
  let place = heap.length;
  heap.push(entry);
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (!parent || earlier(parent, entry)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]];
    if (!left) break;
    const isRight = right !== undefined && earlier(right, left);
    const child = isRight ? right : left;
    if (!earlier(child, last)) break;
    heap[place] = child;
    place = 2 * place + (isRight ? 2 : 1);
  }
  heap[place] = last;
}

/** Replaces timers and clocks of this process, so that the product runs in the simulation's time unchanged. */
export function replaceTimers(time: () => VirtualTime): void {
  /** A machine's timers go by its monotonic clock. */
  const later = (ms: number, run: () => void): (() => void) => {
    const on = running.getStore();
    if (!on) return time().after(ms, run);
    const { machine, life } = on;
    const dueMs = time().monotonicMs(machine) + ms;
    let isCancelled = false;
    let cancel = (): void => undefined;
    const wait = (leftMs: number) => {
      cancel = time().after(leftMs, () => time().on(machine, life, due));
    };
    const due = () => {
      if (isCancelled) return;
      const leftMs = dueMs - time().monotonicMs(machine);
      if (leftMs > 0) wait(leftMs);
      else run();
    };
    wait(Math.max(0, ms));
    return () => {
      isCancelled = true;
      cancel();
    };
  };
  const timers = new Map<unknown, () => void>();
  const setVirtual = (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    const timer = { unref: () => timer, ref: () => timer, hasRef: () => true };
    timers.set(
      timer,
      later(ms, () => {
        timers.delete(timer);
        run(...values);
      }),
    );
    return timer;
  };
  const clearVirtual = (timer: unknown) => {
    timers.get(timer)?.();
    timers.delete(timer);
  };
  const delay = (ms = 0, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((resolve, reject) => {
      const aborted = () => {
        cancel();
        reject(new DOMException("The wait was aborted.", "AbortError"));
      };
      const cancel = later(ms, () => {
        signal?.removeEventListener("abort", aborted);
        resolve(value);
      });
      if (signal?.aborted) aborted();
      else signal?.addEventListener("abort", aborted, { once: true });
    });
  Object.assign(globalThis, { setTimeout: setVirtual, clearTimeout: clearVirtual });
  Object.assign(timersPromises, { setTimeout: delay });
  // It goes on while a machine is suspended.
  Object.assign(os, { uptime: () => time().nowMs / 1000 });
  syncBuiltinESMExports();
  const here = () => running.getStore()?.machine;
  Object.defineProperty(performance, "now", { value: () => time().monotonicMs(here()) });
  Object.assign(Date, { now: () => time().wallMs(here()) });
}
