import { orderStream } from "../../../domain/order/events.ts";
import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import { createSharedFollowing } from "./shared-following.ts";

/** Watches one order. Neither call may throw. */
type OrderListener = {
  /** @param position of the order's newest event */
  readonly changed: (position: Position) => void;
  /** Following has failed; watching may be started again. */
  readonly lost: () => void;
};

type OrderChanges = {
  /**
   * Reports every change from now on, until the returned function is called.
   * @throws if reading the end of the log throws
   */
  readonly watch: (orderId: string, listener: OrderListener) => Promise<() => void>;
  readonly stop: () => void;
};

type OrderChangesParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly log: Log;
  /** Changes are collected for this long: several in quick succession are reported once. */
  readonly collectMs: number;
};

/** One follower of the log for all watchers, started by the first of them. */
export function createOrderChanges({ store, log, collectMs }: OrderChangesParts): OrderChanges {
  const listeners = new Map<string, Set<OrderListener>>();
  const changed = new Map<string, Position>();
  let reporting: NodeJS.Timeout | undefined;
  const following = createSharedFollowing({ store, log, heard: collect, lost });

  function report(): void {
    reporting = undefined;
    for (const [stream, position] of changed) {
      for (const listener of listeners.get(stream) ?? []) listener.changed(position);
    }
    changed.clear();
  }

  function collect(events: readonly StoredEvent[]): void {
    for (const { stream, position } of events) if (listeners.has(stream)) changed.set(stream, position);
    if (changed.size > 0) reporting ??= setTimeout(report, collectMs);
  }

  function lost(): void {
    for (const listener of [...listeners.values()].flatMap((watching) => [...watching])) listener.lost();
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
      try {
        await following.begin();
      } catch (error) {
        unwatch(stream, listener);
        throw error;
      }
      return () => unwatch(stream, listener);
    },
    stop() {
      following.stop();
      clearTimeout(reporting);
    },
  };
}
