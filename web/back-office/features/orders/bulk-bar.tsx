import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import {
  actOnOrders,
  type BulkAct,
  type BulkOutcome,
  type OrderLine,
} from "../../../../contract/staff-orders/list.ts";
import { staffReason } from "../../../../domain/decider.ts";
import { keyPerBody, newIdempotencyKey } from "../../../api/request.ts";
import { send } from "../../../api/send.ts";
import { now } from "../../../ui/dates.ts";
import { adminPages } from "../../paths.ts";
import { ActionDialog, type ActionValues } from "../../ui/action-dialog.tsx";
import { DenseArea, DespatchField, despatchMoment } from "../../ui/dense-field.tsx";
import { Status, type Tone } from "../../ui/values.tsx";

/** What was pressed for which orders: they stay the same however the list changes while the dialog is open. */
export interface BulkAsked {
  readonly action: BulkAction;
  readonly orders: readonly OrderLine[];
}

interface BulkBarProps {
  readonly selected: readonly OrderLine[];
  readonly asked: BulkAsked | null;
  readonly onAsk: (asked: BulkAsked | null) => void;
  readonly onClear: () => void;
  readonly onDone: (action: BulkAction, outcomes: readonly BulkOutcome[]) => void;
}

const actions: readonly BulkAction[] = ["requestSubmission", "recordDispatch", "addNote"];

export function BulkBar({ selected, asked, onAsk, onClear, onDone }: BulkBarProps) {
  return (
    <>
      <section
        aria-label="Selected orders"
        className="sticky bottom-0 z-10 -mx-4 mt-4 flex flex-wrap items-center gap-2 border-t border-field bg-surface px-4 py-2.5 md:-mx-7 md:px-7"
      >
        <p className="mr-2 font-[600]" aria-live="polite">
          {countOf(selected.length)} selected
        </p>
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            className="button button-dense button-outlined"
            onClick={() => onAsk({ action, orders: selected })}
          >
            {bulkActions[action].press}
          </button>
        ))}
        <button type="button" className="button button-dense button-quiet" onClick={onClear}>
          Clear
        </button>
      </section>
      {actions.map((action) => (
        <BulkDialog
          key={action}
          action={action}
          open={asked?.action === action}
          orders={asked?.orders ?? selected}
          onClose={() => onAsk(null)}
          onDone={(outcomes) => onDone(action, outcomes)}
        />
      ))}
    </>
  );
}

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly open: boolean;
  readonly orders: readonly OrderLine[];
  readonly onClose: () => void;
  readonly onDone: (outcomes: readonly BulkOutcome[]) => void;
}

function BulkDialog({ action, open, orders, onClose, onDone }: BulkDialogProps) {
  const words = bulkActions[action];
  // A retry after a lost response reuses the key; an answered request gets a new one.
  const keyOf = useRef(keyPerBody(newIdempotencyKey));
  const confirm = async (values: ActionValues): Promise<void> => {
    const act = actOf(action, orders, values);
    const idempotencyKey = keyOf.current(act);
    const { outcomes } = await send(actOnOrders, { body: act }, { idempotencyKey });
    keyOf.current = keyPerBody(newIdempotencyKey);
    onDone(outcomes);
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={words.title(orders.length)}
      whatHappens={words.whatHappens}
      confirmLabel={words.confirm(orders.length)}
      withNote={action !== "addNote"}
      // The results take the focus, and say what was done.
      done={null}
      onConfirm={confirm}
    >
      {action === "recordDispatch" && <DespatchField />}
      {action === "addNote" && <DenseArea label="Note" name="note" rows={4} required maxLength={2000} />}
    </ActionDialog>
  );
}

function actOf(
  action: BulkAction,
  orders: readonly OrderLine[],
  { reason, note, fields }: ActionValues,
): BulkAct {
  const common = { orders: orders.map(({ id }) => id), reason: staffReason.parse(reason), note };
  if (action !== "recordDispatch") return { action, ...common };
  return { action, ...common, dispatchedAt: despatchMoment(fields, now()) };
}

