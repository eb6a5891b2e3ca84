import { useRef, useState } from "react";
import { type Customer, eraseCustomer, type Outcome } from "../../../../contract/customers/customers.ts";
import { staffReason } from "../../../../domain/decider.ts";
import { newIdempotencyKey } from "../../../api/request.ts";
import { send } from "../../../api/send.ts";
import { londonDay } from "../../../ui/dates.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Panel } from "../../ui/page-parts.tsx";
import { When } from "../../ui/values.tsx";

interface ErasurePanelProps {
  readonly customer: Customer;
  /** Called with the updated customer after an erasure request. */
  readonly onErased: (customer: Customer) => void;
}

const isKept = ({ outcome }: Outcome): boolean => outcome === "kept";

/** Erasure request, with what is erased immediately and what is kept on which legal ground. */
export function ErasurePanel({ customer, onErased }: ErasurePanelProps) {
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState(false);
  // A retry after a lost response reuses the key and gets the first result.
  const key = useRef(newIdempotencyKey());
  const parts = partsOf(customer);
  const left = parts.filter(({ outcome }) => outcome.outcome !== "gone");
  const asked = left.length > 0 && left.every(({ askedAt }) => askedAt !== null);
  return (
    <Panel title="Erasure">
      <Summary left={left} asked={asked} />
      {!asked && left.length > 0 && (
        <div className="mt-3">
          <button type="button" className="button button-dense button-danger" onClick={() => setAsking(true)}>
            Request erasure…
          </button>
        </div>
      )}
      <p role="status" className="mt-2 text-13 text-fulfilled">
        {done ? "Requested. Data that is no longer needed is destroyed within a minute." : ""}
      </p>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Erase this person’s data?"
        whatHappens={
          <>
            <p>This cannot be undone: once the keys are destroyed, the data can never be read again.</p>
            <Outcomes parts={left} />
            <p className="mt-3">
              Numbers, amounts and dates stay in the log. They identify no one, and accounts must be kept for
              six years.
            </p>
          </>
        }
        confirmLabel="Erase"
        danger
        withNote={false}
        onConfirm={async ({ reason }) => {
          const asked = { params: { id: customer.id }, body: { reason: staffReason.parse(reason) } };
          onErased(await send(eraseCustomer, asked, { idempotencyKey: key.current }));
          key.current = newIdempotencyKey();
          setDone(true);
        }}
      />
    </Panel>
  );
}

function Summary({ left, asked }: { left: readonly Part[]; asked: boolean }) {
  if (left.length === 0) return <p className="text-muted">We no longer hold any data.</p>;
  if (!asked) {
    const kept = left.filter(({ outcome }) => isKept(outcome)).length;
    return (
      <p className="text-muted">
        {kept === 0
          ? "Everything would be erased immediately."
          : "Some data would be kept for now. You will see what and why before you confirm."}
      </p>
    );
  }
  return (
    <>
      <p>
        Erasure has been requested. The remaining data is erased automatically once we have no lawful reason
        to keep it.
      </p>
      <Outcomes parts={left} />
    </>
  );
}

/** A class of data in an order or ticket, and the outcome of its erasure. */
interface Part {
  readonly number: string;
  readonly what: string;
  readonly outcome: Outcome;
  readonly askedAt: string | null;
}

/** All data that is or was held about a customer. */
const partsOf = ({ orders, tickets, drafts }: Customer): readonly Part[] => [
  ...orders.flatMap(({ orderNumber: number, erasure, erasureRequestedAt: askedAt }) => [
    { number, what: "application", outcome: erasure.application, askedAt },
    { number, what: "contact data", outcome: erasure.contact, askedAt },
  ]),
  ...tickets.map(({ ticketNumber: number, erasure, erasureRequestedAt: askedAt }) => ({
    number,
    what: "conversation",
    outcome: erasure,
    askedAt,
  })),
  ...drafts.map(({ savedAt, endedAt }) => ({
    number: `Saved ${londonDay(savedAt)}`,
    what: "unfinished order",
    outcome: { outcome: "erased" } as const,
    askedAt: endedAt,
  })),
];

function Outcomes({ parts }: { parts: readonly Part[] }) {
  return (
    <ul className="mt-3 flex flex-col gap-2 text-ink">
      {parts.map(({ number, what, outcome }) => (
        <li key={`${number} ${what}`} className="border-l-3 border-hairline pl-3">
          <span className="figures">{number}</span>, {what}: <Words outcome={outcome} />
        </li>
      ))}
    </ul>
  );
}

function Words({ outcome }: { outcome: Outcome }) {
  switch (outcome.outcome) {
    case "erased":
      return <strong>erased immediately.</strong>;
    case "gone":
      return <>already destroyed.</>;
    case "set":
      return (
        <>
          <strong>erased on {londonDay(outcome.until)}</strong>, as scheduled: {outcome.because}.
        </>
      );
    case "kept":
      return (
        <>
          <strong>kept for now:</strong> {outcome.because}. It is erased automatically after that.{" "}
          <span className="text-muted">{outcome.ground}</span>
        </>
      );
  }
}

export function ErasureRequested({ at }: { at: string | null }) {
  if (at === null) return null;
  return (
    <p className="text-danger">
      Erasure requested on <When at={at} />.
    </p>
  );
}
