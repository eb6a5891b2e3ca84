import { useSearchParams } from "react-router-dom";
import { useOrderByNumber } from "../../api/get-order-by-number.ts";
import { ApiError } from "../../api/problem.ts";
import { ConfirmationProblem, ConfirmationWaiting } from "./confirmation-problem.tsx";
import { ConfirmedOrderView } from "./confirmed-order-view.tsx";
import { usePaymentReturn } from "./use-payment-return.ts";

/** /order-confirmation: the order one has just made; also where the bank's check of a card comes back to. */
export default function ConfirmationPage() {
  const [parameters] = useSearchParams();
  const orderNumber = parameters.get("orderNumber") || null;
  const finishing = usePaymentReturn(parameters);
  const { data: order, error, isLoading } = useOrderByNumber(finishing ? null : orderNumber);
  if (finishing) return <ConfirmationWaiting words="Finishing your order" />;
  if (orderNumber === null) return <ConfirmationProblem words="No order number provided" />;
  if (error) return <ConfirmationProblem words={wordsFor(error)} />;
  if (isLoading || !order) return <ConfirmationWaiting words="Loading your order" />;
  return <ConfirmedOrderView order={order} />;
}

function wordsFor(error: unknown): string {
  const unknown = error instanceof ApiError && error.status === 404;
  return unknown ? "Order not found. Please check your order number." : "Failed to load order information";
}
