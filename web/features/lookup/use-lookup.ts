import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { enterByLink, lookUpOrder, type TrackedOrder } from "../../../contract/orders/tracking.ts";
import { ApiError } from "../../api/problem.ts";
import { notePosition } from "../../api/request.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";
import { toasts } from "../../ui/toasts/toasts.ts";
import { followOrder } from "./order-updates.ts";

const lookUp = (orderNumber: string) => send(lookUpOrder, { body: { orderNumber } });

/** The result of the last search. */
export type LookupResult =
  | { state: "none" }
  | { state: "searching"; order: TrackedOrder | null }
  | { state: "found"; order: TrackedOrder }
  | { state: "unreachable"; orderNumber: string };

export type Lookup = ReturnType<typeof useLookup>;

/** Finds orders by number; a link with `?order=` searches automatically, after exchanging its key. */
export function useLookup() {
  const [result, setResult] = useState<LookupResult>({ state: "none" });
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const linked = parameters.get("order");
  const key = parameters.get("key");

  const search = async (orderNumber: string): Promise<void> => {
    setResult((before) => ({ state: "searching", order: before.state === "found" ? before.order : null }));
    try {
      setResult({ state: "found", order: await lookUp(orderNumber) });
    } catch (failure) {
      setResult(isOurFault(failure) ? { state: "unreachable", orderNumber } : { state: "none" });
      if (!isOurFault(failure)) sayNotFound();
    }
  };

  /** Refreshes the order silently; on failure it stays as it is. */
  const refresh = async (): Promise<void> => {
    if (result.state !== "found") return;
    const { orderNumber } = result.order;
    const order = await lookUp(orderNumber).catch(() => null);
    if (order) setResult((before) => (shows(before, orderNumber) ? { state: "found", order } : before));
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is followed once, when it is opened.
  useEffect(() => {
    if (linked === null) return;
    void enter(linked, key)
      // The key must not stay in the URL, where it would be shared.
      .then(() =>
        key === null
          ? undefined
          : navigate(`${pages.lookup}?order=${encodeURIComponent(linked)}`, { replace: true }),
      )
      .then(() => search(linked));
  }, [linked]);

  const live = useLiveOrder(shownNumber(result), refresh);
  return { result, search, refresh, linked, live };
}

/** The order to follow: none once it is fulfilled, since nothing more happens. */
function shownNumber(result: LookupResult): string | null {
  const order = result.state === "found" || result.state === "searching" ? result.order : null;
  return order && order.status !== "Fulfilled" ? order.orderNumber : null;
}

const shows = (result: LookupResult, orderNumber: string): boolean =>
  result.state === "found" && result.order.orderNumber === orderNumber;

async function enter(orderNumber: string, key: string | null): Promise<void> {
  if (key === null) return;
  await send(enterByLink, { body: { orderNumber, key } }).catch((failure: unknown) => {
    const expired = failure instanceof ApiError && failure.status === 410;
    if (!expired) return;
    toasts.show({
      title: "This link has expired",
      description: "You can still see your order’s progress. Write to us if you need to change something.",
    });
  });
}

/** A server fault or lost connection is not "not found", and can be retried. */
const isOurFault = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || failure.status >= 500 || failure.status === 429;

function sayNotFound(): void {
  toasts.show({
    title: "We can't find that order",
    description: "If you can't find your order number, please contact support.",
    variant: "destructive",
  });
}

/**
 * Refreshes an order whenever it changes, while the page is visible and `orderNumber` is not null. Changes during a
 * refresh are read together afterwards. @returns whether it is following
 */
function useLiveOrder(orderNumber: string | null, read: () => Promise<void>): boolean {
  const [live, setLive] = useState(false);
  const readNow = useEffectEvent(read);
  useEffect(() => {
    if (orderNumber === null) return;
    let reading = false;
    let again = false;
    const changed = async (): Promise<void> => {
      again = reading;
      if (reading) return;
      reading = true;
      await readNow();
      reading = false;
      if (again) await changed();
    };
    return followOrder(orderNumber, {
      live: setLive,
      changed: (position) => {
        notePosition(position);
        void changed();
      },
    });
  }, [orderNumber]);
  return live;
}
