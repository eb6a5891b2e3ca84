import { type FormEvent, type ReactNode, useId, useState } from "react";
import { Link } from "react-router-dom";
import {
  type LinkedOrder,
  linkTicket,
  type OpenedTicket,
  replaceLinkAsStaff,
  type TicketReceipt,
} from "../../../../contract/tickets/ticket.ts";
import { phaseWords } from "../../../../domain/order/status.ts";
import { arrivalBy } from "../../../../domain/promise/timetable.ts";
import { send } from "../../../api/send.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { longDay } from "../../../ui/dates.ts";
import { adminPages } from "../../paths.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Panel } from "../../ui/page-parts.tsx";
import { Masked, poundsOf, Status, When } from "../../ui/values.tsx";
import { type Act, Press, Refusal } from "./acting.tsx";

interface ContactPanelProps {
  readonly ticket: OpenedTicket;
  readonly act: Act;
  readonly busy: boolean;
}

/** The sender's contact details and private link. */
export function ContactPanel({ ticket, act, busy }: ContactPanelProps) {
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [message, setMessage] = useState("");
  const { contact, customerId, purge } = ticket;
  const destroyed = contact === null;
  const replace = async (): Promise<void> => {
    const words = await act({}, (request, options) => send(replaceLinkAsStaff, request, options));
    setRefused(words);
    setMessage(words === null ? "Replaced. We are emailing the new link to the customer." : "");
  };
  return (
    <Panel
      title="Customer"
      actions={
        customerId !== null && (
          <Link className="link" to={adminPages.customer(customerId)}>
            Everything we hold<span className="sr-only"> about this customer</span>
          </Link>
        )
      }
    >
      <Facts
        facts={[
          ["Name", <Masked key="name" value={contact?.name ?? null} destroyed={destroyed} />],
          ["Email", <Masked key="email" value={contact?.email ?? null} destroyed={destroyed} />],
        ]}
      />
      {purge === null && (
        <>
          <p className="mt-2 text-13 text-muted">
            Unverified. These details give access to this conversation only. Send the data we hold about a
            customer only to the address on their order.
          </p>
          <div className="mt-3">
            <Press words="Replace private link…" busy={busy} onPress={() => setAsking(true)} />
          </div>
          <p role="status" className="mt-1 text-13 text-fulfilled">
            {message}
          </p>
          <Refusal words={refused} />
          <ActionDialog
            open={asking}
            onClose={() => setAsking(false)}
            title="Replace the private link?"
            whatHappens="We email the customer a new private link. All earlier links stop working, wherever they have been shared."
            confirmLabel="Replace link"
            reasons={null}
            withNote={false}
            done={null}
            onConfirm={replace}
          />
        </>
      )}
    </Panel>
  );
}

const rules: Readonly<Record<string, string>> = {
  retention: "the retention period for closed tickets had ended",
  orderPurged: "the contact data of its order was destroyed",
  erasure: "the customer asked for erasure",
};

/** Proof that the conversation was destroyed. */
export function Receipt({ receipt }: { receipt: TicketReceipt }) {
  return (
    <Panel title="Certificate of deletion">
      <p className="mb-3 max-w-[66ch]">
        Name, email address, subject, messages, files and notes were destroyed, because{" "}
        {rules[receipt.rule] ?? receipt.rule}. They can never be read again, and this ticket accepts no more
        messages.
      </p>
      <Facts
        facts={[
          ["Destroyed", <When key="at" at={receipt.purgedAt} />],
          ["Records", String(receipt.records)],
          ["Check", receipt.probe === "unreadable" ? "nothing could be read back" : receipt.probe],
          [
            "Fingerprint",
            <span key="print" className="figures wrap-anywhere">
              {receipt.keyFingerprint}
            </span>,
          ],
        ]}
      />
    </Panel>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

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
        <BusyButton type="submit" className="button button-dense button-outlined" busy={busy}>
          Link
        </BusyButton>
      </div>
      <Refusal words={refused} id={`${id}-error`} />
    </form>
  );
}
