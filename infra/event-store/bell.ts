/** Wakes followers. A ring between looking and waiting is not missed: who waits says how many rings they had seen. */
export class Bell {
  #rings = 0;
  readonly #waiting = new Set<() => void>();

  /** How often it rang. Take it before looking at the log. */
  get rings(): number {
    return this.#rings;
  }

  ring(): void {
    this.#rings += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Resolves when it has rung more than `seen` times, after `mostMs`, or when the signal aborts. */
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
