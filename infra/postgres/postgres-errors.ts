import pg from "pg";

/**
 * Outcome of a failed query.
 * `lost`: the connection or the server failed; the query may or may not have run.
 * `busy`: the server timed out or has no room; nothing happened, a retry may work.
 * `refused`: the server rejected it; nothing happened, a retry will not help.
 * `unrelated`: not a database error.
 */
type Fault = "lost" | "busy" | "refused" | "unrelated";

// Sent when the server ends a session, possibly after a commit and before its answer.
const endedCodes = ["08", "57P", "25P03", "25P04", "40003"];
/** From a server that takes no writes, such as a primary that a fail-over made a standby: another one may. */
export const takesNoWrites = "25006";
const lostCodes = [...endedCodes, takesNoWrites];
export const lockNotAvailable = "55P03";
// No room, deadlock or conflict, lock not available, time-out or cancelled.
const busyCodes = ["53", "40", lockNotAvailable, "57014"];

/** Classifies an error of a pg query or connection attempt. */
export function faultOf(error: unknown): Fault {
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    if (lostCodes.some((start) => code.startsWith(start))) return "lost";
    return busyCodes.some((start) => code.startsWith(start)) ? "busy" : "refused";
  }
  if (!(error instanceof Error)) return "unrelated";
  // Errors of the operating system have a code; pg's own have only a message.
  const fromSystem = "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code);
  return fromSystem || /connection|timeout|not queryable/i.test(error.message) ? "lost" : "unrelated";
}
