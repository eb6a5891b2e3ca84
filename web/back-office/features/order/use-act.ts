import { useRef, useState } from "react";
import { keyPerBody, newIdempotencyKey } from "../../../api/idempotency-key.ts";
import { ApiError } from "../../../api/problem.ts";
import { actOnOrder } from "../../api/act-on-order.ts";
import type { OrderPage } from "../../api/get-order-page.ts";
import type { TimelineEntry } from "../../api/get-order-timeline.ts";

/** What an act needs of the page it is done on. */
export interface ActingOn {
  readonly order: OrderPage;
  readonly entries: readonly TimelineEntry[];
  /** Reads the order again, and answers its newest revision. */
  readonly refresh: () => Promise<number | undefined>;
}

/** What others did that whoever acts should know of: a change, or a colleague's note, which may well ask to wait. */
export const isNews = ({ type, changes }: TimelineEntry): boolean =>
  changes.length > 0 || type === "NoteAdded";

/** The newest revision that is the order as it was seen: a colleague who only looked at something changed nothing. */
export function sameAs(seen: number, entries: readonly TimelineEntry[]): number {
  const news = entries.find((entry) => entry.revision > seen && isNews(entry));
  const last = entries.at(-1)?.revision ?? seen;
  return news ? news.revision - 1 : Math.max(seen, last);
}

/**
 * Acting on the order as it was when the dialog opened. What others did meanwhile is `news`; where it comes in between, the act is
 * refused, and confirming again acts on what is shown by then. Nothing that was typed is lost.
 */
export function useAct(action: string, { order, entries, refresh }: ActingOn) {
  const [opened] = useState(order.revision);
  const [seen, setSeen] = useState(order.revision);
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const act = async (said: { reason: string; note: string }, more: object): Promise<void> => {
    const body = { ...more, ...said, expectedRevision: sameAs(seen, entries) };
    try {
      await actOnOrder(order.orderNumber, action, body, keyOf.current(body));
    } catch (failure) {
      if (isConflict(failure)) setSeen((await refresh()) ?? seen);
      throw failure;
    }
    await refresh();
  };
  return { act, news: entries.filter((entry) => entry.revision > opened && isNews(entry)) };
}

const isConflict = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 409;
