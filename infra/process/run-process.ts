import { type Config, readConfig } from "../config/config.ts";
import { type CommandName, commandLine } from "../setup/command-line.ts";
import { wordsForOperator } from "./operator-error.ts";

export type Running = {
  /** Printed after "Ready: " on the first line. */
  readonly ready: string;
  /** Another line for the operator. */
  readonly notice?: string | undefined;
  /** Stops after running work. */
  readonly stop: () => Promise<void>;
  /** Resolves when it cannot continue; it must still be stopped. */
  readonly lost: Promise<Error>;
};

/** Ctrl-C reaches us both from the terminal and from our parent; only a later signal means impatience. */
const sameKeystrokeMs = 1000;

/**
 * Runs a process of the product: reads the settings, starts, prints "Ready", runs until a signal or a loss, and stops.
 * Exits with 0 when asked to stop, otherwise with 1 and a message for the operator.
 * @param start throws OperatorError, the signal's reason when cancelled, or an internal error
 * @param stopWithinMs a slower stop ends the process at once; the next start recovers
 */
export function runProcess(
  command: CommandName,
  start: (config: Config, signal: AbortSignal) => Promise<Running>,
  stopWithinMs = 25_000,
): void {
  commandLine(command);
  const stopping = new AbortController();
  // "disconnect": the parent is gone, however it ended. Handled from the beginning, because a start takes seconds.
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
  // A start cancelled by a signal is a normal exit.
  if (wasStopping && error instanceof Error && error.name === "AbortError") process.exit(0);
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exit(1);
}
