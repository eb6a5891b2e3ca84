import { pause } from "../../infra/following/pause.ts";

/** Something that is done again and again, each time after a pause. */
export type Rounds = {
  /** Aborts once no more is to be begun. */
  readonly stopping: AbortSignal;
  start(): void;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
};

/** @param round must not throw: what fails is logged there, and comes round again */
export function createRounds(everySeconds: number, round: () => Promise<void>): Rounds {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    for (;;) {
      await pause(everySeconds * 1000, stopping.signal);
      if (stopping.signal.aborted) return;
      await round();
    }
  }

  return {
    stopping: stopping.signal,
    start: () => {
      running = run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
