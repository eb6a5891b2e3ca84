import { useRef, useState } from "react";
import { addressOf } from "../../../../../contract/request.ts";
import * as actions from "../../../../../contract/staff-orders/actions.ts";
import type { OrderPage } from "../../../../../contract/staff-orders/order-page.ts";
import type { TimelineEntry } from "../../../../../contract/staff-orders/timeline.ts";
import { keyPerBody, newIdempotencyKey } from "../../../../api/idempotency-key.ts";
import { ApiError } from "../../../../api/problem.ts";
import { request } from "../../../../api/request.ts";

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
      await request("POST", addressOf(requestOf(action), { orderNumber: order.orderNumber }), body, {
        idempotencyKey: keyOf.current(body),
      });
    } catch (failure) {
      if (isConflict(failure)) setSeen((await refresh()) ?? seen);
      throw failure;
    }
    await refresh();
  };
  return { act, news: entries.filter((entry) => entry.revision > opened && isNews(entry)) };
}

/** What an action's fields say is typed: its request refuses what is wrong, in words. */
function requestOf(action: string) {
  const known = Object.entries(actions).find(([name]) => name === action)?.[1];
  if (!known) throw new Error(`There is no action ${action}`);
  return known;
}

const isConflict = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 409;