export interface BulkResult {
  readonly action: BulkAction;
  readonly outcomes: readonly BulkOutcome[];
}

const tones: Readonly<Record<BulkOutcome["outcome"], Tone>> = {
  done: "fulfilled",
  unchanged: "failed",
  refused: "cancelled",
  failed: "cancelled",
};

/** The outcome of each order, problems first. */
export function BulkResults({ result, onClose }: { result: BulkResult; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each result takes the focus, for screen readers.
  useEffect(() => heading.current?.focus(), [result]);
  const { action, outcomes } = result;
  const done = outcomes.filter(({ outcome }) => outcome === "done").length;
  const order = ["failed", "refused", "unchanged", "done"];
  const sorted = outcomes.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome));
  return (
    <section aria-label="Results" className="mb-4 border-l-3 border-primary pl-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 ref={heading} tabIndex={-1} className="text-16">
          {bulkActions[action].done}: {done} of {countOf(outcomes.length)}
        </h2>
        <button type="button" className="button button-dense button-quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <ul className="mt-1 max-h-56 overflow-auto text-13" tabIndex={-1}>
        {sorted.map((one) => (
          <li key={one.id} className="flex flex-wrap items-baseline gap-x-3 py-0.5">
            {one.orderNumber === null ? (
              <span className="figures">{one.id}</span>
            ) : (
              <Link className="link figures" to={adminPages.order(one.orderNumber)}>
                {one.orderNumber}
              </Link>
            )}
            <Status status={outcomeWords(one, action)} tone={tones[one.outcome]} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type BulkAction = BulkAct["action"];

/** `1 order`, `12 orders` */
const countOf = (count: number): string =>
  count === 1 ? "1 order" : `${count.toLocaleString("en-GB")} orders`;

interface BulkWords {
  readonly press: string;
  readonly title: (count: number) => string;
  readonly whatHappens: string;
  readonly confirm: (count: number) => string;
  /** Outcome of one order, and heading of the results. */
  readonly done: string;
}

const bulkActions: Readonly<Record<BulkAction, BulkWords>> = {
  requestSubmission: {
    press: "Request submission…",
    title: (count) => `Request submission of ${countOf(count)}`,
    whatHappens:
      "Each paid order gets a despatch date and a confirmation email, and is then submitted to the GRO. Orders already requested do not change; unpaid orders are skipped.",
    confirm: (count) => `Request for ${countOf(count)}`,
    done: "Submission requested",
  },
  recordDispatch: {
    press: "Mark despatched…",
    title: (count) => `Mark ${countOf(count)} despatched`,
    whatHappens:
      "We email each customer that the certificate is on its way and mark each order fulfilled. This cannot be undone. Orders that are not with the GRO are skipped.",
    confirm: (count) => `Mark ${countOf(count)} despatched`,
    done: "Marked despatched",
  },
  addNote: {
    press: "Add note…",
    title: (count) => `Add a note to ${countOf(count)}`,
    whatHappens:
      "The same note is sealed with each order. Only staff can read it, and it is destroyed with the contact data.",
    confirm: (count) => `Add to ${countOf(count)}`,
    done: "Note added",
  },
};

const refusals: Readonly<Record<string, string>> = {
  "not-paid": "it is not paid",
  "not-submitted": "it is not with the GRO",
  "already-cancelled": "it has been cancelled",
  "already-failed": "it has failed",
  "already-fulfilled": "it is already fulfilled",
  "already-dispatched": "it has already been despatched",
  "contact-purged": "its contact data has been destroyed",
  "unknown-order": "the order does not exist",
  busy: "the system was busy: try again",
  unavailable: "the records could not be reached: try again",
  "record-unreadable": "its history cannot be read until it is repaired",
};

function outcomeWords({ outcome, why }: BulkOutcome, action: BulkAction): string {
  if (outcome === "done") return bulkActions[action].done;
  if (outcome === "unchanged") return "Already done";
  const because = why === null ? "" : `: ${refusals[why] ?? why.replaceAll("-", " ")}`;
  return `${outcome === "refused" ? "Skipped" : "Failed"}${because}`;
}
