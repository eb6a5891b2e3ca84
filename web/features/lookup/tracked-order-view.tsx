import { useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { beginAnother, printReceipt } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { addressOf } from "../../../contract/request.ts";
import { customerWording } from "../../../domain/order/status.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { send } from "../../api/send.ts";
import { pages, trackingOf } from "../../paths.ts";
import { useConfig } from "../../site/config.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { OrderNumber, StatusBadge } from "../../ui/order-facts.tsx";
import { Arrival, Outlook } from "./arrival.tsx";
import { DeletionCertificate } from "./deletion-certificate.tsx";
import { CancelOrder, HolderTasks } from "./holder-tasks.tsx";

interface TrackedOrderProps {
  order: TrackedOrder;
  /** True while the page updates by itself. */
  live: boolean;
  onChanged: () => void;
}

/** An order's number, status, promise, history, and, once issued, certificate of deletion. */
export default function TrackedOrderView({ order, live, onChanged }: TrackedOrderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another order is read out from its number on.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [order.orderNumber]);
  /** What was pressed goes away: the reader is taken to the order's number. */
  const afterPress = (): void => {
    heading.current?.focus({ preventScroll: true });
    onChanged();
  };
  return (
    <article aria-labelledby="tracked" className="mt-10">
      <ChangeNews order={order} />
      <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4 lg:flex-nowrap border-t border-b border-hairline py-6">
        <div className="min-w-0">
          <h2
            id="tracked"
            ref={heading}
            tabIndex={-1}
            className="font-text text-16 font-[400] tracking-normal text-muted"
          >
            Order
            <span className="sr-only"> {order.orderNumber}</span>
          </h2>
          <OrderNumber orderNumber={order.orderNumber} />
          <TrackedFacts order={order} />
          <HolderFacts order={order} />
          <OrderedTogether order={order} />
        </div>
        <CancelOrder order={order} onCancelled={afterPress} />
      </header>
      <HolderTasks order={order} onChanged={afterPress} />
      <Arrival order={order} onReported={afterPress} />
      <div className="mt-8 grid items-start gap-x-20 gap-y-10 lg:grid-cols-[minmax(0,1fr)_25rem]">
        <div className="min-w-0">
          <Outlook order={order} />
          <OrderHistory history={order.statusHistory} />
        </div>
        {order.receipt && <DeletionCertificate orderNumber={order.orderNumber} receipt={order.receipt} />}
      </div>
      <OrderAnother order={order} />
      <TrackedFooter order={order} live={live} onChanged={onChanged} />
    </article>
  );
}

function TrackedFacts({ order }: { order: TrackedOrder }) {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <StatusBadge status={order.status} words={customerWording(order.status)} />
      <span className="text-muted">
        Placed on {londonDay(order.createdAt)} · Total{" "}
        <span className="figures">{formatPounds(Math.round(order.total * 100))}</span>
        {order.items.length > 0 && ` · ${order.items.join(", ")}`}
        <ReceiptLink order={order} />
      </span>
    </p>
  );
}

/** For the holder: the recipient of the certificate, if not the customer, and their own reference. */
function HolderFacts({ order: { recipientName, customerReference } }: { order: TrackedOrder }) {
  const facts = [
    { words: "Certificate goes to", typed: recipientName },
    { words: "Your reference", typed: customerReference },
  ].filter(({ typed }) => typed !== null);
  if (facts.length === 0) return null;
  return (
    <p className="mt-2 wrap-anywhere text-muted">
      {facts.map(({ words, typed }, index) => (
        <span key={words}>
          {index > 0 && " · "}
          {words} <span translate="no">{typed}</span>
        </span>
      ))}
    </p>
  );
}

