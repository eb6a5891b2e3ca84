import { StoreBusy } from "../event-store.ts";

type GateLimits = {
  /** Appends in flight at once. */
  most: number;
  /** Limit on waiting appends; one more is StoreBusy. */
  queued: number;
  /** How long an append may wait for its turn. */
  waitMs: number;
};

export const defaultGateLimits: GateLimits = { most: 64, queued: 4096, waitMs: 4000 };

type Waiting = { stream: string; begin: () => void };

/** Limits concurrent appends, and runs one per stream: a later one can be checked only after the earlier. */
export class AppendGate {
  readonly #limits: GateLimits;
  readonly #queue: Waiting[] = [];
  readonly #busy = new Set<string>();
  #onIdle: (() => void) | undefined;

  constructor(limits: GateLimits = defaultGateLimits) {
    this.#limits = limits;
  }

  /** @throws StoreBusy when too many wait, or its turn came too late: `work` was not started */
  async run<Result>(stream: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#queue.length >= this.#limits.queued)
      throw new StoreBusy(`${this.#queue.length} appends are waiting already.`);
    await this.#turn(stream);
    try {
      return await work();
    } finally {
      this.#busy.delete(stream);
      this.#admit();
    }
  }

  /** Resolves when nothing is in flight or waiting. */
  async idle(): Promise<void> {
    if (this.#busy.size === 0) return;
    await new Promise<void>((done) => {
      this.#onIdle = done;
    });
  }

  #turn(stream: string): Promise<void> {
    return new Promise((begin, turnAway) => {
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        turnAway(new StoreBusy("The append waited too long for its turn."));
      }, this.#limits.waitMs);
      const waiting = {
        stream,
        begin: () => {
          clearTimeout(timer);
          begin();
        },
      };
      this.#queue.push(waiting);
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#busy.size < this.#limits.most) {
      const index = this.#queue.findIndex(({ stream }) => !this.#busy.has(stream));
      const [next] = index < 0 ? [] : this.#queue.splice(index, 1);
      if (!next) break;
      this.#busy.add(next.stream);
      next.begin();
    }
    if (this.#busy.size === 0) this.#onIdle?.();
  }
}
