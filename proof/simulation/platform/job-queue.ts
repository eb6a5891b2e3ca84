import { setTimeout as delay } from "node:timers/promises";
import type { JobHandler, Jobs, JobToAdd } from "../../../infra/jobs/jobs.ts";
import type { VirtualTime } from "./virtual-time.ts";

type Row = JobToAdd & {
  readonly nth: number;
  runAtMs: number;
  tries: number;
  lockedUntilMs: number;
  lock: number;
};

type Handlers = Readonly<Record<string, JobHandler>>;

const lockMs = 30_000;
const mostTries = 4;
const pollMs = 15_000;

type Call = <T>(name: string, effect: () => Promise<T>) => Promise<T>;

/** The queue's server: jobs are delivered at least once, and again when a worker no longer renews its lock. */
export class JobQueue {
  readonly #rows = new Map<string, Row>();
  readonly #time: VirtualTime;
  readonly #wake = new Set<() => void>();
  readonly #mostWaitMs: number;
  #count = 0;

  /** @param mostWaitMs a job that has waited longer is passed over */
  constructor(time: VirtualTime, mostWaitMs = Number.POSITIVE_INFINITY) {
    this.#time = time;
    this.#mostWaitMs = mostWaitMs;
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  /** The queue as one machine sees it. */
  jobsOf(call: Call): Jobs {
    return {
      add: (jobs) => (jobs.length === 0 ? Promise.resolve() : call("add", async () => this.#add(jobs))),
      work: async (handlers, { concurrency }) => {
        void this.#work(call, handlers, concurrency);
        return async () => undefined;
      },
      standing: async () => ({ waiting: 0, delayed: 0, active: 0, oldestWaiting: undefined }),
      pending: async () => this.#rows.size,
      wipe: async () => this.#rows.clear(),
      close: async () => undefined,
    };
  }

  #add(jobs: readonly JobToAdd[]): void {
    for (const job of jobs) {
      if (this.#rows.has(job.id)) continue;
      const runAtMs = this.#time.nowMs + (job.delayMs ?? 0);
      this.#rows.set(job.id, { ...job, nth: ++this.#count, runAtMs, tries: 0, lockedUntilMs: 0, lock: 0 });
      this.#time.at(runAtMs, () => this.#ring());
    }
  }

  #ring(): void {
    const waiting = [...this.#wake];
    this.#wake.clear();
    for (const wake of waiting) wake();
  }

  async #work(call: Call, handlers: Handlers, concurrency: number): Promise<void> {
    let active = 0;
    for (;;) {
      const isFree = active < concurrency;
      const job = isFree ? await call("claim", async () => this.#claim()).catch(() => undefined) : undefined;
      if (!job) {
        await Promise.race([new Promise<void>((resolve) => this.#wake.add(resolve)), delay(pollMs)]);
        continue;
      }
      active += 1;
      void this.#run(call, job, handlers).finally(() => {
        active -= 1;
        this.#ring();
      });
    }
  }

  #claim(): { readonly row: Row; readonly lock: number } | undefined {
    const { nowMs } = this.#time;
    const free = [...this.#rows.values()].filter(
      ({ runAtMs, lockedUntilMs }) =>
        runAtMs <= nowMs && lockedUntilMs <= nowMs && nowMs - runAtMs <= this.#mostWaitMs,
    );
    const rank = ({ priority }: Row) => (priority === "urgent" ? 0 : priority === "background" ? 2 : 1);
    const [row] = free.sort((one, other) => rank(one) - rank(other) || one.nth - other.nth);
    if (!row) return undefined;
    row.lockedUntilMs = nowMs + lockMs;
    row.lock += 1;
    return { row, lock: row.lock };
  }

  async #run(
    call: Call,
    { row, lock }: { readonly row: Row; readonly lock: number },
    handlers: Handlers,
  ): Promise<void> {
    let isOver = false;
    const renew = async () => {
      for (;;) {
        await delay(lockMs / 3);
        if (isOver) return;
        const extend = async () => {
          if (row.lock === lock) row.lockedUntilMs = this.#time.nowMs + lockMs;
        };
        await call("renew", extend).catch(() => undefined);
      }
    };
    void renew();
    const isHeld = () =>
      call("extend", async () => row.lock === lock && this.#rows.get(row.id) === row).catch(() => false);
    const { kind, data, id, tries: triesBefore } = row;
    const handle = async () => handlers[kind]?.(data, { id, triesBefore, isHeld });
    const failed = await handle().then(
      () => false,
      () => true,
    );
    isOver = true;
    await call("end", async () => this.#end(row, lock, failed)).catch(() => undefined);
  }

  #end(row: Row, lock: number, failed: boolean): void {
    if (row.lock !== lock || this.#rows.get(row.id) !== row) return;
    row.tries += 1;
    if (!failed || row.tries >= mostTries) {
      this.#rows.delete(row.id);
      return;
    }
    row.runAtMs = this.#time.nowMs + 500 * 2 ** row.tries;
    row.lockedUntilMs = 0;
    this.#time.at(row.runAtMs, () => this.#ring());
  }
}
