import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../infra/event-store/stream-unreadable.ts";
import type { Projection } from "./projection.ts";

/** The part of a row kept between folds. `revision` is that of the last folded event. */
export type FoldedRow<State> = { readonly key: string; readonly revision: number; readonly folded: State };

/** An event of the row's stream is missing: continuing would make the row permanently wrong. */
class RevisionGap extends StreamUnreadable {
  override name = "RevisionGap";
  constructor(stream: string, expected: number, actual: number) {
    super(
      stream,
      "chain-broken",
      `Stream ${stream} was folded up to revision ${expected - 1}, and the next event is ${actual}.`,
    );
  }
}

/** The keys of the rows touched by some events, each once. */
export function keysOf<State>(projection: Projection<State>, events: readonly StoredEvent[]): string[] {
  const keys = events.map((event) => projection.keyOf(event.stream, event));
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/**
 * Rows in, changed rows out. An event already in a row is skipped, so repeated delivery changes nothing.
 * @throws RevisionGap, and StreamUnreadable for any error of the projection's fold
 */
export function foldRows<State>(
  projection: Projection<State>,
  current: ReadonlyMap<string, FoldedRow<State>>,
  events: readonly StoredEvent[],
): FoldedRow<State>[] {
  const changed = new Map<string, FoldedRow<State>>();
  for (const event of events) {
    const key = projection.keyOf(event.stream, event);
    if (key === undefined) continue;
    const row = changed.get(key) ?? current.get(key);
    const fold = (state: State | undefined) =>
      whileReading(event.stream, () => projection.fold(state, event));
    if (projection.isRegister) {
      if (!row) changed.set(key, { key, revision: event.revision, folded: fold(undefined) });
      continue;
    }
    const expected = row ? row.revision + 1 : 0;
    if (event.revision < expected) continue;
    if (event.revision > expected) throw new RevisionGap(event.stream, expected, event.revision);
    changed.set(key, { key, revision: event.revision, folded: fold(row?.folded) });
  }
  return [...changed.values()];
}
