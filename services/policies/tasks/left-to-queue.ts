/** Later than this, the sweep finds what the queue has lost. */
const leftToQueueMs = 15_000;

/** Tasks of which a visit in this process has just made jobs: another process may have begun them. */
export class LeftToQueue {
  /** In the order of their times. */
  readonly #untilMs = new Map<string, number>();

  add(subjectId: string, name: string, atMs: number): void {
    for (const [key, untilMs] of this.#untilMs) {
      if (untilMs > atMs) break;
      this.#untilMs.delete(key);
    }
    const key = `${subjectId} ${name}`;
    this.#untilMs.delete(key);
    this.#untilMs.set(key, atMs + leftToQueueMs);
  }

  has(subjectId: string, name: string, atMs: number): boolean {
    return (this.#untilMs.get(`${subjectId} ${name}`) ?? atMs) > atMs;
  }
}
