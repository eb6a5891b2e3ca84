import type { Request, Response } from "express";
import { orderStream } from "../../../domain/order/events.ts";
import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import type { Orders } from "../../orders/orders.ts";
import { Problem } from "../errors/problem.ts";
import { addressOf } from "../guards/client-address.ts";
import { createSharedFollowing, createSseResponse } from "./shared-following.ts";

export type LiveSettings = {
  readonly mostStreams: number;
  readonly mostPerAddress: number;
  readonly beatEveryMs: number;
  /** A stream ends after this time and the browser reconnects: no client holds a place for ever. */
  readonly longestMs: number;
  readonly collectMs: number;
};

export const usualLiveSettings: LiveSettings = {
  mostStreams: 1000,
  mostPerAddress: 6,
  beatEveryMs: 20_000,
  longestMs: 30 * 60_000,
  collectMs: 200,
};

export type LiveOrders = {
  /**
   * Answers with a stream that signals changes of the order, without their content.
   * @throws Problem 429 if the address has used up its share of streams, 503 if there are too many or the gateway is
   * stopping
   */
  readonly open: (request: Request, response: Response, orderId: string) => Promise<void>;
  /** Ends all streams at once; browsers reconnect by themselves. */
  readonly close: () => void;
};

type LiveParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly orders: Pick<Orders, "load">;
  readonly log: Log;
  readonly settings: LiveSettings;
};

/** Live updates of orders, for all browsers that watch one. */
export function createLiveOrders({ store, orders, log, settings }: LiveParts): LiveOrders {
  const changes = createOrderChanges({ store, log, collectMs: settings.collectMs });
  const streams = new Map<EventStream, string>();
  let beating: NodeJS.Timeout | undefined;
  let closed = false;

  function assertRoom(address: string): void {
    if (closed || streams.size >= settings.mostStreams) throw noRoom("busy");
    const own = [...streams.values()].filter((other) => other === address).length;
    if (own >= settings.mostPerAddress) throw noRoom("too-many-requests");
  }

  /** Takes a place until the response is closed, by either side. */
  function enter(response: Response, address: string): EventStream {
    const stream = createEventStream(response);
    streams.set(stream, address);
    beating ??= setInterval(() => {
      for (const open of streams.keys()) open.beat();
    }, settings.beatEveryMs);
    const ending = setTimeout(stream.end, settings.longestMs);
    response.once("close", () => {
      clearTimeout(ending);
      leave(stream);
    });
    return stream;
  }

  function leave(stream: EventStream): void {
    streams.delete(stream);
    if (streams.size > 0) return;
    clearInterval(beating);
    beating = undefined;
  }

  return {
    async open(request, response, orderId) {
      const address = addressOf(request.ip ?? "");
      assertRoom(address);
      const stream = enter(response, address);
      const unwatch = await changes.watch(orderId, { changed: stream.changed, lost: stream.end });
      response.once("close", unwatch);
      if (response.destroyed) return unwatch();
      // Watch first, read second: a change in between is signalled twice rather than never.
      const { position } = await orders.load(orderId);
      stream.begin(position, request.get("Last-Event-ID"));
      if (closed || request.method === "HEAD") stream.end();
    },
    close() {
      closed = true;
      for (const stream of streams.keys()) stream.end();
      changes.stop();
    },
  };
}

const noRoom = (code: "busy" | "too-many-requests"): Problem =>
  new Problem(code, "Too many pages are waiting for updates.", { headers: { "Retry-After": "60" } });

/** Server-sent events about one order, on one response. */
type EventStream = {
  /**
   * Sends the headers, and the current position unless the client has seen it.
   * @param standing the order's position; `seen`: the last one the client says it saw
   */
  begin(standing: Position, seen: string | undefined): void;
  /** Sends a change once; before `begin`, it is kept until then. */
  changed(position: Position): void;
  /** A comment, as keep-alive. */
  beat(): void;
  /** Before `begin`: takes effect right after it. */
  end(): void;
};

function createEventStream(response: Response): EventStream {
  const stream = createSseResponse(response);
  let begun = false;
  let over = false;
  let newest: Position = "";
  let sent: Position = "";

  function send(): void {
    if (!begun || newest <= sent) return;
    sent = newest;
    stream.changed(newest, { position: newest });
  }

  function changed(position: Position): void {
    if (position > newest) newest = position;
    send();
  }

  return {
    begin(standing, seen) {
      stream.begin();
      begun = true;
      // Compared for equality only: after the log is restored, the client's position may never come again.
      if (seen === standing) sent = standing;
      changed(standing);
      if (over) stream.end();
    },
    changed,
    beat: stream.beat,
    end() {
      over = true;
      // The newest change first.
      if (begun) stream.end();
    },
  };
}

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
function createOrderChanges({ store, log, collectMs }: OrderChangesParts): OrderChanges {
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
