import { useState } from "react";
import type { RevealedContact } from "../../../../../contract/staff-orders/order-page.ts";
import { DuplicateLinks } from "../../../ui/duplicate-links.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import { type ActionForm, actionForms } from "./actions.tsx";
import { ActDialog, type ActingOn } from "./allowed-actions.tsx";

interface DuplicatesProps extends ActingOn {
  readonly contact: RevealedContact["contact"] | null;
}

/** The ways to give the money back, the first possible one of which is offered. */
const remedies = [
  { action: "cancel", words: "Cancel and refund this order…" },
  { action: "refund", words: "Refund this order…" },
] as const;

/** Other orders that may be for the same certificate, and the way to refund this one. */
export function Duplicates({ contact, ...on }: DuplicatesProps) {
  const [open, setOpen] = useState<ActionForm | null>(null);
  const { actions, duplicates } = on.order;
  if (duplicates.length === 0 && !open) return null;
  const remedy = remedies.find(({ action }) =>
    actions.some((offered) => offered.action === action && offered.allowed),
  );
  const form = actionForms.find(({ action }) => action === remedy?.action);
  return (
    <Panel title="Possible duplicate" className="mb-8">
      <p>
        This seems to be the same certificate as in <DuplicateLinks duplicates={duplicates} />. The customer
        may want both: ask before you refund one.
      </p>
      {remedy && form && (
        <button
          type="button"
          className="button button-dense button-outlined no-print mt-3"
          onClick={() => setOpen(form)}
        >
          {remedy.words}
        </button>
      )}
      {open && (
        <ActDialog
          {...on}
          form={open}
          reason="orderedTwice"
          contact={contact}
          onClose={() => setOpen(null)}
        />
      )}
    </Panel>
  );
}