/** For the holder: the other orders of the same payment. */
function OrderedTogether({ order: { orderedTogether } }: { order: TrackedOrder }) {
  if (orderedTogether.length === 0) return null;
  return (
    <section aria-labelledby="ordered-together" className="mt-4">
      <h3 id="ordered-together" className="font-text text-14 font-[400] tracking-normal text-muted">
        Ordered together
      </h3>
      <ul className="mt-1 flex flex-wrap gap-x-6">
        {orderedTogether.map(({ orderNumber }) => (
          <li key={orderNumber}>
            <Link className="link figures inline-flex min-h-8 items-center" to={trackingOf(orderNumber)}>
              {orderNumber}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For the holder of an order that was paid. */
function ReceiptLink({ order: { id, statusHistory } }: { order: TrackedOrder }) {
  if (id === null || !statusHistory.some(({ status }) => status === "Processing")) return null;
  return (
    <span className="no-print">
      {" · "}
      <a className="link" href={addressOf(printReceipt, { id })} download>
        Receipt (PDF)
      </a>
    </span>
  );
}

function TrackedFooter({ order, live, onChanged }: TrackedOrderProps) {
  const { data: config } = useConfig();
  return (
    <footer className="mt-8 border-t border-hairline pt-5 text-14 text-muted">
      <p>
        {order.lastUpdated && `Last updated ${londonDay(order.lastUpdated)}.`}{" "}
        {live && <span className="no-print">This page updates automatically.</span>}{" "}
        <button type="button" className="link no-print min-h-6 cursor-pointer px-2" onClick={onChanged}>
          Check again
        </button>
      </p>
      {config && (
        <p className="mt-1">
          Need help with this order? Write to{" "}
          <a className="link" href={`mailto:${config.supportEmail}`}>
            {config.supportEmail}
          </a>
          .
        </p>
      )}
    </footer>
  );
}

/**
 * Announces news about the order to screen readers. Visible in the history, so not shown here. Each is added to those
 * before: one that follows at once would otherwise replace what has not been read yet.
 */
function ChangeNews({ order }: { order: TrackedOrder }) {
  const [seen, setSeen] = useState(order);
  const [news, setNews] = useState<readonly string[]>([]);
  if (seen !== order) {
    setSeen(order);
    const gained = seen.orderNumber === order.orderNumber ? newsSince(seen, order) : "";
    if (gained !== "") setNews([...news, gained]);
  }
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      {news.map((sentence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end.
        <p key={index}>{sentence}</p>
      ))}
    </div>
  );
}

/** What became of an order since it was `seen`, in sentences. */
export const newsSince = (seen: TrackedOrder, now: TrackedOrder): string =>
  [newsOfCancellation(seen, now), newsOf(seen.statusHistory, now.statusHistory)].filter(Boolean).join(" ");

/** The history, newest first, each entry a sentence with its time. */
function OrderHistory({ history }: { history: TrackedOrder["statusHistory"] }) {
  if (history.length === 0) return null;
  return (
    <section aria-labelledby="history" className="mt-7">
      <h3 id="history" className="sr-only">
        History
      </h3>
      <ol>
        {history.map(({ status, text, timestamp }, index) => (
          <li key={`${timestamp}${text ?? status}`} className="history-entry" data-newest={index === 0}>
            <p className="font-[600]">{text ?? customerWording(status)}</p>
            <time dateTime={timestamp} className="text-14 text-muted">
              {londonMoment(timestamp)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}

type History = TrackedOrder["statusHistory"];

/** New entries of a history (newest first) since `known`: a sentence for each, oldest first. */
function newsOf(known: History, now: History): string {
  return now
    .slice(0, Math.max(0, now.length - known.length))
    .toReversed()
    .map(({ text }) => `${text}.`)
    .join(" ");
}

/** The outcome of a cancellation request since `known`, unless the history tells it. */
function newsOfCancellation(known: TrackedOrder, now: TrackedOrder): string {
  const [before, after] = [known.cancellationRequested, now.cancellationRequested];
  if (before === after) return "";
  if (after) return "We have been asked to cancel this order and are checking whether it is too late.";
  return now.status === "Processing" ? "It was too late to cancel this order." : "";
}

type Beginning =
  | { readonly state: "idle" | "starting" | "failed" }
  /** It would replace an unfinished order in this tab. */
  | { readonly state: "asking"; readonly start: () => void };

/** For its holder: another order with the same contact and choices, for which only the person is asked. */
function OrderAnother({ order: { id, statusHistory } }: { order: TrackedOrder }) {
  const navigate = useNavigate();
  const [beginning, setBeginning] = useState<Beginning>({ state: "idle" });
  if (id === null || !statusHistory.some(({ status }) => status === "Processing")) return null;
  async function begin(orderId: string): Promise<void> {
    if (beginning.state === "starting") return;
    setBeginning({ state: "starting" });
    try {
      // All scripts at once: after the question, nothing is left that could fail to load.
      const [other, { draftLike }, { losesUnfinished }, { startNewOrder }] = await Promise.all([
        send(beginAnother, { params: { id: orderId } }),
        import("../../ordering/draft/order-answers.ts"),
        import("../../ordering/draft/saved-draft.ts"),
        import("../../ordering/current-order.ts"),
      ]);
      const draft = draftLike(other);
      const start = (): void => {
        startNewOrder(draft);
        navigate(pages.order);
      };
      if (losesUnfinished(draft)) setBeginning({ state: "asking", start });
      else start();
    } catch {
      setBeginning({ state: "failed" });
    }
  }
  return (
    <div className="no-print mt-8">
      <button
        type="button"
        className="button button-outlined"
        aria-disabled={beginning.state === "starting" || undefined}
        onClick={() => void begin(id)}
      >
        Order Another Like This
      </button>
      <p className="mt-2 max-w-measure text-14 text-muted">
        We’ll use your details and the same choices, and ask only about the person on the certificate.
      </p>
      {beginning.state === "asking" && (
        <AskFirst onStart={beginning.start} onKeep={() => navigate(pages.order)} />
      )}
      {beginning.state === "failed" && (
        <p role="alert" className="mt-2 max-w-measure text-danger">
          We could not start another order. Check your connection, and try again.
        </p>
      )}
    </div>
  );
}

function AskFirst({ onStart, onKeep }: { onStart: () => void; onKeep: () => void }) {
  const question = useRef<HTMLHeadingElement>(null);
  useEffect(() => question.current?.focus(), []);
  return (
    <section className="mt-4 max-w-measure" aria-labelledby="unfinished-order">
      <h2 id="unfinished-order" ref={question} tabIndex={-1} className="font-serif text-20">
        You have an unfinished order in this tab
      </h2>
      <p className="mt-2">If you start another order here, you will lose what you entered.</p>
      <div className="mt-4 flex flex-wrap gap-4">
        <button type="button" className="button button-outlined" onClick={onStart}>
          Start Another Order
        </button>
        <button type="button" className="button button-primary" onClick={onKeep}>
          Continue the Unfinished Order
        </button>
      </div>
    </section>
  );
}
