import { setTimeout as delay } from "node:timers/promises";
import {
  type Appended,
  type AppendRequest,
  type EventStore,
  OutcomeUnknown,
  WrongExpectedRevision,
} from "../event-store/event-store.ts";
import type { SealedEvent } from "../event-store/hash-chain.ts";

/** An append of sealed events; their hashes distinguish them from any others at the same revisions. */
export type SealedAppend = AppendRequest & { events: readonly SealedEvent[] };

const mostTries = 4;

/**
 * Appends, and resolves an unknown outcome from the stream itself. Resolves to `moved` when other events came first.
 * @throws OutcomeUnknown when it could not be resolved; StoreBusy when nothing was written
 */
export async function appendSettled(
  store: EventStore,
  append: SealedAppend,
  backoff: Backoff,
): Promise<Appended | "moved"> {
  try {
    return await store.append(append);
  } catch (error) {
    if (error instanceof WrongExpectedRevision) return "moved";
    if (error instanceof OutcomeUnknown) return settle(store, append, backoff, error);
    throw error;
  }
}

/**
 * Found, overtaken or still free: if free, the same events go to the same revision again, so a late first copy and the
 * second can never both be written.
 */
async function settle(
  store: EventStore,
  append: SealedAppend,
  backoff: Backoff,
  first: OutcomeUnknown,
): Promise<Appended | "moved"> {
  let unknown = first;
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    await backoff(attempt);
    try {
      const found = await findAppended(store, append);
      return found === "free" ? await store.append(append) : found;
    } catch (cause) {
      // Whatever the error, an earlier copy may still be on its way: only the stream can execute.
      unknown = new OutcomeUnknown("What became of an append could not be learnt.", { cause });
    }
  }
  throw unknown;
}

async function findAppended(
  store: EventStore,
  { stream, expectedRevision, events }: SealedAppend,
): Promise<Appended | "moved" | "free"> {
  const from = expectedRevision === "none" ? 0 : expectedRevision + 1;
  const there = await store.readStream(stream, from);
  if (there.length === 0) return "free";
  const last = there[events.length - 1];
  const isOurs = last?.metadata.hash === events.at(-1)?.metadata.hash;
  return last && isOurs ? { revision: last.revision, position: last.position } : "moved";
}

/** Waits before the nth retry, from 1. */
type Backoff = (attempt: number) => Promise<void>;

const firstMs = 4;
const mostMs = 200;

/** A random wait below a doubling bound, to spread competing appends to one stream. `random` is in [0, 1). */
export function createBackoff(random: () => number, pause: (ms: number) => Promise<void> = delay): Backoff {
  return (attempt) => pause(random() * Math.min(firstMs * 2 ** attempt, mostMs));
}
