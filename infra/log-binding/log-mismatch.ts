import { OperatorError } from "../process/operator-error.ts";
import type { NewestLeaf } from "../transparency/newest-leaf.ts";

/** The newest event that was signed beside the keys. `size`: events up to and including it. */
export type SignedEvent = Pick<NewestLeaf, "logId" | "size" | "position" | "eventId" | "at">;

/** Why a log must not be used with a database and its keys. */
export type LogMismatch =
  | { readonly kind: "other-log"; readonly bound: string; readonly found: string }
  /** The log lacks an event seen by the database: an older copy, or restored to an earlier time. */
  | { readonly kind: "checkpoint-missing"; readonly position: string }
  /** An external log has events, but the database has never followed any. */
  | { readonly kind: "never-followed" }
  /** The log lacks an event signed beside the keys. */
  | { readonly kind: "signed-missing"; readonly signed: SignedEvent }
  /** The log is complete, but the database knows less than was signed: it was restored to an earlier time. */
  | { readonly kind: "database-older"; readonly known: number; readonly signed: SignedEvent };

const short = (logId: string): string => logId.slice(0, 8);
const count = (events: number): string => events.toLocaleString("en-GB");

const rightStore =
  "set EVENTSTORE_URL to the event store in use, or leave it out if the log is kept in Postgres";
const accept = (lost: string): string =>
  `Nothing was changed. Only if ${lost}: npm run audit -- --accept explains how to continue with this one.`;

/**
 * Explains a mismatch to the operator, with the remedy.
 * @param inDatabase whether the log is in Postgres, because EVENTSTORE_URL is not set
 */
export function mismatchError(mismatch: LogMismatch, inDatabase: boolean): OperatorError {
  return new OperatorError(wordsOf(mismatch, inDatabase));
}

function wordsOf(mismatch: LogMismatch, inDatabase: boolean): string {
  const log = inDatabase
    ? "The log in Postgres, used because EVENTSTORE_URL is not set,"
    : "The event store at EVENTSTORE_URL";
  switch (mismatch.kind) {
    case "other-log":
      return `${log} holds log ${short(mismatch.found)}, but this database belongs to log ${short(mismatch.bound)}: ${rightStore}; or set DATABASE_URL (or DATA_DIR) to the database of that log. Nothing was changed.`;
    case "checkpoint-missing":
      return `${log} lacks an event that this database has seen, at ${mismatch.position}: it is an older copy, or was restored to an earlier time. Check that the right one is set: ${rightStore}. After a restore, restore both to the same moment. ${accept("the missing events are permanently lost")}`;
    case "never-followed":
      return `${log} holds events, but this database is new and has never followed them: set DATABASE_URL (or DATA_DIR) to the database that belongs to that log, or EVENTSTORE_URL to an empty event store. ${accept("that database is permanently lost")}`;
    case "signed-missing":
      return `${log} lacks an event that was signed in KEY_DIR at ${mismatch.signed.at}, when the log held ${count(mismatch.signed.size)} events: it is an older copy, or was restored to an earlier time. Check that the right one is set: ${rightStore}. ${accept("the missing events are permanently lost")}`;
    case "database-older":
      return `This database was restored to an earlier time: it knows ${count(mismatch.known)} events of its log, but ${count(mismatch.signed.size)} were signed in KEY_DIR at ${mismatch.signed.at}. Set DATABASE_URL (or DATA_DIR) to the newest one. ${accept("there is no newer one")}`;
    default:
      return mismatch satisfies never;
  }
}
