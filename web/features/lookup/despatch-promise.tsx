import type { TrackedOrder } from "../../api/look-up-order.ts";
import { longDay } from "../../ui/dates.ts";

/** The promise as one sentence with a date, while it still means something. */
export function DespatchPromise({ order }: { order: TrackedOrder }) {
  const { promise, status } = order;
  if (!promise || status === "Cancelled" || status === "Failed") return null;
  if (status === "Fulfilled") return <h3 className="text-28">Your certificate is on its way</h3>;
  return (
    <>
      <h3 className="text-28">Expected despatch by {longDay(promise.despatchBy)}</h3>
      {promise.receivedOn && (
        <p className="mt-2 max-w-measure text-muted">
          Counted from {longDay(promise.receivedOn)}, the working day that is the General Register Office’s
          first with your application.
        </p>
      )}
    </>
  );
}
