import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { useKeyOfLink } from "../../mailed-link.ts";
import { onDemand } from "../../rendering/hydration.tsx";
import { toasts } from "../../ui/toasts/toasts.ts";
import { mayChange, useLiveOrder } from "./live-order.ts";

export const trackedOrder = onDemand(() => import("./tracked-order-view.tsx"));

/** What a search needs. Loaded when the field is entered, because most of it is the order's own page. */
export async function loadSearch() {
  const [requests] = await Promise.all([import("./lookup-requests.ts"), trackedOrder.load()]);
  return requests;
}

/** The result of the last search. */
type LookupResult =
  | { state: "none" }
  | { state: "not found"; orderNumber: string }
  | { state: "searching"; order: TrackedOrder | null }
  | { state: "found"; order: TrackedOrder }
  | Unanswered;

/** A search without an answer. */
export type Unanswered = {
  state: "unanswered";
  orderNumber: string;
  /** Scripts that could not be loaded are asked for again only after a reload. */
  cause: "script" | "server" | "too many";
  /** As it was found before, if this search was for the same. */
  order: TrackedOrder | null;
};

export type Lookup = ReturnType<typeof useLookup>;

/** Where the tab keeps the key of an order's link until it is exchanged, so that a reload can try again. */
const keptKey = (orderNumber: string): string => `order-key ${orderNumber}`;

/** The order with a number, once the key of its link is exchanged; otherwise why there is none. */
async function find(orderNumber: string): Promise<TrackedOrder | "not found" | Unanswered["cause"]> {
  const requests = await loadSearch().catch(() => null);
  if (requests === null) return "script";
  const key = sessionStorage.getItem(keptKey(orderNumber));
  if (key !== null) {
    const cause = await requests.enter(orderNumber, key);
    if (cause !== null) return cause;
    sessionStorage.removeItem(keptKey(orderNumber));
  }
  return requests.lookUp(orderNumber).catch((failure) => requests.whyUnanswered(failure) ?? "not found");
}

/** Finds orders by number; a link with `?order=` searches automatically. Its key is exchanged before the search. */
export function useLookup() {
  const [result, setResult] = useState<LookupResult>({ state: "none" });
  const [parameters] = useSearchParams();
  const linked = parameters.get("order");
  const hasKey = useKeyOfLink(({ key }) => {
    if (linked !== null) sessionStorage.setItem(keptKey(linked), key);
  });

  const newest = useRef(0);
  const search = async (orderNumber: string): Promise<void> => {
    newest.current += 1;
    const turn = newest.current;
    setResult((before) => ({ state: "searching", order: orderIn(before) }));
    const found = await find(orderNumber);
    // A late answer must not replace that of a later search.
    if (turn !== newest.current) return;
    if (found === "not found") {
      setResult({ state: "not found", orderNumber });
      sayNotFound();
    } else if (typeof found === "string") {
      setResult((before) => ({
        state: "unanswered",
        orderNumber,
        cause: found,
        order: shows(before, orderNumber) ? orderIn(before) : null,
      }));
    } else setResult({ state: "found", order: found });
  };

  /** Refreshes the order silently; on failure it stays as it is. */
  const refresh = async (): Promise<void> => {
    const orderNumber = orderIn(result)?.orderNumber;
    if (orderNumber === undefined) return;
    const order = await loadSearch()
      .then(({ lookUp }) => lookUp(orderNumber))
      .catch(() => null);
    if (order) setResult((before) => (shows(before, orderNumber) ? { state: "found", order } : before));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is followed once, when it is opened.
  useEffect(() => {
    if (linked !== null && !hasKey) void search(linked);
  }, [linked, hasKey]);

  const live = useLiveOrder(shownNumber(result), refresh);
  return { result, search, refresh, linked, live };
}

/** The order to follow: none once its certificate has arrived, or counts as arrived. */
function shownNumber(result: LookupResult): string | null {
  const order = orderIn(result);
  return order && mayChange(order) ? order.orderNumber : null;
}

/** The order that is shown, perhaps as it was before. */
export const orderIn = (result: LookupResult): TrackedOrder | null =>
  "order" in result ? result.order : null;

function shows(result: LookupResult, orderNumber: string): boolean {
  const order = orderIn(result);
  return order !== null && isSameNumber(order.orderNumber, orderNumber);
}

/** However the numbers are written. */
export const isSameNumber = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (orderNumber: string): string => orderNumber.toUpperCase().replace(/[^0-9A-Z]/g, "");

function sayNotFound(): void {
  toasts.show({
    title: "We can't find that order",
    description: "If you can't find your order number, please contact support.",
    variant: "destructive",
  });
}
