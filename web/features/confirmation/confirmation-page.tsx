import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { lookUpContact } from "../../../contract/orders/tracking.ts";
import { ApiError } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { attempts } from "../../ordering/checkout/attempts.ts";
import { clearOrder, type Finished, finishOrder } from "../../ordering/checkout/finish-order.ts";
import { confirmationOf, pages } from "../../paths.ts";
import { toasts } from "../../ui/toasts/toasts.ts";
import { ConfirmationProblem, ConfirmationWaiting, ConfirmedOrderView } from "./confirmed-order-view.tsx";

/** /order-confirmation: the order just placed; also the return address of the bank's card check. */
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

/** Runs by client secret: React runs effects twice, and an order is finished once. */
const underWay = new Map<string, Promise<Finished>>();

/**
 * Finishes an order after the bank's card check (3-D Secure), as after a success in the page, then cleans the URL. A
 * failed check leads back to step 5. @returns true while this is in progress
 */
function usePaymentReturn(parameters: URLSearchParams): boolean {
  const secret = parameters.get("payment_intent_client_secret");
  const failed = parameters.get("redirect_status") === "failed";
  const orderNumber = parameters.get("orderNumber") ?? "";
  const navigate = useNavigate();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (secret === null) return;
    const askAgain = (): void => {
      sayNotApproved();
      navigate(pages.order, { replace: true, state: { step: 5 } });
    };
    if (failed) {
      askAgain();
      return;
    }
    void finishOnce(secret).then((finished) => {
      if (finished.state === "unpaid") return askAgain();
      setDone(true);
      navigate(confirmationOf(finished.state === "placed" ? finished.orderNumber : orderNumber), {
        replace: true,
      });
    });
  }, [secret, failed, orderNumber, navigate]);
  return secret !== null && !done;
}

function sayNotApproved(): void {
  toasts.show({
    title: "Payment Failed",
    description: "Your bank did not approve the payment. Please try again, or use another card.",
    variant: "destructive",
  });
}

function finishOnce(secret: string): Promise<Finished> {
  const known = underWay.get(secret) ?? finish(secret);
  underWay.set(secret, known);
  return known;
}

/** Without this payment's attempt, as in another tab, the provider's webhook completes the order on the server. */
async function finish(secret: string): Promise<Finished> {
  const attempt = attempts.read();
  if (attempt?.clientSecret !== secret) return { state: "unfinished" };
  const finished = await finishOrder(attempt);
  if (finished.state === "placed") clearOrder();
  else underWay.delete(secret);
  return finished;
}

/** Looks the number up once, unless it is null. Name and email are masked except for the order's holder. */
const useOrderByNumber = (orderNumber: string | null) =>
  useSWR(
    orderNumber === null ? null : ["order", orderNumber],
    ([, orderNumber]) => send(lookUpContact, { params: { orderNumber } }),
    { revalidateOnMount: true },
  );
