/** An error that only the operator can fix. The message names the problem and the remedy; no stack trace is shown. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** A command that was typed wrongly, as only the command itself can tell. */
export class WrongCommand extends OperatorError {
  override name = "WrongCommand";
}

/** Ends a command that failed: with the operator's words, and with 2 if it was typed wrongly, else 1. */
export function failCommand(error: unknown): void {
  process.stderr.write(`${wordsForOperator(error)}\n`);
  process.exitCode = error instanceof WrongCommand ? 2 : 1;
}

/** The operator's message if there is one, else the whole error: its stack and its cause. */
export function wordsForOperator(error: unknown): string {
  const known = error instanceof OperatorError ? error : (fileError(error) ?? listenFault(error));
  if (known) return known.message;
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nbecause of ${wordsForOperator(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

const fileSentences: Readonly<Record<string, string>> = {
  EACCES:
    "is not accessible to the user this runs as: give that user the rights, or set DATA_DIR and KEY_DIR to other folders.",
  EPERM: "belongs to another user: start as that user, or set DATA_DIR and KEY_DIR to your own folders.",
  EROFS:
    "is on a file system that is mounted read-only: mount it for writing, or set DATA_DIR and KEY_DIR to folders elsewhere.",
  ENOSPC: "could not be written, because the disk is full: free some space and start again.",
  EDQUOT: "could not be written, because the quota is used up: free some space and start again.",
  ENOTDIR: "is in the way, a file where a folder should be: move it, or set DATA_DIR and KEY_DIR elsewhere.",
  // Error for a new folder whose parent is not writable.
  ENOENT:
    "cannot be made, because a folder above it is missing or mounted read-only: correct that, or set DATA_DIR and KEY_DIR elsewhere.",
  EEXIST: "is in the way, a file where a folder should be: move it, or set DATA_DIR and KEY_DIR elsewhere.",
};

/** Explains a file system error to the operator; undefined for one the operator cannot fix. */
export function fileError(error: unknown): OperatorError | undefined {
  const code = codeOf(error);
  if (!(error instanceof Error) || !("path" in error) || code === undefined) return undefined;
  const isMissing = code === "ENOENT" && !("syscall" in error && error.syscall === "mkdir");
  const words = isMissing ? undefined : fileSentences[code];
  return words ? new OperatorError(`${String(error.path)} ${words}`, { cause: error }) : undefined;
}

const namedFileReasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "there is no such file or folder",
  EISDIR: "it is a folder",
  EACCES: "the user this runs as may not open it",
};

/** Explains why a file that was named on a command line cannot be used; any other error as it is. */
export function namedFileError(path: string, error: unknown): unknown {
  const reason = namedFileReasons[codeOf(error) ?? ""];
  return reason ? new OperatorError(`${path} cannot be used: ${reason}.`, { cause: error }) : error;
}

/** Explains an address that could not be listened on. */
function listenFault(error: unknown): OperatorError | undefined {
  if (!(error instanceof Error && "syscall" in error)) return undefined;
  if (error.syscall !== "listen" && error.syscall !== "getaddrinfo") return undefined;
  const port = "port" in error ? String(error.port) : "";
  const name = "address" in error ? error.address : "hostname" in error ? error.hostname : "";
  const say = (words: string) => new OperatorError(words, { cause: error });
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return say(
        `Port ${port} is taken by another process: stop it, or set PORT to a free port (SANDBOX_CARD_PORT is the next one unless it is set).`,
      );
    case "EACCES":
      return say(
        `Port ${port} is not allowed for the user this runs as: set PORT to one above 1023, with a proxy in front where customers need 80 or 443.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return say(
        `HOST is "${String(name)}", which is not an address of this machine: set it to 127.0.0.1, 0.0.0.0, or one of this machine's addresses.`,
      );
    default:
      return undefined;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
