import { useEffect, useEffectEvent, useRef, useState } from "react";
import {
  enterByLink,
  lookUpOrder,
  type TrackedOrder,
  followOrder as updatesOf,
} from "../../../contract/orders/tracking.ts";
import { addressOf } from "../../../contract/request.ts";
import { ApiError, refusalWords } from "../../api/problem.ts";
import { newIdempotencyKey } from "../../api/request.ts";
import { send } from "../../api/send.ts";
import { toasts } from "../../ui/toasts/toasts.ts";

// What the lookup asks of the API, apart from its page, which loads without it.

export { notePosition } from "../../api/request.ts";

/** @throws as `send` does */
export const lookUp = (orderNumber: string): Promise<TrackedOrder> =>
  send(lookUpOrder, { body: { orderNumber } });

/** An order and those that were ordered together with it, this one first. @throws as `send` does */
export const lookUpTogether = ({ orderNumber, orderedTogether }: TrackedOrder): Promise<TrackedOrder[]> =>
  Promise.all([orderNumber, ...orderedTogether.map((other) => other.orderNumber)].map(lookUp));

type Unanswered = "server" | "too many";

/**
 * A server fault, an order that cannot be read at present or a lost connection is not "not found", and can be retried.
 * Null if there was an answer.
 */
export function whyUnanswered(failure: unknown): Unanswered | null {
  if (!(failure instanceof ApiError) || failure.status >= 500 || failure.status === 423) return "server";
  return failure.status === 429 ? "too many" : null;
}

/** Exchanges the key of an emailed link; the order is shown without it too. @returns as `whyUnanswered` does */
export async function enter(orderNumber: string, key: string): Promise<Unanswered | null> {
  try {
    await send(enterByLink, { body: { orderNumber, key } });
  } catch (failure) {
    const cause = whyUnanswered(failure);
    if (cause !== null) return cause;
    toasts.show(failure instanceof ApiError && failure.status === 410 ? expired : incomplete);
  }
  return null;
}

const expired = {
  title: "This link has expired",
  description:
    "You can still see your order’s progress. To change something, ask for another link under ‘I don’t have my order number’.",
};

/** As when a mail program broke it in two. */
const incomplete = {
  title: "This link is not complete",
  description:
    "You can still see your order’s progress. To change something, open the link in our email again, or ask for another under ‘I don’t have my order number’.",
};

interface OrderListener {
  /** It changed; the position to read it at. */
  changed: (position: string) => void;
  /** Whether updates are being received. */
  live: (live: boolean) => void;
}

/** Browser functions, passed in for tests of hidden pages and lost streams. */
interface FollowParts {
  open: (url: string) => EventSource;
  page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
}

const browser = (): FollowParts => ({ open: (url) => new EventSource(url), page: document });

/**
 * Follows an order by server-sent events while the page is visible: a hidden page closes its stream and reopens it when
 * shown. The browser restores a lost connection; a refused one (too many streams) stays closed until the page is shown
 * again. @returns a function to stop
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
    const opened = open(addressOf(updatesOf, { orderNumber }));
    stream = opened;
    opened.addEventListener("open", () => listener.live(true));
    opened.addEventListener("error", () => listener.live(false));
    opened.addEventListener("changed", (event) => {
      if (event instanceof MessageEvent) listener.changed(event.lastEventId);
    });
  };
  const followIfVisible = (): void => {
    stop();
    if (page.visibilityState === "visible") start();
  };
  followIfVisible();
  page.addEventListener("visibilitychange", followIfVisible);
  return () => {
    page.removeEventListener("visibilitychange", followIfVisible);
    stop();
  };
}

/**
 * A form's initial data, requested once: null while loading, `closed` if it is no longer available, `failed` for a
 * fault of ours or the connection's. `again` retries.
 */
export function useLoaded<Loaded extends object>(load: () => Promise<Loaded>) {
  const [loaded, setLoaded] = useState<Loaded | "closed" | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  const loadNow = useEffectEvent(load);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the reader wants it.
  useEffect(() => {
    let wanted = true;
    loadNow().then(
      (found) => wanted && setLoaded(found),
      (failure: unknown) => wanted && setLoaded(isRefusal(failure) ? "closed" : "failed"),
    );
    return () => {
      wanted = false;
    };
  }, [tries]);
  const again = (): void => {
    setLoaded(null);
    setTries((count) => count + 1);
  };
  return { loaded, again };
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.status < 500 && failure.status !== 429;

/**
 * Sends a form, one request at a time, each under one key however often the button is pressed.
 * @returns `problems`: the server's messages
 */
export function useSending<Filled>(
  post: (filled: Filled, key: string) => Promise<unknown>,
  onSent: () => void,
) {
  const [sending, setSending] = useState(false);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const tried = useRef({ asked: "", key: "" });
  const send = async (filled: Filled): Promise<void> => {
    if (sending) return;
    const asked = JSON.stringify(filled);
    if (tried.current.asked !== asked) tried.current = { asked, key: newIdempotencyKey() };
    setSending(true);
    try {
      await post(filled, tried.current.key);
      onSent();
    } catch (failure) {
      setProblems(refusalWords(failure));
    } finally {
      setSending(false);
    }
  };
  return { send, sending, problems };
}
