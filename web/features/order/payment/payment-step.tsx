import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import * as z from "zod/mini";
import { showOrder } from "../../../../contract/orders/tracking.ts";
import { call } from "../../../api/send.ts";
import {
  type Finished,
  finishOrder,
  redirectAfterMs,
  sayUnfinished,
} from "../../../ordering/checkout/finish-order.ts";
import type { OrderAttempt } from "../../../ordering/checkout/order-attempt.ts";
import { agoInWords, type PlacedOrder } from "../../../ordering/checkout/placed-orders.ts";
import { clearOrder } from "../../../ordering/current-order.ts";
import { PreviousButton } from "../../../ordering/questions/step-form.tsx";
import { confirmationOf, pages, trackingOf } from "../../../paths.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { DespatchLine, HonestPrice } from "../../../ui/price-notes.tsx";
import { toasts } from "../../../ui/toasts/toasts.ts";
import { CostLines } from "../order-summary.tsx";
import { levelsOf, summaryOf, summaryOfAll } from "../summary-lines.ts";
import { type Cost, type StepProps, useCosts } from "../wizard.tsx";
import { CardForm, Panel, Problems } from "./card-form.tsx";
import { type OrderSetup, useOrderSetup } from "./use-order-setup.ts";

/** Step 5: creates the order on entering, then asks for the card. */
export default function PaymentStep({ navigation }: StepProps) {
  const [paid, setPaid] = useState<OrderAttempt | null>(null);
  const { setup, giveUp, ...rest } = useOrderSetup();
  // After a reload right after the charge, the attempt is paid: finish it instead of asking for the card again.
  const charged = paid ?? (setup.state === "paid" ? setup.attempt : null);
  return (
    <>
      <PageHeading title="Payment">Payment</PageHeading>
      {charged ? (
        <Paid attempt={charged} onShown={navigation.notePaid} />
      ) : (
        <>
          <SetupPanel setup={setup} {...rest} onPaid={setPaid} onCancelled={giveUp} />
          {setup.state !== "preparing" && (
            <div className="mt-5">
              <PreviousButton onPress={navigation.previous} />
            </div>
          )}
        </>
      )}
    </>
  );
}

function Paid({ attempt, onShown }: { attempt: OrderAttempt; onShown: () => void }) {
  const [finishing] = useState(() => finishOrder(attempt));
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when the panel is there.
  useEffect(onShown, []);
  return <PaidPanel attempt={attempt} finishing={finishing} />;
}

interface SetupPanelProps {
  setup: OrderSetup;
  retry: () => void;
  mayPay: () => boolean;
  orderAnother: () => void;
  onPaid: (attempt: OrderAttempt) => void;
  onCancelled: (attempt: OrderAttempt) => void;
}

function SetupPanel({ setup, retry, mayPay, orderAnother, onPaid, onCancelled }: SetupPanelProps) {
  const again = (goOn: () => void): void => {
    // The button that was pressed goes: without this the focus would be lost.
    document.querySelector("h1")?.focus();
    goOn();
  };
  switch (setup.state) {
    case "preparing":
      return (
        <Panel title="Preparing Your Order">
          <p className="flex items-center gap-3 text-muted">
            <span className="spinner" aria-hidden="true" />
            Please wait a moment while we set up your payment.
          </p>
        </Panel>
      );
    case "created":
      return (
        <Panel title="Order Created" tone="problem">
          <p>
            {createdWords(setup.attempt)}
            {!setup.charging && " You haven’t been charged."}
          </p>
          <Problems problems={setup.problems} />
          <button type="button" className="button button-primary" onClick={() => again(retry)}>
            Complete Order
          </button>
        </Panel>
      );
    case "charging":
      return (
        <Panel title="Payment in Progress" tone="problem">
          <p>
            Your card is being charged for your order as it was before you changed it. We haven’t placed
            another. Please try again in a moment.
          </p>
          <button type="button" className="button button-primary" onClick={() => again(retry)}>
            Try Again
          </button>
        </Panel>
      );
    case "failed":
      return (
        <Panel title="Order Setup Error" tone="problem">
          <p>
            {!setup.wasCancelled && "We couldn’t create your order. "}You haven’t been charged, and we’ve kept
            your answers.
          </p>
          <Problems problems={setup.problems} />
          <button type="button" className="button button-primary" onClick={() => again(retry)}>
            Try Again
          </button>
        </Panel>
      );
    case "ready":
      return (
        <>
          <PayInFull />
          <CardForm
            attempt={setup.attempt}
            clientSecret={setup.clientSecret}
            mayPay={mayPay}
            onPaid={onPaid}
            onCancelled={onCancelled}
          />
        </>
      );
    case "ordered before":
      return <OrderedBefore placed={setup.placed} orderAnother={() => again(orderAnother)} />;
    case "paid":
      return null;
    default:
      return setup satisfies never;
  }
}

/** The orders that exist although the payment could not be set up. */
function createdWords({ orders }: OrderAttempt): string {
  const numbers = new Intl.ListFormat("en-GB").format(orders.map(({ orderNumber }) => orderNumber));
  return orders.length === 1
    ? `Your order ${numbers} has been created, but we couldn’t set up the payment.`
    : `Your orders ${numbers} have been created, but we couldn’t set up the payment.`;
}

