import { pause as realPause } from "../../infra/following/follower-turn.ts";

/** Work repeated with a pause after each round. */
type Rounds = {
  readonly stopping: AbortSignal;
  start(): void;
  /** Starts the next round at once, or as soon as the current one has ended. */
  soon(): void;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
};

/** @param round must not throw: it logs its own failures, and runs again */
export function createRounds(everySeconds: number, round: () => Promise<void>, pause = realPause): Rounds {
  const stopping = new AbortController();
  let hurry = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    for (;;) {
      await pause(everySeconds * 1000, AbortSignal.any([stopping.signal, hurry.signal]));
      hurry = new AbortController();
      if (stopping.signal.aborted) return;
      await round();
    }
  }

  return {
    stopping: stopping.signal,
    start: () => {
      running = run();
    },
    soon: () => hurry.abort(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
