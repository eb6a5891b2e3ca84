import { type Config, readConfig } from "../config/config.ts";
import { wordsForOperator } from "./operator-error.ts";

/** What a process amounts to once it runs. */
export type Running = {
  /** What stands behind "Ready: " on the first line it prints. */
  readonly ready: string;
  /** A line for the operator after that one. */
  readonly notice?: string | undefined;
  /** Ends after what is in hand. */
  readonly stop: () => Promise<void>;
  /** Settles when it cannot go on; it still has to be stopped. */
  readonly lost: Promise<Error>;
};

/** Ctrl-C reaches us from the terminal and from whoever started us; only a later one means impatience. */
const sameKeystrokeMs = 1000;

/**
 * The life of every process of the product: read the settings, start, say so, run until a signal or a loss, stop. Ends with 0 when told
 * to end, with 1 and a sentence for the operator otherwise.
 * @param start throws OperatorFault, the signal's reason when the start is given up, or a fault of ours
 * @param stopWithinMs a stop that takes longer ends the process at once; the next start recovers
 */
export function runProcess(
  start: (config: Config, signal: AbortSignal) => Promise<Running>,
  stopWithinMs = 25_000,
): void {
  const stopping = new AbortController();
  // "disconnect": the process that started this one is gone, however it went. Heard from the beginning, for a start takes seconds.
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) {
    process.on(signal, () => stopOn(stopping, stopWithinMs));
  }
  run(start, stopping.signal, stopWithinMs).then(
    () => process.exit(0),
    (error: unknown) => fail(error, stopping.signal.aborted),
  );
}

async function run(
  start: (config: Config, signal: AbortSignal) => Promise<Running>,
  signal: AbortSignal,
  stopWithinMs: number,
): Promise<void> {
  const stopped = new Promise<undefined>((done) => signal.addEventListener("abort", () => done(undefined)));
  const running = await start(readConfig(), signal);
  process.stdout.write(`Ready: ${running.ready}\n`);
  if (running.notice !== undefined) process.stdout.write(`${running.notice}\n`);
  const loss = await Promise.race([stopped, running.lost]);
  endWithin(stopWithinMs);
  await running.stop();
  if (loss) throw loss;
}

function stopOn(stopping: AbortController, stopWithinMs: number): void {
  if (stopping.signal.aborted) return;
  stopping.abort();
  endWithin(stopWithinMs);
  setTimeout(() => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  }, sameKeystrokeMs).unref();
}

function endWithin(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}

function fail(error: unknown, wasStopping: boolean): void {
  // A start that was given up on a signal ended as it was told to.
  if (wasStopping && error instanceof Error && error.name === "AbortError") process.exit(0);
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exit(1);
}
