import { useState } from "react";
import { cancelOrder } from "../../api/cancel-order.ts";
import type { TrackedOrder } from "../../api/look-up-order.ts";
import { ApiError } from "../../api/problem.ts";

type Stage = "offered" | "asked" | "cancelling" | "refused";

/** Cancelling by oneself while it is possible; otherwise why it is not. */
export function CancelOrder({ order, onCancelled }: { order: TrackedOrder; onCancelled: () => void }) {
  const [stage, setStage] = useState<Stage>("offered");
  const [problem, setProblem] = useState("");
  if (order.canCancel !== true || !order.id) {
    return order.status === "Processing" && order.canCancel === false && order.receipt ? (
      <p className="text-14 text-muted lg:max-w-60 lg:text-right">
        Cancelling is no longer possible: the GRO has your application.
      </p>
    ) : null;
  }
  const cancel = async (id: string): Promise<void> => {
    setStage("cancelling");
    try {
      // One key an order: pressing twice cancels once.
      await cancelOrder(id, "customerRequest", `cancel-${id}`);
      onCancelled();
    } catch (failure) {
      setProblem((failure instanceof ApiError && failure.detail) || "Please try again.");
      setStage("refused");
    }
  };
  const { id } = order;
  if (stage === "offered") {
    return (
      <button
        type="button"
        className="button button-small button-outlined no-print"
        onClick={() => setStage("asked")}
      >
        Cancel Order
      </button>
    );
  }
  return (
    <fieldset className="no-print max-w-sm">
      <legend className="font-[600]">Cancel this order? What you have paid is refunded in full.</legend>
      {stage === "refused" && (
        <p role="alert" className="mt-1 text-danger">
          The order was not cancelled. {problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <button
          type="button"
          className="button button-small button-primary"
          aria-disabled={stage === "cancelling" || undefined}
          onClick={() => {
            if (stage !== "cancelling") void cancel(id);
          }}
        >
          {stage === "cancelling" ? "Cancelling..." : "Yes, Cancel Order"}
        </button>
        <button
          type="button"
          className="button button-small button-outlined"
          onClick={() => setStage("offered")}
        >
          Keep Order
        </button>
      </div>
    </fieldset>
  );
}
