import { type FormEvent, useId, useState } from "react";
import { Link } from "react-router-dom";
import { linkTicket } from "../../../../contract/tickets/acts.ts";
import type { LinkedOrder, OpenedTicket } from "../../../../contract/tickets/ticket.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { arrivalBy } from "../../../../domain/promise/timetable.ts";
import { send } from "../../../api/send.ts";
import { longDay } from "../../../ui/dates.ts";
import { adminPages } from "../../paths.ts";
import { Panel } from "../../ui/panel.tsx";
import { poundsOf, Status, When } from "../../ui/values.tsx";
import { type Act, Refusal } from "./acting.tsx";
import { Facts } from "./contact-panel.tsx";

interface OrderPanelProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** The linked order, or a form to link one. */
export function OrderPanel({ ticket, act, busy }: OrderPanelProps) {
  const [changing, setChanging] = useState(false);
  const { order, purge } = ticket;
  const linking = purge === null && (order === null || changing);
  return (
    <Panel
      title="Order"
      actions={
        order !== null &&
        purge === null && (
          <button
            type="button"
            className="link min-h-6 cursor-pointer"
            aria-expanded={changing}
            onClick={() => setChanging(!changing)}
          >
            {changing ? "Keep this order" : "Link another order"}
          </button>
        )
      }
    >
      {order !== null && <Order order={order} />}
      {order === null && purge !== null && (
        <p className="text-muted">The ticket was not linked to an order.</p>
      )}
      {linking && <LinkForm ticket={ticket} act={act} busy={busy} onLinked={() => setChanging(false)} />}
    </Panel>
  );
}

function Order({ order }: { order: LinkedOrder }) {
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-2">
        <Link className="link figures" to={adminPages.order(order.orderNumber)}>
          {order.orderNumber}
        </Link>
        <Status status={order.status} />
      </p>
      <Facts
        facts={[
          ["Item", order.items.join(", ") || "none chosen yet"],
          ["Total", poundsOf(order.totalPence)],
          ["Phase", phaseWords(order.phase)],
          ["Placed", <When key="placed" at={order.createdAt} show="day" />],
          ["Despatch by", order.despatchBy === null ? "not promised yet" : longDay(order.despatchBy)],
          ...(order.despatchBy === null
            ? []
            : [["Likely arrival by", longDay(arrivalBy(order.despatchBy))] as const]),
        ]}
      />
    </>
  );
}

function LinkForm({ ticket, act, busy, onLinked }: OrderPanelProps & { onLinked: () => void }) {
  const id = useId();
  const { statedOrderNumber, order } = ticket;
  const [typed, setTyped] = useState(order === null ? (statedOrderNumber ?? "") : "");
  const [refused, setRefused] = useState<string | null>(null);
  const link = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const words = await act({ orderNumber: typed }, (request, options) => send(linkTicket, request, options));
    setRefused(words);
    if (words === null) onLinked();
  };
  return (
    <form className={order === null ? "" : "mt-4"} onSubmit={(event) => void link(event)} noValidate>
      <label htmlFor={id} className="font-[500]">
        Order number
      </label>
      <p id={`${id}-hint`} className="text-13 text-muted">
        {statedOrderNumber === null
          ? "Once linked, the ticket is destroyed with the order’s contact data."
          : `The customer gave ${statedOrderNumber}. Check that the order is theirs.`}
      </p>
      <div className="mt-1 flex flex-wrap gap-2">
        <input
          id={id}
          className="dense-box figures min-w-0 flex-1"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={refused !== null}
          aria-describedby={`${id}-hint ${id}-error`}
        />
        <button type="submit" className="button button-dense button-outlined" disabled={busy}>
          Link
        </button>
      </div>
      <Refusal words={refused} id={`${id}-error`} />
    </form>
  );
}
