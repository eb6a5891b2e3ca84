import type { EventStore, Position, StoredEvent } from "../event-store/event-store.ts";
import { BrokenChain } from "../event-store/hash-chain.ts";
import { createLogVerifier, type LogVerifier } from "../event-store/log-verifier.ts";
import type { Bytes } from "../transparency/formats/bytes.ts";
import type { TreeReach } from "../transparency/tree-records.ts";

/** What is kept of an event that was read. */
export type EventRead = Pick<StoredEvent, "position" | "id" | "revision"> & {
  readonly hash: string;
  /** Its hash in the tree; undefined where no tree is compared. */
  readonly leaf: Bytes | undefined;
};

/** Consecutive events of the log, each verified against its stream. */
export type PieceRead = {
  readonly start: TreeReach;
  readonly events: readonly EventRead[];
  /** The event after these, where reading stopped. */
  readonly broken: BrokenChain | undefined;
};

type ReadOptions = {
  readonly store: Pick<EventStore, "readAll" | "readStream">;
  /** The hash of an intact event's leaf. */
  readonly leafOf?: ((index: number, event: StoredEvent) => Bytes) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: StoredEvent) => void) | undefined;
};

/** Few, because what is read is garbage once it is verified: larger batches outlive the young generation. */
const eventsAtOnce = 256;

/** Events in a piece where no marks say where others begin: what is kept of them all is in memory at once. */
const unmarkedPiece = 1_024;

/** Where reading goes on after a piece. */
export function endOf({ start, events }: PieceRead): TreeReach {
  const last = events.at(-1);
  return last ? { size: start.size + events.length, position: last.position, eventId: last.id } : start;
}

/**
 * Reads the log from a place to its end. Pieces come in order; `atOnce` of them are read at the same time, as far as
 * marks say where they begin. Marks are not trusted: from the first that is wrong, the log is read in one go.
 */
export async function* readPieces(
  options: ReadOptions & {
    readonly from: TreeReach;
    readonly marks: readonly TreeReach[];
    readonly atOnce: number;
    /** Events in a piece without marks. */
    readonly pieceEvents?: number;
  },
): AsyncGenerator<PieceRead> {
  const { from, marks, atOnce, pieceEvents = unmarkedPiece } = options;
  const starts = [from, ...marks.filter(({ size }) => size > from.size)];
  const reading: Promise<PieceRead>[] = [];
  let begun = 0;
  /** Keeps the next pieces coming whose ends are marked. */
  const begin = () => {
    for (; reading.length < atOnce; begun++) {
      const [start, end] = [starts[begun], starts[begun + 1]];
      if (!start || !end) return;
      const piece = readPiece(options, start, end.size - start.size, createLogVerifier(options.store));
      // Awaited in its turn.
      piece.catch(() => undefined);
      reading.push(piece);
    }
  };
  let at = from;
  try {
    for (let nth = 1; nth < starts.length; nth++) {
      begin();
      const piece = await reading.shift();
      if (!piece) break;
      yield piece;
      at = endOf(piece);
      if (piece.broken) return;
      if (at.size !== starts[nth]?.size || at.position !== starts[nth]?.position) break;
    }
  } finally {
    await Promise.allSettled(reading);
  }
  yield* readOnward(options, at, pieceEvents);
}

async function* readOnward(
  options: ReadOptions,
  from: TreeReach,
  pieceEvents: number,
): AsyncGenerator<PieceRead> {
  const verifier = createLogVerifier(options.store);
  for (let start = from; ; ) {
    const piece = await readPiece(options, start, pieceEvents, verifier);
    yield piece;
    if (piece.broken || piece.events.length < pieceEvents) return;
    start = endOf(piece);
  }
}

async function readPiece(
  options: ReadOptions,
  start: TreeReach,
  count: number,
  verifier: LogVerifier,
): Promise<PieceRead> {
  const { signal, leafOf, onEvent } = options;
  const events: EventRead[] = [];
  for await (const event of eventsAfter(options.store, start.position, count)) {
    signal?.throwIfAborted();
    try {
      const hash = await verifier.hashOf(event);
      const { position, id, revision } = event;
      events.push({ position, id, revision, hash, leaf: leafOf?.(start.size + events.length, event) });
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      return { start, events, broken: error };
    }
    onEvent?.(event);
  }
  return { start, events, broken: undefined };
}

/** At most `count` events after a position. */
export async function* eventsAfter(
  store: Pick<EventStore, "readAll">,
  position: Position,
  count: number,
): AsyncGenerator<StoredEvent> {
  let after = position;
  for (let left = count; left > 0; ) {
    const asked = Math.min(left, eventsAtOnce);
    const events = await store.readAll(after, asked);
    yield* events;
    if (events.length < asked) return;
    left -= events.length;
    after = events.at(-1)?.position ?? after;
  }
}
