import type { Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";

/** Told to browsers: how long to wait before they connect again, in milliseconds. */
const reconnectMs = 5000;
/** A client that reads nothing is let go when so many bytes wait for it; each message has about 100. */
const mostWaitingBytes = 16 * 1024;

/** Server-sent events about one order, on one response: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type EventStream = {
  /**
   * Sends the headers, and a first change unless the client has seen it already.
   * @param standing where the order stands; `seen` is what the client says it saw last
   */
  begin(standing: Position, seen: string | undefined): void;
  /** Tells of a change, once. Before `begin` it is kept until then. */
  changed(position: Position): void;
  /** A comment, so that neither proxies nor we take the connection for a dead one. */
  beat(): void;
  /** Before `begin`: ends right after it. */
  end(): void;
};

/** Makes a response a stream of events. */
export function createEventStream(response: Response): EventStream {
  let begun = false;
  let over = false;
  let newest: Position = "";
  let told: Position = "";

  function write(text: string): void {
    if (!begun || response.writableEnded || response.destroyed) return;
    response.write(text);
    if (response.writableLength > mostWaitingBytes) response.destroy();
  }

  function tell(): void {
    if (!begun || newest <= told) return;
    told = newest;
    write(`event: changed\nid: ${newest}\ndata: ${JSON.stringify({ position: newest })}\n\n`);
  }

  function changed(position: Position): void {
    if (position > newest) newest = position;
    tell();
  }

  return {
    begin(standing, seen) {
      response.status(200).set({
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        // nginx and those that learnt from it would keep the events back until there are enough of them.
        "X-Accel-Buffering": "no",
        // It ends with its stream; kept open it would only hold up a gateway that stops.
        Connection: "close",
      });
      response.flushHeaders();
      begun = true;
      write(`retry: ${reconnectMs}\n\n`);
      // Compared for equality only: after a restore of the log, what the client saw may never come again.
      if (seen === standing) told = standing;
      changed(standing);
      if (over) response.end();
    },
    changed,
    beat: () => write(": still here\n\n"),
    end() {
      over = true;
      // Before `begin` it may still become an answer of another kind.
      if (begun && !response.writableEnded) response.end();
    },
  };
}
