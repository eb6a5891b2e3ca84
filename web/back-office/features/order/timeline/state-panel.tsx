import useSWR from "swr";
import { addressOf } from "../../../../../contract/request.ts";
import type { OrderPage } from "../../../../../contract/staff-orders/order-page.ts";
import {
  type Fact,
  type OrderState,
  showTimeline,
  type Timeline,
} from "../../../../../contract/staff-orders/timeline.ts";
import { send } from "../../../../api/send.ts";
import { FactLine, Facts, Panel } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/placeholders.tsx";
import { When } from "../../../ui/values.tsx";
import { Changes } from "./changes.tsx";

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
  return left === 0 ? ", today" : `, ${left} working ${left === 1 ? "day" : "days"} left`;
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
