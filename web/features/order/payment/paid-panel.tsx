import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { showOrder } from "../../../../contract/orders/tracking.ts";
import { call } from "../../../api/send.ts";
import {
  clearOrder,
  type Finished,
  redirectAfterMs,
  sayUnfinished,
} from "../../../ordering/checkout/finish-order.ts";
import type { OrderAttempt } from "../../../ordering/checkout/order-attempt.ts";
import { confirmationOf, pages } from "../../../paths.ts";
import { toasts } from "../../../ui/toasts/toasts.ts";
import { Panel } from "./panel.tsx";

interface PaidPanelProps {
  attempt: OrderAttempt;
  finishing: Promise<Finished>;
}

/** Shown after the charge; moves on to the confirmation automatically. */
export function PaidPanel({ attempt, finishing }: PaidPanelProps) {
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let here = true;
    const leaveFor = (page: string): void => {
      timer = setTimeout(() => {
        navigate(page, { replace: true });
        clearOrder();
      }, redirectAfterMs);
    };
    void finishing.then((finished) => {
      if (!here) return;
      if (attempt.orderId === null) return leaveFor(pages.home);
      if (finished.state === "placed") return leaveFor(confirmationOf(finished.orderNumber));
      // The provider confirmed the charge to this page, so the card is not requested again.
      if (finished.state === "unpaid") sayUnfinished();
      setFailed(true);
    });
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [finishing, attempt, navigate]);
  return (
    <Panel title="Payment Successful" tone="done">
      <p>
        {failed
          ? "We’ve received your payment. We’ll complete your order and email you."
          : "Thank you. We’re placing your order; your confirmation will open in a moment."}
      </p>
      <button
        type="button"
        className="button button-primary"
        onClick={() => void viewOrder(attempt, navigate)}
      >
        View Order Details
      </button>
    </Panel>
  );
}

/** An answer without a number still means that the order exists. */
const numbered = z.object({ orderNumber: z.catch(z.string(), "unknown") });

async function orderAt(id: string): Promise<{ orderNumber: string }> {
  const response = await call(showOrder, { params: { id } });
  return numbered.parse(await response.json());
}

async function viewOrder(attempt: OrderAttempt, navigate: (page: string) => void): Promise<void> {
  const found = attempt.orderId === null ? null : await orderAt(attempt.orderId).catch(() => null);
  if (found && found.orderNumber !== "unknown") {
    navigate(confirmationOf(found.orderNumber));
    return clearOrder();
  }
  toasts.show({
    title: "Error",
    description: "Could not retrieve order details. Please contact support.",
    variant: "destructive",
  });
  if (found) return;
  navigate(pages.home);
  clearOrder();
}
