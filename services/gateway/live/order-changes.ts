import { orderStream } from "../../../domain/order/events.ts";
import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/log.ts";

/** Who watches an order. Neither call may throw. */
export type OrderListener = {
  /** The order changed: the position of its newest event. */
  readonly changed: (position: Position) => void;
  /** Changes can no longer be followed; watching may be begun anew. */
  readonly lost: () => void;
};

export type OrderChanges = {
  /**
   * Tells of every change from now on, until the answered function is called.
   * @throws whatever asking the log for its end throws
   */
  readonly watch: (orderId: string, listener: OrderListener) => Promise<() => void>;
  readonly stop: () => void;
};

export type OrderChangesParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly log: Log;
  /** How long changes are collected: what is appended together, or in quick succession, is told once. */
  readonly collectMs: number;
};

/** Follows the log once for all who watch, from when the first of them comes. */
export function createOrderChanges({ store, log, collectMs }: OrderChangesParts): OrderChanges {
  const listeners = new Map<string, Set<OrderListener>>();
  const changed = new Map<string, Position>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let telling: NodeJS.Timeout | undefined;
  let following: Promise<void> | undefined;

  function tell(): void {
    telling = undefined;
    for (const [stream, position] of changed) {
      for (const listener of listeners.get(stream) ?? []) listener.changed(position);
    }
    changed.clear();
  }

  function collect(events: readonly StoredEvent[]): void {
    for (const { stream, position } of events) if (listeners.has(stream)) changed.set(stream, position);
    if (changed.size > 0) telling ??= setTimeout(tell, collectMs);
  }

  async function follow(after: Position): Promise<void> {
    try {
      for await (const events of store.follow({ after, signal })) collect(events);
    } catch (error) {
      log.error({ code: error instanceof Error ? error.name : "unknown" }, "live updates lost the log");
    }
    following = undefined;
    for (const listener of [...listeners.values()].flatMap((watching) => [...watching])) listener.lost();
  }

  // Whoever watches is on the list before the end of the log is asked for, so nothing falls between.
  async function begin(): Promise<void> {
    const after = await store.head();
    if (!signal.aborted) void follow(after);
  }

  function unwatch(stream: string, listener: OrderListener): void {
    const watching = listeners.get(stream);
    watching?.delete(listener);
    if (watching?.size === 0) listeners.delete(stream);
  }

  return {
    async watch(orderId, listener) {
      const stream = orderStream(orderId);
      const watching = listeners.get(stream) ?? new Set();
      listeners.set(stream, watching.add(listener));
      following ??= begin();
      const begun = following;
      try {
        await begun;
      } catch (error) {
        if (following === begun) following = undefined;
        unwatch(stream, listener);
        throw error;
      }
      return () => unwatch(stream, listener);
    },
    stop() {
      stopping.abort();
      clearTimeout(telling);
    },
  };
}
