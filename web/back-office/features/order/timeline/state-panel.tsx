import useSWR from "swr";
import { addressOf } from "../../../../../contract/request.ts";
import type { OrderPage } from "../../../../../contract/staff-orders/order-page.ts";
import {
  type Change,
  type Fact,
  type OrderState,
  showTimeline,
  type Timeline,
  type TimelineEntry,
} from "../../../../../contract/staff-orders/order-page.ts";
import { send } from "../../../../api/send.ts";
import { FactLine, Facts, Panel, Skeleton } from "../../../ui/page-parts.tsx";
import { When } from "../../../ui/values.tsx";

/** Facts shown in other panels. */
const elsewhere: ReadonlySet<string> = new Set(["application", "contact", "notes"]);

interface StatePanelProps {
  readonly order: OrderPage;
  /** Null for the current state. */
  readonly asOf: number | null;
}

/** The order's current state, or its state after an event. */
export function StatePanel({ order, asOf }: StatePanelProps) {
  const { data: past, error } = useOrderState(order.orderNumber, asOf);
  if (asOf === null) {
    return (
      <Panel title="State">
        <Facts>
          <Lines facts={order.facts.filter(({ name }) => !elsewhere.has(name))} promise={order.promise} />
        </Facts>
      </Panel>
    );
  }
  return (
    <Panel title="Earlier state" actions={past && <When at={past.at} />}>
      {error ? (
        <p role="alert">
          This state could not be loaded. Choose another event, or return to the current state.
        </p>
      ) : past ? (
        <div aria-live="polite" aria-busy={past.revision !== asOf}>
          <Facts>
            <Lines facts={past.facts} promise={null} />
          </Facts>
          <h3 className="mt-5 mb-2">Changes made by this event</h3>
          <Changes changes={past.changes} />
        </div>
      ) : (
        <Skeleton lines={8} label="Loading the earlier state" />
      )}
    </Panel>
  );
}

function Lines({ facts, promise }: { facts: readonly Fact[]; promise: OrderPage["promise"] }) {
  return facts.map(({ name, label, value }) => (
    <FactLine key={name} label={label}>
      {value}
      {name === "promise" && promise && <PromiseState promise={promise} />}
    </FactLine>
  ));
}

function PromiseState({ promise }: { promise: NonNullable<OrderPage["promise"]> }) {
  const { overdue, workingDaysLeft: left } = promise;
  if (overdue) return <strong className="font-[600] text-danger">, overdue</strong>;
  if (left === null) return null;
  return <span>{left === 0 ? ", today" : `, ${left} working ${left === 1 ? "day" : "days"} left`}</span>;
}

/** The events of an order, oldest first. */
export async function timelineOf(orderNumber: string): Promise<Timeline> {
  const answer = await send(showTimeline, { params: { orderNumber } });
  if (!("entries" in answer)) throw new Error("The response has no timeline entries");
  return answer;
}

async function stateAfter(orderNumber: string, revision: number): Promise<OrderState> {
  const answer = await send(showTimeline, { params: { orderNumber }, query: `at=${revision}` });
  if ("entries" in answer) throw new Error("Expected an order state, got a timeline");
  return answer;
}

/** The order as of a revision, cached because the past never changes. Null requests nothing. */
const useOrderState = (orderNumber: string, revision: number | null) =>
  useSWR(
    revision === null ? null : [addressOf(showTimeline, { orderNumber }), revision],
    () => stateAfter(orderNumber, revision ?? 0),
    { keepPreviousData: true },
  );

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-muted">No change to the order’s state.</p>;
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-x-4">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="wrap-anywhere">
            {before !== null && (
              <>
                <span className="sr-only">was </span>
                <del className="text-muted">{before}</del>{" "}
              </>
            )}
            {before !== null && after !== null && <span aria-hidden="true">→ </span>}
            {after !== null && (
              <ins className="no-underline">
                <span className="sr-only">now </span>
                {after}
              </ins>
            )}
            {after === null && <span className="sr-only">no longer applies</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Events to show before confirming: changes, and notes, which may ask colleagues to wait. */
export const isNews = ({ type, changes }: TimelineEntry): boolean =>
  changes.length > 0 || type === "NoteAdded";

/** The newest revision equivalent to the one seen: reveals by colleagues change nothing. */
export function sameAs(seen: number, entries: readonly TimelineEntry[]): number {
  const news = entries.find((entry) => entry.revision > seen && isNews(entry));
  const last = entries.at(-1)?.revision ?? seen;
  return news ? news.revision - 1 : Math.max(seen, last);
}

/** Concurrent changes while a dialog is open. */
export function News({ entries }: { entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div role="status" className="border-l-3 border-pending pl-3 text-13">
      <p className="font-[600]">This order changed while you were viewing it. We kept what you typed.</p>
      <ul className="mt-1 flex flex-col gap-2">
        {entries.map(({ id, title, detail, actor, at, changes }) => (
          <li key={id}>
            <p>
              <strong className="font-[600]">{title}</strong>
              {detail !== null && `, ${detail}`}
              <span className="text-muted">
                {" "}
                · {actor.name} · <When at={at} show="time" />
              </span>
            </p>
            {changes.length > 0 && <Changes changes={changes} />}
          </li>
        ))}
      </ul>
      <p className="mt-1">If the action is still right, confirm again.</p>
    </div>
  );
}
