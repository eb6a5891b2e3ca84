import type { EventStore } from "../../infra/event-store/event-store.ts";
import { createOrders } from "../../services/orders/orders.ts";
import { createTickets } from "../../services/tickets/tickets.ts";
import { createPerformTask, createTaskBench, type TaskBench } from "../services/task-fixture.ts";
import { Crash } from "../services/use-case-fixture.ts";
import type { MemoryVault } from "../vault/memory-vault.ts";

/** Task fixture whose work can be interrupted at each call of log and vault. */
export type Interrupted = {
  /** `performNow` is a process apart: in one process, what interrupts it would wait for its turn on the stream. */
  readonly bench: TaskBench;
  /** Runs something else before the nth call of some work, from 1. False if the work ended earlier. */
  before(nth: number, meanwhile: () => Promise<unknown>, work: () => Promise<unknown>): Promise<boolean>;
  /** Kills some work before its nth call: nothing happens from there on. False if it ended earlier. */
  dyingBefore(nth: number, work: () => Promise<unknown>): Promise<boolean>;
};

const interruptible: ReadonlySet<unknown> = new Set(["append", "readStream", "recordsOf", "destroy"]);

export function interrupted(): Interrupted {
  let onCall: () => Promise<void> = async () => undefined;
  const watched = <Target extends EventStore | MemoryVault>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const member: unknown = Reflect.get(of, name, of);
        if (typeof member !== "function") return member;
        if (!interruptible.has(name)) return member.bind(of);
        return async (...args: readonly unknown[]): Promise<unknown> => {
          await onCall();
          return Reflect.apply(member, of, args);
        };
      },
    });
  const bench = createTaskBench({ wrapStore: watched, wrapVault: watched });
  const bus = { store: bench.store, random: Math.random, now: bench.now };
  const deps = { ...bench.deps, orders: createOrders(bus), tickets: createTickets(bus) };

  async function withCalls(next: typeof onCall, work: () => Promise<unknown>): Promise<void> {
    onCall = next;
    try {
      await work();
    } finally {
      onCall = async () => undefined;
    }
  }

  return {
    bench: { ...bench, performNow: createPerformTask({ ...bench, deps }) },
    before: async (nth, meanwhile, work) => {
      let calls = 0;
      let isElsewhere = false;
      const next = async () => {
        if (isElsewhere) return;
        calls += 1;
        if (calls !== nth) return;
        isElsewhere = true;
        await meanwhile();
        isElsewhere = false;
      };
      await withCalls(next, work);
      return calls >= nth;
    },
    dyingBefore: async (nth, work) => {
      let calls = 0;
      const next = async () => {
        calls += 1;
        if (calls >= nth) throw new Crash();
      };
      await withCalls(next, work).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      return calls >= nth;
    },
  };
}

/** Runs an attempt at each possible interruption, until the work has no more. */
export async function atEachPlace(attempt: (nth: number) => Promise<boolean>): Promise<number> {
  const most = 40;
  for (let nth = 1; nth <= most; nth++) if (!(await attempt(nth))) return nth - 1;
  throw new Error(`The work has more than ${most} steps.`);
}
