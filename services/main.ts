import { readConfig } from "../infra/config.ts";
import { wordsForOperator } from "../infra/operator-fault.ts";
import { startSystem } from "./system.ts";

// npm start: everything in one process.

/** A stop that takes longer than this ends the process at once; the next start recovers. */
const stopTimeoutMs = 25_000;
/** Ctrl-C reaches us from the terminal and from whoever started us; only a later one means impatience. */
const sameKeystrokeMs = 1000;

const stopping = new AbortController();

async function main(): Promise<void> {
  const stopped = new Promise<undefined>((done) =>
    stopping.signal.addEventListener("abort", () => done(undefined)),
  );
  const system = await startSystem(readConfig(), stopping.signal);
  process.stdout.write(`Ready: ${system.url}\n`);
  const loss = await Promise.race([stopped, system.lost]);
  endWithin(stopTimeoutMs);
  await system.stop();
  if (loss) throw loss;
}

function stop(): void {
  if (stopping.signal.aborted) return;
  stopping.abort();
  endWithin(stopTimeoutMs);
  setTimeout(() => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
  }, sameKeystrokeMs).unref();
}

function endWithin(ms: number): void {
  setTimeout(() => process.exit(1), ms).unref();
}

function fail(error: unknown): void {
  // A start that was given up on a signal ended as it was told to.
  if (stopping.signal.aborted && error instanceof Error && error.name === "AbortError") process.exit(0);
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exit(1);
}

// "disconnect": the process that started this one is gone, however it went. Heard from the beginning, for a start takes seconds.
for (const signal of ["SIGINT", "SIGTERM", "disconnect"] as const) process.on(signal, stop);
main().then(() => process.exit(0), fail);
