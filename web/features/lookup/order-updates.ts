import * as tracking from "../../../contract/orders/tracking.ts";
import { addressOf } from "../../../contract/request.ts";

/** What is heard of an order while it is followed. */
export interface OrderListener {
  /** It changed; the position to read it at. */
  changed: (position: string) => void;
  /** Whether changes are heard of at the moment. */
  live: (live: boolean) => void;
}

/** What following needs of the browser. Passed in, so that a hidden page and a lost stream can be tried. */
export interface FollowParts {
  open: (url: string) => EventSource;
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
}

const browser = (): FollowParts => ({ open: (url) => new EventSource(url), page: document });

/**
 * Follows an order by server-sent events while the page is looked at: a hidden page lets go of its stream, a visible one
 * takes it up again. A lost connection is mended by the browser; a refused one (too many streams) stays closed until the page
 * is looked at again. Answers how to stop.
 */
export function followOrder(orderNumber: string, listener: OrderListener, parts = browser()): () => void {
  const { page, open } = parts;
  let stream: EventSource | null = null;
  const stop = (): void => {
    stream?.close();
    stream = null;
    listener.live(false);
  };
  const start = (): void => {
    const opened = open(addressOf(tracking.followOrder, { orderNumber }));
    stream = opened;
    opened.addEventListener("open", () => listener.live(true));
    opened.addEventListener("error", () => listener.live(false));
    opened.addEventListener("changed", (event) => {
      if (event instanceof MessageEvent) listener.changed(event.lastEventId);
    });
  };
  const look = (): void => {
    stop();
    if (page.visibilityState === "visible") start();
  };
  look();
  page.addEventListener("visibilitychange", look);
  return () => {
    page.removeEventListener("visibilitychange", look);
    stop();
  };
}
