import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { customerWording } from "../../../domain/order/status.ts";
import { londonMoment } from "../../ui/dates.ts";

/** The history as a vertical line, newest first, each entry a plain sentence with its time. */
export function OrderHistory({ history }: { history: TrackedOrder["statusHistory"] }) {
  if (history.length === 0) return null;
  return (
    <section aria-labelledby="history" className="mt-7">
      <h3 id="history" className="sr-only">
        History
      </h3>
      <ol>
        {history.map(({ status, text, timestamp }, index) => (
          <li key={`${timestamp}${text ?? status}`} className="history-entry" data-newest={index === 0}>
            <p className="font-[600]">{text ?? customerWording(status)}</p>
            <time dateTime={timestamp} className="text-14 text-muted">
              {londonMoment(timestamp)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
