import { useState } from "react";
import type { RevealedContact } from "../../../../contract/order-desk/reveals.ts";
import { useSubmittedByHand } from "../../../site/config.ts";
import { Panel } from "../../ui/panel.tsx";
import { ActDialog } from "./act-dialog.tsx";
import { type ActionLook, actionLooks } from "./actions.tsx";
import type { ActingOn } from "./use-act.ts";

interface AllowedActionsProps extends ActingOn {
  readonly contact: RevealedContact["contact"] | null;
  /** False while the past is looked at. */
  readonly isNow: boolean;
  readonly onNow: () => void;
  readonly onAmend: () => void;
  readonly onPrint: () => void;
}

/** What waits for somebody is what they most likely came for. */
const remedies: Readonly<Record<string, string>> = {
  confirmationUndeliverable: "correctContact",
  submissionFailed: "recordSubmission",
  groQuestion: "amendApplication",
  refundProposed: "approveProposal",
  refundFailed: "recordBankTransfer",
};

/** The actions that this phase and this role allow, and why the others are not possible. */
export function AllowedActions({ isNow, onNow, ...props }: AllowedActionsProps) {
  if (!isNow) {
    return (
      <Panel title="Allowed now" className="no-print mt-6">
        <p className="text-muted">You are looking at the past, where nothing can be done.</p>
        <button type="button" className="button button-dense button-outlined mt-3" onClick={onNow}>
          Back to now
        </button>
      </Panel>
    );
  }
  return (
    <Panel title="Allowed now" className="no-print mt-6">
      <Buttons {...props} />
      <Refused {...props} />
    </Panel>
  );
}

function Buttons({ contact, onAmend, onPrint, ...on }: Omit<AllowedActionsProps, "isNow" | "onNow">) {
  const byHand = useSubmittedByHand();
  const [open, setOpen] = useState<ActionLook | null>(null);
  const { actions, tasks, personal } = on.order;
  const allowed = new Set<string>(actions.flatMap(({ action, allowed }) => (allowed ? [action] : [])));
  const wanted = [...tasks.map(({ task }) => remedies[task]), byHand ? "recordSubmission" : undefined];
  const remedy = wanted.find((action) => action && allowed.has(action));
  const style = (action: string, danger?: boolean): string => {
    if (action === remedy) return "button-primary";
    return danger ? "button-danger" : "button-outlined";
  };
  const canPrint = allowed.has("revealApplication") && personal.application.state === "sealed";
  if (allowed.size === 0) return <p className="text-muted">Your role reads orders, and changes none.</p>;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {allowed.has("amendApplication") && (
          <button
            type="button"
            className={`button button-dense ${style("amendApplication")}`}
            onClick={onAmend}
          >
            {remedy === "amendApplication" ? "Answer the GRO" : "Amend application"}
          </button>
        )}
        {canPrint && (
          <button type="button" className="button button-dense button-outlined" onClick={onPrint}>
            Application form (PDF)
          </button>
        )}
        {actionLooks
          .filter(({ action }) => allowed.has(action))
          .map((look) => (
            <button
              key={look.action}
              type="button"
              className={`button button-dense ${style(look.action, look.danger)}`}
              onClick={() => setOpen(look)}
            >
              {look.label}
            </button>
          ))}
      </div>
      {open && <ActDialog {...on} look={open} contact={contact} onClose={() => setOpen(null)} />}
    </>
  );
}

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(actionLooks.map(({ action, label }) => [action, label.replace("…", "")])),
  amendApplication: "Amend application",
};

function Refused({ order }: Pick<AllowedActionsProps, "order">) {
  const refused = order.actions.filter(({ action, allowed }) => !allowed && labels[action] !== undefined);
  const byRole = refused.length === Object.keys(labels).length;
  if (refused.length === 0 || byRole) return null;
  return (
    <details className="mt-3 text-13">
      <summary className="inline-flex min-h-6 cursor-pointer items-center text-muted hover:text-primary">
        {refused.length === 1 ? "One action is" : `${refused.length} actions are`} not possible now
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5 text-muted">
        {refused.map(({ action, why }) => (
          <li key={action}>
            {labels[action]}: {why}.
          </li>
        ))}
      </ul>
    </details>
  );
}
