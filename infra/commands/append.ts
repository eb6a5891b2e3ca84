import { setTimeout as delay } from "node:timers/promises";
import {
  type Appended,
  type AppendRequest,
  CompanionExists,
  type CompanionRow,
  type EventStore,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../event-store/event-store.ts";
import type { SealedEvent } from "../event-store/hash-chain.ts";

/** An append of sealed events; their hashes distinguish them from any others at the same revisions. */
export type SealedAppend = AppendRequest & { events: readonly SealedEvent[] };

const mostTries = 4;

/**
 * Appends, and resolves an unknown outcome from the stream itself. Resolves to `moved` when other events, or another
 * row of a companion's id, came first.
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
    if (error instanceof WrongExpectedRevision || error instanceof CompanionExists) return "moved";
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

/** A command that references its sealed data. `fingerprint` is that of the request. */
type Prepared<Command> = {
  readonly command: Command;
  readonly fingerprint: string | null;
  /** The sealed data, where the append stores it. */
  readonly companions: readonly CompanionRow[];
  /** Called once the append is written. Never throws. */
  readonly written: () => Promise<void>;
  /** Erases the sealed data when no event references it. Never throws. */
  readonly discard: () => Promise<void>;
};

/** Seals the data a command will reference, given the current stream; `nothing` when there is nothing to do. */
export type Prepare<State, Command> = (state: State) => Promise<Prepared<Command> | "nothing">;

/** Sealed data of one request, until the log shows whether an event references it. */
type Preparation<State, Command> = {
  /** Seals for the next append, given the stream as it is now: a record may be built from it. */
  on(state: State): Promise<Prepared<Command> | "nothing">;
  /** Tries to append the command's events; `again` when others came first and nothing was written. */
  appending<Result>(append: () => Promise<Result | "again">): Promise<Result | "again">;
  /** After an unknown outcome an event may reference it: the sweep then decides. */
  discardUnlessNamed(): Promise<void>;
};

export function createPreparation<State, Command>(
  prepare: Prepare<State, Command>,
): Preparation<State, Command> {
  let prepared: Prepared<Command> | "nothing" = "nothing";
  let mayBeNamed = false;

  async function written(): Promise<void> {
    if (prepared !== "nothing") await prepared.written();
  }

  /**
   * Before another try, which prepares anew: a record built from the earlier stream would undo what came first, and the
   * key that the request was compared by may be another's by then.
   */
  async function discardOvertaken(): Promise<void> {
    if (prepared !== "nothing") await prepared.discard();
    prepared = "nothing";
  }

  return {
    async on(state) {
      if (prepared === "nothing") prepared = await prepare(state);
      return prepared;
    },
    async appending(append) {
      mayBeNamed = true;
      try {
        const result = await append();
        mayBeNamed = result !== "again";
        if (mayBeNamed) await written();
        else await discardOvertaken();
        return result;
      } catch (error) {
        mayBeNamed = !(error instanceof StoreBusy);
        throw error;
      }
    },
    async discardUnlessNamed() {
      if (prepared !== "nothing" && !mayBeNamed) await prepared.discard();
    },
  };
}
