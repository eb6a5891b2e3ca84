import type { OrderPage } from "../../../../../contract/staff-orders/order-page.ts";
import type { Fact } from "../../../../../contract/staff-orders/timeline.ts";
import { FactLine, Facts, Panel } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/placeholders.tsx";
import { When } from "../../../ui/values.tsx";
import { Changes } from "./changes.tsx";
import { useOrderState } from "./timeline-requests.ts";

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
