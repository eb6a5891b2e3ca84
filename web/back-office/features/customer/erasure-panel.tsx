import { useRef, useState } from "react";
import type { Customer, Outcome } from "../../../../contract/customers/customers.ts";
import { eraseCustomer } from "../../../../contract/customers/customers.ts";
import { staffReason } from "../../../../domain/decider.ts";
import { send } from "../../../api/send.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Outcomes, type Part, partsOf } from "./outcomes.tsx";

interface ErasurePanelProps {
  readonly customer: Customer;
  /** Called with where everything stands once erasure was asked for. */
  readonly onErased: (customer: Customer) => void;
}

const isKept = ({ outcome }: Outcome): boolean => outcome === "kept";

/** Erasure: what goes at once, and what the law lets us keep, for what and on which ground. Said before it is done, and after. */
export function ErasurePanel({ customer, onErased }: ErasurePanelProps) {
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState(false);
  // One act, one key: a repeat after a lost answer gets the first result.
  const key = useRef(crypto.randomUUID());
  const parts = partsOf(customer);
  const left = parts.filter(({ outcome }) => outcome.outcome !== "gone");
  const asked = left.length > 0 && left.every(({ askedAt }) => askedAt !== null);
  return (
    <Panel title="Erasure">
      <Standing left={left} asked={asked} />
      {!asked && left.length > 0 && (
        <div className="mt-3">
          <button type="button" className="button button-dense button-danger" onClick={() => setAsking(true)}>
            Ask for erasure…
          </button>
        </div>
      )}
      <p role="status" className="mt-2 text-13 text-fulfilled">
        {done ? "Asked for. What nothing needs any more is destroyed within a minute." : ""}
      </p>
      <ActionDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Erase what is held of this person?"
        whatHappens={
          <>
            <p>This cannot be undone: keys are destroyed, and nobody can read what they sealed again.</p>
            <Outcomes parts={left} />
            <p className="mt-3">
              Numbers, amounts and dates stay in the log. They name nobody, and accounts must be kept for six
              years.
            </p>
          </>
        }
        confirmLabel="Erase"
        danger
        withNote={false}
        onConfirm={async ({ reason }) => {
          const said = { params: { id: customer.id }, body: { reason: staffReason.parse(reason) } };
          onErased(await send(eraseCustomer, said, { idempotencyKey: key.current }));
          key.current = crypto.randomUUID();
          setDone(true);
        }}
      />
    </Panel>
  );
}

function Standing({ left, asked }: { left: readonly Part[]; asked: boolean }) {
  if (left.length === 0) return <p className="text-muted">Nothing is held any more.</p>;
  if (!asked) {
    const kept = left.filter(({ outcome }) => isKept(outcome)).length;
    return (
      <p className="text-muted">
        {kept === 0
          ? "All of it would be erased at once."
          : "Some of it would be kept for now: you are told what and why before anything happens."}
      </p>
    );
  }
  return (
    <>
      <p>Erasure was asked for. What is left goes by itself as soon as nothing lawful needs it.</p>
      <Outcomes parts={left} />
    </>
  );
}
