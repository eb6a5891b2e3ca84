import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { customerWording } from "../../../domain/order/status.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { trackingOf } from "../../paths.ts";
import { askToCancel, useFocusOnceKept, whyNotCancelled } from "./holder-tasks.tsx";
import { lookUpTogether } from "./lookup-requests.ts";

/** For the holder: the other orders of the same payment. */
export function OrderedTogether({ order: { orderedTogether } }: { order: TrackedOrder }) {
  if (orderedTogether.length === 0) return null;
  return (
    <section aria-labelledby="ordered-together" className="mt-4">
      <h3 id="ordered-together" className="font-text text-14 font-[400] tracking-normal text-muted">
        Ordered together
      </h3>
      <ul className="mt-1 flex flex-wrap gap-x-6">
        {orderedTogether.map(({ orderNumber }) => (
          <li key={orderNumber}>
            <NumberLink orderNumber={orderNumber} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const NumberLink = ({ orderNumber }: { orderNumber: string }) => (
  <Link className="link figures inline-flex min-h-8 items-center" to={trackingOf(orderNumber)}>
    {orderNumber}
  </Link>
);

/** What became of one order. */
interface Outcome {
  readonly orderNumber: string;
  readonly words: string;
  /** Whether the answer was lost. */
  readonly unknown?: boolean;
}

type Stage =
  | { readonly name: "offered" | "reading" | "failed" }
  | { readonly name: "asked" | "cancelling"; readonly orders: readonly TrackedOrder[] }
  | { readonly name: "done"; readonly outcomes: readonly Outcome[] };

/** Whether this browser may cancel an order now. */
const mayCancel = ({ canCancel, id }: TrackedOrder): boolean => canCancel && id !== null;

const isPaid = ({ status }: TrackedOrder): boolean => status !== "Pending";

const penceOf = ({ total }: TrackedOrder): number => Math.round(total * 100);

interface CancelAllProps {
  order: TrackedOrder;
  onChanged: () => void;
}

/**
 * Cancels an order and those of the same payment, one after the other, with one question before. Offered while the order
 * that is shown can be cancelled.
 */
export function CancelAll({ order, onChanged }: CancelAllProps) {
  const [stage, setStage] = useState<Stage>({ name: "offered" });
  const { button, noteKept } = useFocusOnceKept(stage.name);
  const ask = async (): Promise<void> => {
    setStage({ name: "reading" });
    try {
      const orders = await lookUpTogether(order);
      setStage(orders.some(mayCancel) ? { name: "asked", orders } : noneLeft(orders));
    } catch {
      // The request helper has logged it.
      setStage({ name: "failed" });
    }
  };
  const cancel = async (orders: readonly TrackedOrder[]): Promise<void> => {
    setStage({ name: "cancelling", orders });
    const outcomes: Outcome[] = [];
    for (const each of orders.filter(mayCancel)) outcomes.push(await outcomeOf(each));
    setStage({ name: "done", outcomes });
    onChanged();
  };
  const keep = (): void => {
    noteKept();
    setStage({ name: "offered" });
  };
  if (stage.name === "done") return <Outcomes outcomes={stage.outcomes} onAgain={() => void ask()} />;
  if (stage.name === "asked" || stage.name === "cancelling") {
    const { orders } = stage;
    return (
      <AskToCancelAll
        orders={orders}
        cancelling={stage.name === "cancelling"}
        onYes={() => void cancel(orders)}
        onNo={keep}
      />
    );
  }
  if (stage.name === "offered" && (order.orderedTogether.length === 0 || !mayCancel(order))) return null;
  return (
    <div className="no-print mt-5">
      {stage.name === "failed" && (
        <p role="alert" className="text-danger">
          We could not look up the other orders. Please try again.
        </p>
      )}
      <button
        ref={button}
        type="button"
        className="link min-h-8 cursor-pointer text-left"
        aria-disabled={stage.name === "reading" || undefined}
        onClick={() => stage.name !== "reading" && void ask()}
      >
        Cancel all that may still be cancelled
      </button>
    </div>
  );
}

const noneLeft = (orders: readonly TrackedOrder[]): Stage => ({
  name: "done",
  outcomes: orders.map(({ orderNumber, status }) => ({
    orderNumber,
    words: status === "Cancelled" ? "It is cancelled." : "It can no longer be cancelled.",
  })),
});

async function outcomeOf(order: TrackedOrder): Promise<Outcome> {
  const { id, orderNumber } = order;
  try {
    const { status } = await askToCancel(id ?? "");
    return { orderNumber, words: status === "Cancelled" ? cancelledWords(order) : checking };
  } catch (failure) {
    const reason = whyNotCancelled(failure);
    return reason === null
      ? { orderNumber, words: "We don’t know whether it was cancelled. Please try again.", unknown: true }
      : { orderNumber, words: `Not cancelled. ${reason}` };
  }
}

const cancelledWords = (order: TrackedOrder): string =>
  isPaid(order) ? `Cancelled. We’ll refund ${formatPounds(penceOf(order))}.` : "Cancelled.";

const checking =
  "Not cancelled yet. Its application was on its way to the General Register Office, and we are checking whether it arrived.";

interface AskToCancelAllProps {
  orders: readonly TrackedOrder[];
  cancelling: boolean;
  onYes: () => void;
  onNo: () => void;
}

function AskToCancelAll({ orders, cancelling, onYes, onNo }: AskToCancelAllProps) {
  const question = useRef<HTMLFieldSetElement>(null);
  // The pressed button is gone: the question in its place is read out.
  useEffect(() => question.current?.focus(), []);
  const chosen = orders.filter(mayCancel);
  const others = orders.filter((order) => !mayCancel(order));
  const isOne = chosen.length === 1;
  const paidPence = chosen.filter(isPaid).reduce((sum, order) => sum + penceOf(order), 0);
  return (
    <fieldset
      ref={question}
      tabIndex={-1}
      aria-describedby="cancel-all"
      className="no-print mt-5 max-w-form min-w-0"
    >
      <legend className="font-[600]">
        {isOne ? "Cancel this order?" : `Cancel these ${chosen.length} orders?`}{" "}
        {paidPence > 0
          ? `We’ll refund ${formatPounds(paidPence)} to the card you paid with.`
          : `You haven’t paid anything for ${isOne ? "it" : "them"}.`}
      </legend>
      <div id="cancel-all">
        <ul className="mt-2">
          {chosen.map((order) => (
            <OrderLine key={order.orderNumber} order={order}>
              {isPaid(order) ? (
                <>
                  <span className="figures">{formatPounds(penceOf(order))}</span> will be refunded
                </>
              ) : (
                "Not paid"
              )}
            </OrderLine>
          ))}
        </ul>
        {others.length > 0 && (
          <>
            <p className="mt-3 text-14 text-muted">Cannot be cancelled here:</p>
            <ul>
              {others.map((order) => (
                <OrderLine key={order.orderNumber} order={order}>
                  {customerWording(order.status)}
                </OrderLine>
              ))}
            </ul>
          </>
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-3">
        <button
          type="button"
          className="button button-small button-primary"
          aria-disabled={cancelling || undefined}
          onClick={() => !cancelling && onYes()}
        >
          {cancelling ? "Cancelling..." : `Yes, Cancel ${isOne ? "1 Order" : `${chosen.length} Orders`}`}
        </button>
        <button
          type="button"
          className="button button-small button-outlined"
          aria-disabled={cancelling || undefined}
          onClick={() => !cancelling && onNo()}
        >
          {isOne ? "Keep Order" : "Keep Orders"}
        </button>
      </div>
    </fieldset>
  );
}

function OrderLine({
  order: { orderNumber, items },
  children,
}: {
  order: TrackedOrder;
  children: ReactNode;
}) {
  return (
    <li className="border-t border-hairline py-2">
      <span className="figures">{orderNumber}</span>
      <span className="flex flex-wrap justify-between gap-x-4 text-14">
        <span className="text-muted">{items.join(", ")}</span>
        <span>{children}</span>
      </span>
    </li>
  );
}

interface OutcomesProps {
  outcomes: readonly Outcome[];
  onAgain: () => void;
}

/** What became of each order, in place of the question. */
function Outcomes({ outcomes, onAgain }: OutcomesProps) {
  const box = useRef<HTMLUListElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <>
      <ul ref={box} tabIndex={-1} aria-label="What became of each order" className="mt-5 max-w-form">
        {outcomes.map(({ orderNumber, words }) => (
          <li key={orderNumber} className="border-b border-hairline py-2">
            <NumberLink orderNumber={orderNumber} />
            <p>{words}</p>
          </li>
        ))}
      </ul>
      {outcomes.some(({ unknown }) => unknown) && (
        <button type="button" className="button button-small button-outlined no-print mt-3" onClick={onAgain}>
          Try Again
        </button>
      )}
    </>
  );
}
