import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { ApiError } from "../../api/problem.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import type { SelectOption } from "../../ui/fields/choice-fields.tsx";
import { announce } from "./announcements.tsx";
import { DenseSelect } from "./dense-field.tsx";

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Escape does nothing meanwhile. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog named by its title; Escape closes it. The focus returns to what had it. */
export function Dialog({ open, onClose, title, busy = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect: it still finds the dialog when the page drops it. Only `close` gives the focus back.
  useLayoutEffect(() => {
    const shown = open ? dialog.current : null;
    if (!shown) return;
    shown.showModal();
    return () => {
      shown.close();
      addEventListener("click", ignoreRestOfDoubleClick, { capture: true });
    };
  }, [open]);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={titleId}
      // "close" fires a moment after Escape; a dialog reopened in that moment must stay open.
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      onClose={() => {
        if (dialog.current?.open !== true) onClose();
      }}
    >
      <div className="p-5">
        <h2 id={titleId} className="text-18">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** The second click of a double click that closed a dialog would use what was under it. */
function ignoreRestOfDoubleClick(event: MouseEvent): void {
  if (event.detail > 1) {
    event.preventDefault();
    event.stopPropagation();
  } else removeEventListener("click", ignoreRestOfDoubleClick, { capture: true });
}

export interface ActionValues {
  readonly reason: string;
  /** May be empty. Becomes a note, sealed in the vault. */
  readonly note: string;
  /** Values of the children's fields. */
  readonly fields: FormData;
}

interface ActionDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** The effect, in a sentence or two. */
  readonly whatHappens: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** The dialog closes on success and shows the error when this throws. */
  readonly onConfirm: (values: ActionValues) => Promise<void>;
  /** Fields of this action. */
  readonly children?: ReactNode;
  /** Shown instead of the form after a concurrent change: what changed and how to continue. */
  readonly conflict?: ReactNode;
  /** Defaults to the staff reasons; null for an action without a reason. */
  readonly reasons?: readonly SelectOption[] | null;
  /** The reason that is chosen at first. */
  readonly reason?: string | undefined;
  readonly withNote?: boolean;
  /** What screen readers hear on success; null where the page itself tells it. */
  readonly done?: string | null;
}

/**
 * Confirms an action and asks for a reason and a note. Escape and Cancel change nothing, and do nothing while the action is
 * under way: they could not stop it, and a refusal would have no place.
 */
export function ActionDialog(props: ActionDialogProps) {
  const { open, onClose, title, whatHappens, conflict } = props;
  const [busy, setBusy] = useState(false);
  return (
    <Dialog open={open} onClose={onClose} title={title} busy={busy}>
      <div className="mt-2 text-14 text-muted">{whatHappens}</div>
      {open && (conflict ? <Conflict {...props} /> : <ActionForm {...props} busy={busy} onBusy={setBusy} />)}
    </Dialog>
  );
}

function Conflict({ conflict, onClose }: ActionDialogProps) {
  return (
    <div role="alert" className="mt-4 border-l-3 border-danger pl-4">
      <p className="font-[600]">This changed while you were viewing it.</p>
      <div className="mt-1 text-14">{conflict}</div>
      <button type="button" className="button button-dense button-outlined mt-4" onClick={onClose}>
        Close and review
      </button>
    </div>
  );
}

interface ActionFormProps extends ActionDialogProps {
  readonly busy: boolean;
  readonly onBusy: (busy: boolean) => void;
}

function ActionForm(props: ActionFormProps) {
  const { onConfirm, onClose, onBusy, children, confirmLabel, withNote = true } = props;
  const { done = `${confirmLabel}: done.` } = props;
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    onBusy(true);
    setRefusal(null);
    try {
      await onConfirm({ reason: textIn(fields, "reason"), note: textIn(fields, "note").trim(), fields });
      onClose();
      if (done !== null) announce(done);
    } catch (failure) {
      setRefusal(wordsOf(failure));
    } finally {
      onBusy(false);
    }
  };
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => void confirm(event)}
      // The browser now says what is wrong.
      onInvalidCapture={() => setRefusal(null)}
    >
      {children}
      <ReasonField {...props} />
      {withNote && <NoteField />}
      {refusal !== null && (
        <p role="alert" className="border-l-3 border-danger pl-3 text-14 font-[500] text-danger">
          {refusal}
        </p>
      )}
      <Buttons {...props} />
    </form>
  );
}

function Buttons({ confirmLabel, danger = false, onClose, busy }: ActionFormProps) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <BusyButton type="button" className="button button-dense button-outlined" busy={busy} onClick={onClose}>
        Cancel
      </BusyButton>
      <BusyButton
        type="submit"
        className={`button button-dense ${danger ? "button-danger" : "button-primary"}`}
        busy={busy}
      >
        {confirmLabel}
      </BusyButton>
    </div>
  );
}

function ReasonField({ reasons = staffReasonOptions, reason }: ActionDialogProps) {
  if (reasons === null) return null;
  return (
    <DenseSelect
      label="Reason"
      name="reason"
      required
      placeholder="Choose a reason"
      defaultValue={reason}
      options={reasons}
    />
  );
}

function NoteField() {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-14 font-[500]">
        Note <span className="font-[400] text-muted">(optional; staff only)</span>
      </label>
      <textarea id={id} name="note" rows={3} maxLength={2000} className="dense-box" />
    </div>
  );
}

const textIn = (fields: FormData, name: string): string => {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
};

function wordsOf(failure: unknown): string {
  if (!(failure instanceof ApiError))
    return "There was no response. Check whether it was done before you try again.";
  const fields = failure.fields.map(({ message }) => message).join(" ");
  const unexplained =
    failure.status < 500
      ? "The request was rejected. Nothing has changed."
      : "Something went wrong. Check whether it was done before you try again.";
  return fields || failure.detail || unexplained;
}

/** The staff reasons that events can record, in words. */
const staffReasonOptions: readonly SelectOption[] = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "detailsWrong", words: "Details were wrong" },
  { value: "groPhoned", words: "The GRO phoned" },
  { value: "groWrote", words: "The GRO wrote" },
  { value: "groWebsite", words: "Seen on the GRO’s website" },
  { value: "automationDown", words: "The automation service was down" },
  { value: "complaint", words: "Complaint" },
  { value: "goodwill", words: "Goodwill" },
  { value: "ourMistake", words: "Our mistake" },
  { value: "suspectedFraud", words: "Suspected fraud" },
  { value: "orderedTwice", words: "Ordered twice" },
  { value: "lawRequires", words: "Legal requirement" },
  { value: "other", words: "Other (explain in the note)" },
];
