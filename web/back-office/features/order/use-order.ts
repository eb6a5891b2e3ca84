import { useRef, useState } from "react";
import useSWR from "swr";
import { showOrderPage } from "../../../../contract/order-desk/order-page.ts";
import { showTimeline } from "../../../../contract/order-desk/timeline.ts";
import { addressOf } from "../../../../contract/request.ts";
import { send } from "../../../api/send.ts";
import { useUpdates } from "../../use-updates.ts";
import { timelineOf } from "./timeline-requests.ts";

const fresh = { revalidateIfStale: true };

/** An order with its timeline, both read again as soon as something happens to it. */
export function useOrder(orderNumber: string) {
  const params = { orderNumber };
  const page = useSWR(addressOf(showOrderPage, params), () => send(showOrderPage, { params }), fresh);
  const timeline = useSWR(addressOf(showTimeline, params), () => timelineOf(orderNumber), fresh);
  const refresh = async (): Promise<number | undefined> => {
    const [now] = await Promise.all([page.mutate(), timeline.mutate()]);
    return now?.revision;
  };
  const orderId = page.data?.orderId;
  const follow = useOneAtATime(refresh);
  useUpdates(["orders"], ({ key }) => {
    if (key === null || key === orderId) void follow();
  });
  const entries = timeline.data?.entries;
  // Two answers, two moments: until both are there and agree on an event, the older of them counts.
  const known =
    page.data && entries ? { order: page.data, entries: entries.slice(0, page.data.revision + 1) } : null;
  return { known, failure: page.error ?? timeline.error, refresh };
}

/** Reads, and what is asked for meanwhile is read once more afterwards: an order that is submitted changes a dozen times in a second. */
function useOneAtATime(read: () => Promise<unknown>): () => Promise<void> {
  const state = useRef({ reading: false, again: false });
  return async function readOnce(): Promise<void> {
    const now = state.current;
    now.again = now.reading;
    if (now.reading) return;
    now.reading = true;
    // A failure is shown by what was read, which keeps it.
    await read().catch(() => undefined);
    now.reading = false;
    if (now.again) await readOnce();
  };
}

/** Which moment is looked at: the newest as it comes, or an event that was chosen. */
export function useAsOf(last: number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const lookAt = (revision: number | null): void => setChosen(revision === last ? null : revision);
  return { asOf: chosen === null ? last : Math.min(chosen, last), isNow: chosen === null, lookAt };
}
