/**
 * Wakes followers. Waiters pass the number of rings they have seen, so a ring between reading and waiting is not
 * missed.
 */
export class Bell {
  #rings = 0;
  readonly #waiting = new Set<() => void>();

  /** Rings so far. Take it before reading the log. */
  get rings(): number {
    return this.#rings;
  }

  ring(): void {
    this.#rings += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves after more than `seen` rings, after `mostMs`, or when the signal aborts. */
  waitAfter(seen: number, mostMs: number, signal: AbortSignal): Promise<void> {
    if (this.#rings !== seen || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, mostMs);
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}
