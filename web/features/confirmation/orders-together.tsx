import { Link } from "react-router-dom";
import useSWR from "swr";
import { type ConfirmedOrder, lookUpOrder, type TrackedOrder } from "../../../contract/orders/tracking.ts";
import { badgeOf, customerWording } from "../../../domain/order/status.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { sendUntilFresh } from "../../api/send.ts";
import { trackingOf } from "../../paths.ts";
import { OrderNumber, StatusBadge } from "../../ui/order-facts.tsx";

/** The numbers of the orders that one payment was for, this one first. */
const numbersOf = ({ orderNumber, orderedTogether }: ConfirmedOrder): string[] => [
  orderNumber,
  ...orderedTogether.map((other) => other.orderNumber),
];

/** Each order of one payment: its number, the way to track it, and, once known, what it is for. */
export function OrdersTogether({ order }: { order: ConfirmedOrder }) {
  const numbers = numbersOf(order);
  const {
    data: orders,
    error,
    isLoading,
    mutate,
  } = useSWR(["orders", ...numbers], () => Promise.all(numbers.map(lookUp)));
  return (
    <>
      <h2 className="text-22">Your orders</h2>
      <p className="mt-1 text-muted">Each certificate has its own order number.</p>
      <ul className="mt-4">
        {numbers.map((number, index) => (
          <li key={number} className="border-t border-hairline py-4">
            <OrderNumber orderNumber={number} isSmall />
            <div className="mt-1 min-h-7">{orders?.[index] && <Facts order={orders[index]} />}</div>
            <Link className="link no-print inline-flex min-h-11 items-center" to={trackingOf(number)}>
              Track<span className="sr-only"> order {number}</span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="leader dotted-rule pt-3 text-18 font-[600]">
        <span>Total</span>
        <span className="figures min-h-7">{orders && formatPounds(totalPenceOf(orders))}</span>
      </p>
      {error && !isLoading && (
        <div className="mt-3">
          <p role="alert" className="text-danger">
            {notLoaded}
          </p>
          <button
            type="button"
            className="button button-small button-outlined no-print mt-2"
            onClick={() => void mutate()}
          >
            Try Again
          </button>
        </div>
      )}
    </>
  );
}

export const notLoaded = "Failed to load order information";

const lookUp = (orderNumber: string): Promise<TrackedOrder> =>
  sendUntilFresh(lookUpOrder, { body: { orderNumber } });

const totalPenceOf = (orders: readonly TrackedOrder[]): number =>
  orders.reduce((sum, { total }) => sum + Math.round(total * 100), 0);

function Facts({ order: { items, status, total } }: { order: TrackedOrder }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {items.length > 0 && <span>{items.join(", ")}</span>}
      <span className="figures">{formatPounds(Math.round(total * 100))}</span>
      <OrderStatus status={status} />
    </p>
  );
}

/** On this page an order in progress is amber. */
export const OrderStatus = ({ status }: { status: string }) => (
  <StatusBadge
    status={status}
    words={customerWording(status)}
    colour={status === "Processing" ? "yellow" : badgeOf(status)}
  />
);
