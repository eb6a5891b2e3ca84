import { useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { type ConfirmedOrder, lookUpContact } from "../../../contract/orders/tracking.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { arrivalBy } from "../../../domain/promise/timetable.ts";
import { ApiError } from "../../api/problem.ts";
import { sendUntilFresh } from "../../api/send.ts";
import { type Finished, finishOrder } from "../../ordering/checkout/finish-order.ts";
import { attempts, clearOrder } from "../../ordering/current-order.ts";
import { confirmationOf, pages, trackingOf } from "../../paths.ts";
import { londonDay, longDay } from "../../ui/dates.ts";
import { OrderNumber } from "../../ui/order-facts.tsx";
import { PageHeading } from "../../ui/page-heading.tsx";
import { toasts } from "../../ui/toasts/toasts.ts";
import { notLoaded, OrderStatus, OrdersTogether } from "./orders-together.tsx";

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
      toasts.show({ title: "Payment Failed", description: notApproved, variant: "destructive" });
      void navigate(pages.order, { replace: true, state: { step: 5, refusal: notApproved } });
    };
    if (failed) {
      askAgain();
      return;
    }
    void finishOnce(secret).then((finished) => {
      if (finished.state === "unpaid") return askAgain();
      setDone(true);
      void navigate(confirmationOf(finished.state === "placed" ? finished.orderNumber : orderNumber), {
        replace: true,
      });
    });
  }, [secret, failed, orderNumber, navigate]);
  return secret !== null && !done;
}

const notApproved = "Your bank did not approve the payment. Please try again, or use another card.";

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
    // Until the payment is in the read model it would say that the order is not paid.
    ([, orderNumber]) => sendUntilFresh(lookUpContact, { params: { orderNumber } }),
    { revalidateOnMount: true },
  );

const deleted = "Deleted, as promised";

/** Heading and first sentence. An unpaid or ended order is not confirmed. */
const openings: Readonly<Record<string, readonly [heading: string, lead: string]>> = {
  Pending: ["Order Not Paid", "We haven’t received your payment yet. We won’t send anything until we do."],
  Fulfilled: ["Order Confirmed", "Your certificate is on its way to you by post."],
  Cancelled: ["Order Cancelled", "This order has been cancelled."],
  Failed: ["Order Failed", "We couldn’t complete this order."],
};

const confirmed = ["Order Confirmed", "A confirmation is on its way to you by email."] as const;

function Lead({ order: { status, recipientName } }: { order: ConfirmedOrder }) {
  const [, lead] = openings[status] ?? confirmed;
  if (status !== "Fulfilled" || recipientName === null) return <>{lead}</>;
  return (
    <>
      Your certificate is on its way to <span translate="no">{recipientName}</span> by post.
    </>
  );
}

/** The order number, and the order's details. */
function ConfirmedOrderView({ order }: { order: ConfirmedOrder }) {
  const isOne = order.orderedTogether.length === 0;
  const facts = [
    ["Order date", londonDay(order.createdAt)],
    ["Total", isOne ? formatPounds(Math.round(order.totalAmount * 100)) : null],
    ["Ordered by", order.contactFullName ?? deleted],
    ["Email", order.email ?? deleted],
    ["Recipient", order.recipientName],
    ["Your reference", order.customerReference],
  ] as const;
  const [heading] = openings[order.status] ?? confirmed;
  return (
    <div className="page-width py-12 md:py-16">
      <PageHeading title={heading}>{heading}</PageHeading>
      <p className="mt-4 max-w-measure text-18 text-muted">
        <Lead order={order} />{" "}
        {isOne
          ? "Keep your order number: it is all you need to track your order."
          : "Keep your order numbers: they are all you need to track your orders."}
      </p>
      {order.promise && order.status === "Processing" && (
        <p className="mt-3 max-w-measure text-18">
          Expected despatch by{" "}
          <strong className="font-[600] sm:whitespace-nowrap">{longDay(order.promise.despatchBy)}</strong>,
          likely to arrive by{" "}
          <strong className="font-[600] sm:whitespace-nowrap">
            {longDay(arrivalBy(order.promise.despatchBy))}
          </strong>
          .
        </p>
      )}
      <section
        aria-label="Your order"
        className="card mt-8 max-w-form rounded-4 border border-hairline bg-surface p-5 sm:p-7"
      >
        {isOne ? <OneOrder orderNumber={order.orderNumber} /> : <OrdersTogether order={order} />}
        <dl className="mt-6">
          {isOne && (
            <Row name="Status">
              <OrderStatus status={order.status} />
            </Row>
          )}
          {facts.map(
            ([name, answer]) =>
              answer !== null && (
                <Row key={name} name={name}>
                  <span
                    // "Deleted, as promised" is ours; all else here is the customer's own, or a figure.
                    translate={answer === deleted ? "yes" : "no"}
                    className={name === "Total" ? "figures" : "wrap-anywhere"}
                  >
                    {answer}
                  </span>
                </Row>
              ),
          )}
        </dl>
      </section>
      <NextSteps orderNumber={isOne ? order.orderNumber : null} />
    </div>
  );
}

function OneOrder({ orderNumber }: { orderNumber: string }) {
  return (
    <>
      <p className="text-muted">Order number</p>
      <OrderNumber orderNumber={orderNumber} />
    </>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="border-t border-hairline py-2.5 sm:grid sm:grid-cols-[9rem_1fr] sm:items-baseline">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** Of several orders, each is tracked from its own place. */
function NextSteps({ orderNumber }: { orderNumber: string | null }) {
  return (
    <nav aria-label="Next" className="no-print mt-8 flex flex-wrap items-center gap-x-6 gap-y-4">
      {orderNumber !== null && (
        <Link className="button button-primary" to={trackingOf(orderNumber)}>
          Track My Order
        </Link>
      )}
      <Link className="button button-outlined" to={pages.support}>
        Contact Support
      </Link>
      <button type="button" className="link min-h-11 cursor-pointer font-[600]" onClick={() => print()}>
        Print
      </button>
      <Link className="link inline-flex min-h-11 items-center font-[600]" to={pages.home}>
        Back to Home
      </Link>
    </nav>
  );
}

/** While the order is loaded or finished. */
function ConfirmationWaiting({ words }: { words: string }) {
  return (
    <div className="page-width py-16" role="status">
      <PageHeading title={words}>{words}</PageHeading>
      <p className="mt-5 flex items-center gap-3 text-muted">
        <span className="spinner" aria-hidden="true" />
        One moment, please.
      </p>
    </div>
  );
}

interface ProblemProps {
  words: string;
  /** Suggestions for another attempt. */
  onRetry?: () => void;
}

/** Why there is no order to show. */
function ConfirmationProblem({ words, onRetry }: ProblemProps) {
  return (
    <div className="page-width py-16">
      <PageHeading title="Order confirmation">We cannot show this order</PageHeading>
      <p role="alert" className="mt-4 max-w-measure text-18">
        {words}
      </p>
      <div className="mt-8 flex flex-wrap gap-4">
        {onRetry && (
          <button type="button" className="button button-primary" onClick={onRetry}>
            Try Again
          </button>
        )}
        <Link className={`button ${onRetry ? "button-outlined" : "button-primary"}`} to={pages.home}>
          Return to Home
        </Link>
        <Link className="button button-outlined" to={pages.lookup}>
          Order Lookup
        </Link>
      </div>
    </div>
  );
}