interface OrderedBeforeProps {
  placed: readonly PlacedOrder[];
  orderAnother: () => void;
}

/** A tab was copied and both are to be paid: perhaps by mistake, perhaps for a second copy. */
function OrderedBefore({ placed, orderAnother }: OrderedBeforeProps) {
  const [now] = useState(Date.now);
  const [first] = placed;
  if (!first) return null;
  const ago = agoInWords(now - first.paidAtMs);
  const numbers = new Intl.ListFormat("en-GB").format(placed.map(({ orderNumber }) => orderNumber));
  const isOne = placed.length === 1;
  const what = isOne ? "this certificate" : "these certificates";
  return (
    <Panel title={`You already ordered ${what}`} tone="problem">
      <p>
        You already ordered {what} {ago} ({numbers}). Order another copy{!isOne && " of each"}?
      </p>
      <p className="text-muted">You haven’t been charged for another.</p>
      <p className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <button type="button" className="button button-primary" onClick={orderAnother}>
          Order another copy
        </button>
        <Link className="link" to={trackingOf(first.orderNumber)}>
          Track the first order
        </Link>
      </p>
    </Panel>
  );
}

/** Repeats the order beside the card: copies, price, total, and expected despatch. */
function PayInFull() {
  const { costs } = useCosts();
  const [first, ...others] = costs;
  if (!first) return null;
  return others.length === 0 ? <PayForOne cost={first} /> : <PayForAll costs={costs} />;
}

function PayForAll({ costs }: { costs: readonly Cost[] }) {
  return (
    <section aria-label="What you pay for" className="mt-5 max-w-form">
      <CostLines costs={costs} />
      <p className="leader dotted-rule mt-3 pt-3 text-18">
        <span>Total for {costs.length} certificates</span>
        <strong className="figures font-[600]">{summaryOfAll(costs).total}</strong>
      </p>
      {levelsOf(costs).map((level) => (
        <DespatchLine key={level} serviceLevel={level} className="mt-1.5 text-muted" />
      ))}
      <HonestPrice className="mt-5 text-14" />
    </section>
  );
}

function PayForOne({ cost: { certificate, copies, unitPence } }: { cost: Cost }) {
  const summary = summaryOf(certificate, unitPence);
  const { isPriority } = certificate.certificateOptions;
  const level = isPriority ? "priority" : "standard";
  return (
    <section aria-label="What you pay for" className="mt-5">
      <p className="text-18">
        {summary.title}, {isPriority ? "Priority" : "Standard"}: {copies} ×{" "}
        <span className="figures">{summary.unit}</span> ={" "}
        <strong className="figures font-[600]">{summary.total}</strong>
      </p>
      <DespatchLine serviceLevel={level} className="mt-1.5 text-muted" />
      <HonestPrice className="mt-5 text-14" chosen={{ level, unitPence }} />
    </section>
  );
}

interface PaidPanelProps {
  attempt: OrderAttempt;
  finishing: Promise<Finished>;
}

/** Shown after the charge; moves on to the confirmation automatically. */
function PaidPanel({ attempt, finishing }: PaidPanelProps) {
  const leave = useLeave();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let here = true;
    const leaveFor = (page: string): void => {
      timer = setTimeout(() => leave(page), redirectAfterMs);
    };
    void finishing.then((finished) => {
      if (!here) return;
      if (attempt.orders.length === 0) return leaveFor(pages.home);
      if (finished.state === "placed") return leaveFor(confirmationOf(finished.orderNumber));
      // The provider confirmed the charge to this page, so the card is not requested again.
      if (finished.state === "unpaid") sayUnfinished();
      setFailed(true);
    });
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [finishing, attempt, leave]);
  return (
    <Panel title="Payment Successful" tone="done">
      <p>
        {failed
          ? "We’ve received your payment. We’ll complete your order and email you."
          : "Thank you. We’re placing your order; your confirmation will open in a moment."}
      </p>
      <button type="button" className="button button-primary" onClick={() => void viewOrder(attempt, leave)}>
        View Order Details
      </button>
    </Panel>
  );
}

/** Opens another page. The draft goes once this one has: without it the wizard would show its first steps meanwhile. */
function useLeave(): (page: string) => void {
  const navigate = useNavigate();
  const left = useRef(false);
  useLayoutEffect(
    () => () => {
      if (left.current) clearOrder();
    },
    [],
  );
  return useCallback(
    (page) => {
      left.current = true;
      void navigate(page, { replace: true });
    },
    [navigate],
  );
}

/** An answer without a number still means that the order exists. */
const numbered = z.object({ orderNumber: z.catch(z.string(), "unknown") });

async function orderAt(id: string): Promise<{ orderNumber: string }> {
  const response = await call(showOrder, { params: { id } });
  return numbered.parse(await response.json());
}

async function viewOrder(attempt: OrderAttempt, leave: (page: string) => void): Promise<void> {
  const [first] = attempt.orders;
  const found = first ? await orderAt(first.orderId).catch(() => null) : null;
  if (found && found.orderNumber !== "unknown") return leave(confirmationOf(found.orderNumber));
  toasts.show({
    title: "Error",
    description: "Could not retrieve order details. Please contact support.",
    variant: "destructive",
  });
  if (!found) leave(pages.home);
}
