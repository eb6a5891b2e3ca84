import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../services/policies/work/worker-lease.ts";

type Waiting = { readonly atMs: number; readonly wake: () => void };

/** Turns of the event loop after which nothing in memory is under way any more. */
const turns = 30;

export async function settled(): Promise<void> {
  for (let nth = 0; nth < turns; nth += 1) await turn();
}

/** Time that passes when a test says so. */
export class DrivenClock {
  #nowMs = 0;
  #skippedMs = 0;
  readonly #waiting = new Set<Waiting>();
  readonly #startsMs: number;

  constructor(startsAt = "2026-11-23T09:30:00.000Z") {
    this.#startsMs = Date.parse(startsAt);
  }

  readonly now = (): Date => new Date(this.#startsMs + this.#nowMs + this.#skippedMs);

  readonly clock: Clock = {
    sinceBootMs: () => this.#nowMs,
    pause: (ms, signal) =>
      new Promise<void>((resolve) => {
        const one: Waiting = {
          atMs: this.#nowMs + ms,
          wake: () => {
            this.#waiting.delete(one);
            resolve();
          },
        };
        this.#waiting.add(one);
        signal?.addEventListener("abort", one.wake);
        if (signal?.aborted) one.wake();
      }),
  };

  /** Passes while the machine is suspended: no timer goes off. */
  suspend(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }

  /** Sets the wall clock alone. */
  skipWallClock(seconds: number): void {
    this.#skippedMs += seconds * 1000;
  }

  async pass(seconds: number): Promise<void> {
    await settled();
    const endMs = this.#nowMs + seconds * 1000;
    for (;;) {
      const next = [...this.#waiting].sort((one, other) => one.atMs - other.atMs)[0];
      if (!next || next.atMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
      await settled();
    }
    this.#nowMs = endMs;
  }
}
