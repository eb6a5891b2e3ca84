/** Something only the operator can mend. The message says which thing, why, and how to mend it; no stack trace helps. */
export class OperatorFault extends Error {
  override name = "OperatorFault";
}

/** What a failure of the file system means to the operator, undefined where it is none that the operator could mend. */
export function fileFault(error: unknown): OperatorFault | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("path" in error)) return undefined;
  const say = (words: string) => new OperatorFault(`${String(error.path)} ${words}`, { cause: error });
  switch (error.code) {
    case "EACCES":
    case "EPERM":
      return say(
        `may not be used by this user (${process.getuid?.() ?? "unknown"}): give it the rights, or set DATA_DIR and KEY_DIR to folders of its own.`,
      );
    case "EROFS":
      return say(
        "is on a file system that is mounted read-only: mount it for writing, or set DATA_DIR and KEY_DIR to folders elsewhere.",
      );
    case "ENOSPC":
    case "EDQUOT":
      return say("could not be written, because its disk is full: make room and start again.");
    case "ENOTDIR":
    case "EEXIST":
      return say(
        "is in the way, a file where a folder should be: move it, or set DATA_DIR and KEY_DIR elsewhere.",
      );
    default:
      return undefined;
  }
}

/** The sentence for the operator where there is one, else the whole of an error: its stack, and its cause. */
export function wordsForOperator(error: unknown): string {
  const known = error instanceof OperatorFault ? error : fileFault(error);
  if (known) return known.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nbecause of ${wordsForOperator(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
