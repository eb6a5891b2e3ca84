import { useState } from "react";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { newsOf, newsOfCancellation } from "./news-of-history.ts";

/** Reads out, politely, what has happened to the order since it was opened. It is seen in the history, so not here. */
export function ChangeNews({ order }: { order: TrackedOrder }) {
  const [seen, setSeen] = useState(order);
  const [news, setNews] = useState("");
  if (seen !== order) {
    setSeen(order);
    const gained = seen.orderNumber === order.orderNumber ? newsSince(seen, order) : "";
    if (gained !== "") setNews(gained);
  }
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  );
}

const newsSince = (seen: TrackedOrder, now: TrackedOrder): string =>
  [newsOfCancellation(seen, now), newsOf(seen.statusHistory, now.statusHistory)].filter(Boolean).join(" ");
