import type { Response } from "express";
import type { EventStore, Position, StoredEvent } from "../../../infra/event-store/event-store.ts";
import type { Log } from "../../../infra/process/log.ts";
import { uncorrelated } from "../../../infra/telemetry/tracing/tracing.ts";

/** One follower of the log for all listeners, started by the first of them. */
type SharedFollowing = {
  /**
   * Follows from now on. Listeners must be registered before they call this, or they may miss a change.
   * @throws if reading the end of the log throws
   */
  readonly begin: () => Promise<void>;
  readonly stop: () => void;
};

type SharedFollowingParts = {
  readonly store: Pick<EventStore, "follow" | "head">;
  readonly log: Pick<Log, "error">;
  /** Neither call may throw. */
  readonly heard: (events: readonly StoredEvent[]) => void;
  /** Following has failed; it may be started again. */
  readonly lost: () => void;
};

export function createSharedFollowing({ store, log, heard, lost }: SharedFollowingParts): SharedFollowing {
  const stopping = new AbortController();
  const { signal } = stopping;
  let following: Promise<void> | undefined;

  async function follow(after: Position): Promise<void> {
    try {
      for await (const events of store.follow({ after, signal })) heard(events);
    } catch (error) {
      log.error(
        { code: error instanceof Error ? error.name : "unknown" },
        "live updates can no longer follow the log",
      );
    }
    following = undefined;
    lost();
  }

  async function start(): Promise<void> {
    const after = await store.head();
    // The first listener may leave; following continues for the others.
    if (!signal.aborted) void uncorrelated(() => follow(after));
  }

  return {
    async begin() {
      following ??= start();
      const begun = following;
      try {
        await begun;
      } catch (error) {
        if (following === begun) following = undefined;
        throw error;
      }
    },
    stop: () => stopping.abort(),
  };
}

/** Delay before browsers reconnect, in milliseconds. */
const reconnectMs = 5000;
/** A client that stops reading is disconnected when this many bytes are buffered; a message has about 100. */
const mostWaitingBytes = 16 * 1024;

/** A response that is a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type SseResponse = {
  begin(): void;
  /**
   * Sends an event named `changed`. A client that reconnects returns `id` as the last it saw. Before `begin` nothing is
   * sent.
   */
  changed(id: string, data: unknown): void;
  /** A comment, as keep-alive. */
  beat(): void;
  /** Before `begin`: takes effect right after it, unless the response becomes another kind of answer. */
  end(): void;
};

export function createSseResponse(response: Response): SseResponse {
  let begun = false;
  let over = false;

  function write(text: string): void {
    if (!begun || response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > mostWaitingBytes) response.destroy();
  }

  return {
    begin() {
      response.status(200).set({
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        // Stops nginx and similar proxies from buffering events.
        "X-Accel-Buffering": "no",
        // The connection ends with its stream: kept alive, it would only delay shutdown.
        Connection: "close",
      });
      response.flushHeaders();
      begun = true;
      write(`retry: ${reconnectMs}\n\n`);
      if (over) response.end();
    },
    changed: (id, data) => write(`event: changed\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(": still here\n\n"),
    end() {
      over = true;
      if (begun && !response.writableEnded) response.end();
    },
  };
}
