import type { Response } from "express";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { createSseResponse } from "./sse-response.ts";

/** Server-sent events about one order, on one response. */
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

/** Makes a response a stream of one order's changes. */
export function createEventStream(response: Response): EventStream {
  const stream = createSseResponse(response);
  let begun = false;
  let over = false;
  let newest: Position = "";
  let told: Position = "";

  function tell(): void {
    if (!begun || newest <= told) return;
    told = newest;
    stream.changed(newest, { position: newest });
  }

  function changed(position: Position): void {
    if (position > newest) newest = position;
    tell();
  }

  return {
    begin(standing, seen) {
      stream.begin();
      begun = true;
      // Compared for equality only: after a restore of the log, what the client saw may never come again.
      if (seen === standing) told = standing;
      changed(standing);
      if (over) stream.end();
    },
    changed,
    beat: stream.beat,
    end() {
      over = true;
      // What changed at last is told first.
      if (begun) stream.end();
    },
  };
}
