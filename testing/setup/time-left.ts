const second = 1_000;

/** Of a file that this machine has not run yet: what most files of its kind take. */
export function defaultMs(file: string): number {
  if (file.endsWith(".faults.test.ts")) return 90 * second;
  if (file.endsWith(".browser.test.ts")) return 20 * second;
  if (file.endsWith(".integration.test.ts")) return 4 * second;
  return 0.2 * second;
}

/**
 * @param doneMs what the finished files were expected to take
 * @param allMs what all files are expected to take
 */
export function timeLeftMs(run: {
  readonly elapsedMs: number;
  readonly workers: number;
  readonly doneMs: number;
  readonly allMs: number;
}): number {
  const restMs = run.allMs - run.doneMs;
  // The first tenth says too little about this run's pace.
  if (run.doneMs < run.allMs / 10) return restMs / run.workers;
  return (run.elapsedMs * restMs) / run.doneMs;
}

/** "1 min 5 s". */
export function inWords(ms: number): string {
  const seconds = Math.round(ms / second);
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
