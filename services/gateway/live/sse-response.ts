import type { Response } from "express";

/** Told to browsers: how long to wait before they connect again, in milliseconds. */
const reconnectMs = 5000;
/** A client that reads nothing is let go when so many bytes wait for it; each message has about 100. */
const mostWaitingBytes = 16 * 1024;

/** A response that is a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export type SseResponse = {
  /** Sends the headers. */
  begin(): void;
  /** An event named `changed`. `id` is what the client says it saw last, when it comes back. Before `begin` nothing is sent. */
  changed(id: string, data: unknown): void;
  /** A comment, so that neither proxies nor we take the connection for a dead one. */
  beat(): void;
  /** Before `begin`: ends right after it, unless it becomes an answer of another kind. */
  end(): void;
};

/** Makes a response a stream of events. */
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
        // nginx and those that learnt from it would keep the events back until there are enough of them.
        "X-Accel-Buffering": "no",
        // It ends with its stream; kept open it would only hold up a gateway that stops.
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
