const frame = /^\s+at (?:.*\()?(?:file:\/\/)?(\/.*:\d+:\d+)\)?$/m;

/** File, line and column where an error was thrown: the one part of its stack that cannot quote what a person typed. */
export function placeOf(error: unknown): string | undefined {
  return error instanceof Error ? frame.exec(error.stack ?? "")?.[1] : undefined;
}
