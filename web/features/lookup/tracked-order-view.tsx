import { useEffect, useRef, useState } from "react";
import { printReceipt } from "../../../contract/orders/own-records.ts";
import type { TrackedOrder } from "../../../contract/orders/tracking.ts";
import { addressOf } from "../../../contract/request.ts";
import { customerWording } from "../../../domain/order/status.ts";
import { formatPounds } from "../../../domain/pricing/money.ts";
import { useConfig } from "../../site/config.ts";
import { londonDay, londonMoment } from "../../ui/dates.ts";
import { OrderNumber, StatusBadge } from "../../ui/order-facts.tsx";
import { Arrival, Outlook } from "./arrival.tsx";
import { DeletionCertificate } from "./deletion-certificate.tsx";
import { CancelOrder, HolderTasks } from "./holder-tasks.tsx";
import { OrderAnother } from "./order-another.tsx";
import { CancelAll, OrderedTogether } from "./ordered-together.tsx";

interface TrackedOrderProps {
  order: TrackedOrder;
  /** True while the page updates by itself. */
  live: boolean;
  onChanged: () => void;
}

/**
 * An order's number, status, promise, history, and, once issued, certificate of deletion. Each order has its own view.
 */
export default function TrackedOrderView({ order, live, onChanged }: TrackedOrderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
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
      <CancelAll order={order} onChanged={onChanged} />
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
    const gained = newsSince(seen, order);
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
