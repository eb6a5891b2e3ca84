import { beginning, type EventStore, type Position } from "../event-store/event-store.ts";
import type { Checkpoint, StopReason } from "./lease.ts";

/** The follower cannot continue until an operator fixes `reason`, at `at`. */
export class Stopped extends Error {
  override name = "Stopped";
  readonly reason: StopReason;
  readonly at: Position;
  constructor(reason: StopReason, at: Position, cause?: unknown) {
    super(`The follower stopped at ${at || "the beginning"}: ${reason}`, { cause });
    this.reason = reason;
    this.at = at;
  }
}

/**
 * Finds the checkpoint's event in the log, and returns the log's id.
 * @throws Stopped when it is missing: continuing would never correct what was derived from it
 */
export async function checkLog(store: EventStore, checkpoint: Checkpoint): Promise<string> {
  const logId = await store.logId();
  if (checkpoint.position === beginning) return logId;
  if (checkpoint.logId !== logId) throw new Stopped("other-log", checkpoint.position);
  const event = await store.eventAt(checkpoint.position);
  if (event?.id === checkpoint.eventId) return logId;
  // Another server may have answered: asking for the id confirms the log once more.
  await store.logId();
  throw new Stopped("checkpoint-missing", checkpoint.position);
}

/** An aborted follower ends without an error. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/** A code or a class, never the message, which may quote a row. */
export function nameOfError(error: unknown): string | null {
  if (!(error instanceof Error)) return error === undefined ? null : typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** Pause before the first retry. */
export const firstRetryMs = 100;
/** A longer delay would be noticed once the storage is back. */
const slowestRetryMs = 1_000;
export const slower = (retryMs: number): number => Math.min(retryMs * 2, slowestRetryMs);

/** Runs several tasks until one ends, and ends the others with it. @throws the first error */
export async function firstFault(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const ending = new AbortController();
  const scope = AbortSignal.any([signal, ending.signal]);
  const faults: unknown[] = [];
  await Promise.all(
    works.map(async (work) => {
      try {
        await work(scope);
      } catch (error) {
        if (!(isAbort(error) && scope.aborted)) faults.push(error);
      } finally {
        ending.abort();
      }
    }),
  );
  if (faults.length > 0) throw faults[0];
}
