import { beginning, type Position } from "../event-store/event-store.ts";
import { pause } from "./follower-turn.ts";

type Waiter = { readonly position: Position; readonly settle: (reached: boolean) => void };

export type PositionWaiters = {
  /** Reports that everything up to here is processed. */
  reached(position: Position): void;
  /** True once the position is reached; false on timeout, or at once when too many wait. */
  wait(position: Position, timeoutMs: number): Promise<boolean>;
};

/**
 * Lets readers wait for a position. This process reports its own progress; for another's, one loop calls `look` every
 * `everyMs` while any reader waits. `look` resolves to undefined while this process is the one that makes progress.
 */
export function createPositionWaiters(
  look: () => Promise<Position | undefined>,
  { limit = 200, everyMs = 20 } = {},
): PositionWaiters {
  const waiters = new Set<Waiter>();
  let known: Position = beginning;
  let looking = false;

  function reached(position: Position): void {
    known = position;
    for (const waiter of waiters) if (waiter.position <= position) waiter.settle(true);
  }

  async function pollWhileAwaited(): Promise<void> {
    looking = true;
    while (waiters.size > 0) {
      await pause(everyMs);
      if (waiters.size === 0) break;
      // An unresponsive database tells nothing; the waiters' timeouts end this loop.
      const position = await look().catch(() => undefined);
      if (position !== undefined && position > known) reached(position);
    }
    looking = false;
  }

  function wait(position: Position, timeoutMs: number): Promise<boolean> {
    if (position <= known) return Promise.resolve(true);
    if (waiters.size >= limit) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.settle(false), timeoutMs);
      const waiter: Waiter = {
        position,
        settle(result) {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(result);
        },
      };
      waiters.add(waiter);
      if (!looking) void pollWhileAwaited();
    });
  }

  return { reached, wait };
}
