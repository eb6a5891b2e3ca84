import { pause } from "../../infra/following/follower-turn.ts";
import { type Clock, realClock } from "../../services/policies/work/worker-lease.ts";

/** Real time, and what a test skips of it: what waits then goes on at once, if its time has come. */
export class SkippingClock {
  #skippedMs = 0;
  #skipped = new AbortController();

  readonly now = (): Date => new Date(Date.now() + this.#skippedMs);

  readonly clock: Clock = {
    sinceBootMs: () => realClock.sinceBootMs() + this.#skippedMs,
    pause: async (ms, signal) => {
      const endMs = this.clock.sinceBootMs() + ms;
      for (;;) {
        const leftMs = endMs - this.clock.sinceBootMs();
        if (leftMs <= 0 || signal?.aborted) return;
        const signals = [this.#skipped.signal, ...(signal ? [signal] : [])];
        await pause(leftMs, AbortSignal.any(signals));
      }
    },
  };

  skip(seconds: number): void {
    this.#skippedMs += seconds * 1000;
    this.#skipped.abort();
    this.#skipped = new AbortController();
  }
}
