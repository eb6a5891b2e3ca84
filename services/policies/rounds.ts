import { pause } from "../../infra/following/follower-turn.ts";

/** Something that is done again and again, each time after a pause. */
export type Rounds = {
  /** Aborts once no more is to be begun. */
  readonly stopping: AbortSignal;
  start(): void;
  /** Begins the next round at once, or as soon as the one under way has ended. */
  soon(): void;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
};

/** @param round must not throw: what fails is logged there, and comes round again */
export function createRounds(everySeconds: number, round: () => Promise<void>): Rounds {
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
