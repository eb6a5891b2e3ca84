import { Link } from "react-router-dom";
import type { OrderPage, OrderedTogether as Together } from "../../../../contract/staff-orders/order-page.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { adminPages } from "../../paths.ts";
import { Panel } from "../../ui/page-parts.tsx";
import { Money, Status, When } from "../../ui/values.tsx";

/** The orders of one payment, with the share of each. */
export function OrderedTogether({ order }: { order: OrderPage }) {
  const { orderNumber, orderedTogether, unassignedRefunds } = order;
  if (orderedTogether === null) return null;
  const { checkoutId, orders, ...all } = orderedTogether;
  return (
    <Panel
      title="Ordered together"
      className="mt-6"
      actions={
        <Link className="link" to={adminPages.ordersOfCheckout(checkoutId)}>
          Show in the list
        </Link>
      }
    >
      <p>{all.paidPence === 0 ? "Nothing paid yet." : <Sums {...all} paid="paid in all" />}</p>
      {unassignedRefunds.map(({ providerRefundId, amountPence, at }) => (
        <p key={providerRefundId} className="mt-3 border-l-3 border-pending pl-3">
          A refund of <Money pence={amountPence} />, made at the provider and noticed on{" "}
          <When at={at} show="day" />, names no order. Nothing else is refunded until it is assigned.
        </p>
      ))}
      <ul className="mt-3 flex flex-col gap-3">
        {orders.map((one) => (
          <li key={one.id}>
            <Line order={one} isOwn={one.orderNumber === orderNumber} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Line({ order, isOwn }: { order: Together["orders"][number]; isOwn: boolean }) {
  const { orderNumber, status, phase, certificateType, copies, serviceLevel, ...share } = order;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        {isOwn ? (
          <span className="figures whitespace-nowrap">{orderNumber}</span>
        ) : (
          <Link translate="no" className="link figures whitespace-nowrap" to={adminPages.order(orderNumber)}>
            {orderNumber}
          </Link>
        )}
        <Status status={status} />
        {phase !== status && <span className="text-13 text-muted">{phaseWords(phase)}</span>}
      </p>
      <p className="text-13 text-muted">
        {isOwn && "This order: "}
        {certificateType !== null && `${certificateType} × ${copies}, ${serviceLevel}`}
        {share.paidPence > 0 && (
          <>
            {" · "}
            <Sums {...share} paid="paid" />
          </>
        )}
      </p>
    </>
  );
}

interface SumsProps {
  readonly paidPence: number;
  readonly wentBackPence: number;
  readonly paid: string;
}

/** '£45.00 paid, £20.00 went back' */
const Sums = ({ paidPence, wentBackPence, paid }: SumsProps) => (
  <>
    <Money pence={paidPence} /> {paid}
    {wentBackPence > 0 && (
      <>
        , <Money pence={wentBackPence} /> went back
      </>
    )}
  </>
);
