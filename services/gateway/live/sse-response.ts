import type { Response } from "express";

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
