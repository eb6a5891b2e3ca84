import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { beginAnother } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { send } from "../../api/send.ts";
import { pages } from "../../paths.ts";

/** For its holder: another order with the same contact and choices, for which only the person is asked. */
export function OrderAnother({ order: { id, statusHistory } }: { order: TrackedOrder }) {
  const navigate = useNavigate();
  const [state, setState] = useState<"idle" | "starting" | "failed">("idle");
  if (id === null || !statusHistory.some(({ status }) => status === "Processing")) return null;
  async function start(orderId: string): Promise<void> {
    if (state === "starting") return;
    setState("starting");
    try {
      const [other, { draftLike }, { startAfresh }] = await Promise.all([
        send(beginAnother, { params: { id: orderId } }),
        import("./another-draft.ts"),
        import("../../ordering/checkout/start-afresh.ts"),
      ]);
      startAfresh(draftLike(other));
      navigate(pages.order);
    } catch {
      setState("failed");
    }
  }
  return (
    <div className="no-print mt-8">
      <button
        type="button"
        className="button button-outlined"
        aria-disabled={state === "starting" || undefined}
        onClick={() => void start(id)}
      >
        Order Another Like This
      </button>
      <p className="mt-2 max-w-measure text-14 text-muted">
        With your details and the same choices: we only ask for the person on the certificate.
      </p>
      {state === "failed" && (
        <p role="alert" className="mt-2 max-w-measure text-danger">
          We could not start another order. Check your connection, and try again.
        </p>
      )}
    </div>
  );
}
