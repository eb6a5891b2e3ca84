import pg from "pg";

/**
 * What a failed query says of its fate.
 * `lost`: the connection or the server went away; what was sent may or may not have happened.
 * `busy`: the server gave up waiting or has no room; nothing happened, later may work.
 * `refused`: the server rejected it; nothing happened and asking again will not help.
 * `unrelated`: not the database's doing.
 */
export type Fault = "lost" | "busy" | "refused" | "unrelated";

// Sent when the server ends a session, which it may do after a commit and before its answer.
const lostCodes = ["08", "57P", "25P03", "25P04", "40003"];
// No room, deadlock or conflict, lock not available, time-out or cancelled.
const busyCodes = ["53", "40", "55P03", "57014"];

/** Sorts what a query or a connection attempt of pg threw. */
export function faultOf(error: unknown): Fault {
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    if (lostCodes.some((start) => code.startsWith(start))) return "lost";
    return busyCodes.some((start) => code.startsWith(start)) ? "busy" : "refused";
  }
  if (!(error instanceof Error)) return "unrelated";
  // The operating system's errors carry a code; pg's own have only their words.
  const fromSystem = "code" in error && typeof error.code === "string" && /^E[A-Z]+$/.test(error.code);
  return fromSystem || /connection|timeout|not queryable/i.test(error.message) ? "lost" : "unrelated";
}
