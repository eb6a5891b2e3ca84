import { useRef, useState } from "react";
import { addressOf } from "../../../../../contract/request.ts";
import * as actions from "../../../../../contract/staff-orders/actions.ts";
import type { OrderPage } from "../../../../../contract/staff-orders/order-page.ts";
import type { TimelineEntry } from "../../../../../contract/staff-orders/timeline.ts";
import { keyPerBody, newIdempotencyKey } from "../../../../api/idempotency-key.ts";
import { ApiError } from "../../../../api/problem.ts";
import { request } from "../../../../api/request.ts";

/** Page state that an action needs. */
export interface ActingOn {
  readonly order: OrderPage;
  readonly entries: readonly TimelineEntry[];
  /** Reloads the order. @returns its newest revision */
  readonly refresh: () => Promise<number | undefined>;
}

/** Events to show before confirming: changes, and notes, which may ask colleagues to wait. */
const isNews = ({ type, changes }: TimelineEntry): boolean => changes.length > 0 || type === "NoteAdded";

/** The newest revision equivalent to the one seen: reveals by colleagues change nothing. */
export function sameAs(seen: number, entries: readonly TimelineEntry[]): number {
  const news = entries.find((entry) => entry.revision > seen && isNews(entry));
  const last = entries.at(-1)?.revision ?? seen;
  return news ? news.revision - 1 : Math.max(seen, last);
}

/**
 * Acts on the order as of opening the dialog. After a concurrent change, shown as `news`, the server refuses;
 * confirming again acts on the newer state. Typed values are kept.
 */
export function useAct(action: string, { order, entries, refresh }: ActingOn) {
  const [opened] = useState(order.revision);
  const [seen, setSeen] = useState(order.revision);
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const act = async (given: { reason: string; note: string }, more: object): Promise<void> => {
    const body = { ...more, ...given, expectedRevision: sameAs(seen, entries) };
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

/** The request of an action; the server validates its fields. */
function requestOf(action: string) {
  const known = Object.entries(actions).find(([name]) => name === action)?.[1];
  if (!known) throw new Error(`Unknown action ${action}`);
  return known;
}

const isConflict = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 409;
