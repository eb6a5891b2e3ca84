import { useState } from "react";
import { addressOf } from "../../../../../contract/request.ts";
import * as actions from "../../../../../contract/staff-orders/actions.ts";
import type {
  OrderPage,
  RevealedContact,
  TimelineEntry,
} from "../../../../../contract/staff-orders/order-page.ts";
import { ApiError } from "../../../../api/problem.ts";
import { newIdempotencyKey, request } from "../../../../api/request.ts";
import { useSubmittedByHand } from "../../../../site/config.ts";
import { commandsAsSeen } from "../../../commands-as-seen.ts";
import { ActionDialog } from "../../../ui/action-dialog.tsx";
import { Panel } from "../../../ui/page-parts.tsx";
import { isNews, News, sameAs } from "../timeline/state-panel.tsx";
import { type ActionForm, actionForms } from "./actions.tsx";

/** Page state that an action needs. */
export interface ActingOn {
  readonly order: OrderPage;
  readonly entries: readonly TimelineEntry[];
  /** Reloads the order. @returns its newest revision */
  readonly refresh: () => Promise<number | undefined>;
}

/**
 * Acts on the order as of opening the dialog. After a concurrent change, shown as `news`, the server refuses;
 * confirming again acts on the newer state. Typed values are kept.
 */
export function useAct(action: string, { order, entries, refresh }: ActingOn) {
  const [opened] = useState(order.revision);
  const [seen, setSeen] = useState(order.revision);
  const [send] = useState(() => commandsAsSeen(newIdempotencyKey));
  const act = async (given: { reason: string; note: string }, more: object): Promise<void> => {
    const url = addressOf(requestOf(action), { orderNumber: order.orderNumber });
    try {
      await send({ ...more, ...given }, sameAs(seen, entries), (body, options) =>
        request("POST", url, body, options),
      );
    } catch (failure) {
      if (isConflict(failure)) setSeen((await refresh()) ?? seen);
      throw failure;
    }
    await refresh();
  };
  return { act, news: entries.filter((entry) => entry.revision > opened && isNews(entry)) };
}

/** The request of an action; the server validates its fields. */
function requestOf(action: string) {
  const known = Object.entries(actions).find(([name]) => name === action)?.[1];
  if (!known) throw new Error(`Unknown action ${action}`);
  return known;
}

const isConflict = (failure: unknown): boolean => failure instanceof ApiError && failure.status === 409;

interface AllowedActionsProps extends ActingOn {
  readonly contact: RevealedContact["contact"] | null;
  /** False while an earlier state is shown. */
  readonly isNow: boolean;
  readonly onNow: () => void;
  readonly onAmend: () => void;
  readonly onPrint: () => void;
}

/** The action that resolves each task gets the primary button. */
const remedies: Readonly<Record<string, string>> = {
  undelivered: "correctContact",
  submissionFailed: "recordSubmission",
  groQuestion: "amendApplication",
  refundUnassigned: "assignRefund",
  refundProposed: "approveProposal",
  refundFailed: "recordBankTransfer",
};

/** The allowed actions, and why the others are not possible. */
export function AllowedActions({ isNow, onNow, ...props }: AllowedActionsProps) {
  if (!isNow) {
    return (
      <Panel title="Available actions" className="no-print mt-6">
        <p className="text-muted">
          You are viewing an earlier state. Return to the current state to take action.
        </p>
        <button type="button" className="button button-dense button-outlined mt-3" onClick={onNow}>
          Return to the current state
        </button>
      </Panel>
    );
  }
  return (
    <Panel title="Available actions" className="no-print mt-6">
      <Buttons {...props} />
      <Refused {...props} />
    </Panel>
  );
}

function Buttons({ contact, onAmend, onPrint, ...on }: Omit<AllowedActionsProps, "isNow" | "onNow">) {
  const byHand = useSubmittedByHand();
  const [open, setOpen] = useState<ActionForm | null>(null);
  const { actions, tasks, personal } = on.order;
  const allowed = new Set<string>(actions.flatMap(({ action, allowed }) => (allowed ? [action] : [])));
  const wanted = [...tasks.map(({ task }) => remedies[task]), byHand ? "recordSubmission" : undefined];
  const remedy = wanted.find((action) => action && allowed.has(action));
  const style = (action: string, danger?: boolean): string => {
    if (action === remedy) return "button-primary";
    return danger ? "button-danger" : "button-outlined";
  };
  const canPrint = allowed.has("revealApplication") && personal.application.state === "sealed";
  if (allowed.size === 0) return <p className="text-muted">Your role can view orders but not change them.</p>;
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
        {actionForms
          .filter(({ action }) => allowed.has(action))
          .map((form) => (
            <button
              key={form.action}
              type="button"
              className={`button button-dense ${style(form.action, form.danger)}`}
              onClick={() => setOpen(form)}
            >
              {form.label}
            </button>
          ))}
      </div>
      {open && <ActDialog {...on} form={open} contact={contact} onClose={() => setOpen(null)} />}
    </>
  );
}

const labels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(actionForms.map(({ action, label }) => [action, label.replace("…", "")])),
  amendApplication: "Amend application",
};

function Refused({ order }: Pick<AllowedActionsProps, "order">) {
  const refused = order.actions.filter(({ action, allowed }) => !allowed && labels[action] !== undefined);
  const byRole = refused.length === Object.keys(labels).length;
  if (refused.length === 0 || byRole) return null;
  return (
    <details className="mt-3 text-13">
      <summary className="inline-flex min-h-6 cursor-pointer items-center text-muted hover:text-primary">
        {refused.length === 1 ? "One action is" : `${refused.length} actions are`} not available now
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

interface ActDialogProps extends ActingOn {
  readonly form: ActionForm;
  /** The reason that is chosen at first. */
  readonly reason?: string;
  readonly contact: RevealedContact["contact"] | null;
  readonly onClose: () => void;
}

/** The dialog of an action, with concurrent changes and, while one can be sealed, a note. */
export function ActDialog({ form, reason, contact, onClose, ...on }: ActDialogProps) {
  const { act, news } = useAct(form.action, on);
  const { Fields, bodyOf } = form;
  // Fields keep the order as of opening the dialog: a re-render could lose what was typed.
  const [known] = useState({ order: on.order, contact });
  const canKeepNote = on.order.personal.contact.state === "sealed" && form.action !== "addNote";
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={form.title}
      whatHappens={form.whatHappens}
      confirmLabel={form.confirmLabel}
      danger={form.danger === true}
      reason={reason}
      withNote={canKeepNote}
      onConfirm={({ reason, note, fields }) => act({ reason, note }, bodyOf?.(fields, known) ?? {})}
    >
      <News entries={news} />
      {Fields && <Fields {...known} />}
    </ActionDialog>
  );
}
