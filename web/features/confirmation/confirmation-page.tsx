import { useSearchParams } from "react-router-dom";
import { ApiError } from "../../api/problem.ts";
import { ConfirmationProblem, ConfirmationWaiting } from "./confirmation-problem.tsx";
import { ConfirmedOrderView } from "./confirmed-order-view.tsx";
import { useOrderByNumber } from "./use-order-by-number.ts";
import { usePaymentReturn } from "./use-payment-return.ts";

/** /order-confirmation: the order one has just made; also where the bank's check of a card comes back to. */
export default function ConfirmationPage() {
  const [parameters] = useSearchParams();
  const orderNumber = parameters.get("orderNumber") || null;
  const finishing = usePaymentReturn(parameters);
  const { data: order, error, isLoading, mutate } = useOrderByNumber(finishing ? null : orderNumber);
  if (finishing) return <ConfirmationWaiting words="Finishing your order" />;
  if (orderNumber === null) return <ConfirmationProblem words="No order number provided" />;
  if (isUnknown(error))
    return <ConfirmationProblem words="Order not found. Please check your order number." />;
  if (error && !isLoading) return <ConfirmationProblem words={notLoaded} onRetry={() => void mutate()} />;
  if (isLoading || !order) return <ConfirmationWaiting words="Loading your order" />;
  return <ConfirmedOrderView order={order} />;
}

const notLoaded = "Failed to load order information";

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
