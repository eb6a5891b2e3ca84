import * as z from "zod/mini";
import { mostOrders } from "../../../domain/checkout/shares.ts";

/** A paid order, by the draft it came from. Nothing in it says who ordered, or what. */
const placedOrder = z.object({ draftId: z.string(), orderNumber: z.string(), paidAtMs: z.number() });

export type PlacedOrder = z.infer<typeof placedOrder>;

/** The part of `localStorage` used: shared by the tabs of a browser. */
type PlacedStorage = Pick<Storage, "getItem" | "setItem">;

const storageKey = "placed-orders";
const keptForMs = 86_400_000;
// Of three full payments: with fewer, the next would push out the one that a copied tab has to know of.
const keptOrders = 3 * mostOrders;

/**
 * What this browser's tabs have paid for in the last day, so that a copied tab can say so before it pays again. The next
 * charge drops what is older.
 */
export function createPlacedOrders(storage: PlacedStorage, nowMs: () => number) {
  function recent(): PlacedOrder[] {
    const earliest = nowMs() - keptForMs;
    return storedIn(storage.getItem(storageKey)).filter(({ paidAtMs }) => paidAtMs > earliest);
  }
  const keep = (orders: PlacedOrder[]): void =>
    storage.setItem(storageKey, JSON.stringify(orders.slice(-keptOrders)));
  return {
    /** Notes a charge; a repeat keeps the time of the first. */
    note(draftId: string, orderNumber: string): void {
      const orders = recent();
      if (orders.some((order) => order.orderNumber === orderNumber)) return;
      keep([...orders, { draftId, orderNumber, paidAtMs: nowMs() }]);
    },
    /** The charge did not happen after all. */
    withdraw: (orderNumber: string): void =>
      keep(recent().filter((order) => order.orderNumber !== orderNumber)),
    /** The newest order that another tab paid for from this draft; `own` are the numbers of this one. */
    before: (draftId: string, own: readonly string[]): PlacedOrder | undefined =>
      recent().findLast((order) => order.draftId === draftId && !own.includes(order.orderNumber)),
  };
}

function storedIn(text: string | null): PlacedOrder[] {
  if (text === null) return [];
  try {
    const parsed = z.array(placedOrder).safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : [];
  } catch {
    // Not JSON: written by something else. The next charge replaces it.
    return [];
  }
}

const minuteMs = 60_000;
const inWords = new Intl.RelativeTimeFormat("en-GB");

/** How long ago, in minutes, from an hour on in hours. */
export function agoInWords(ms: number): string {
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 1) return "less than a minute ago";
  return minutes < 60
    ? inWords.format(-minutes, "minute")
    : inWords.format(-Math.floor(minutes / 60), "hour");
}
