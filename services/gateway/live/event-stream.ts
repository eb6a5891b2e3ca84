import type { Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { createSseResponse } from "./sse-response.ts";

/** Server-sent events about one order, on one response. */
export type EventStream = {
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

export function createEventStream(response: Response): EventStream {
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
