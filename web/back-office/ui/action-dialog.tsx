import { type FormEvent, type ReactNode, useId, useState } from "react";
import { ApiError } from "../../api/problem.ts";
import type { SelectOption } from "../../ui/fields/select-field.tsx";
import { Dialog } from "./dialog.tsx";

/** What was said with an action. */
export interface ActionValues {
  readonly reason: string;
  /** Free text; empty when none was given. It becomes a note, sealed in the vault. */
  readonly note: string;
  /** What else was filled in: the children's fields by name. */
  readonly fields: FormData;
}

interface ActionDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, in a sentence or two, before it does. */
  readonly whatHappens: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Does it. The dialog closes when it succeeds and shows the refusal when it throws. */
  readonly onConfirm: (values: ActionValues) => Promise<void>;
  /** The action's own fields. */
  readonly children?: ReactNode;
  /** Shown in place of the form when somebody else was faster: what changed meanwhile, and how to go on. */
  readonly conflict?: ReactNode;
  /** Other reasons than the usual ones; null for an action that needs none. */
  readonly reasons?: readonly SelectOption[] | null;
  /** False where a note has no place. */
  readonly withNote?: boolean;
}

/** Asks before something is done: what will happen, why it is done, and a note. Escape and Cancel leave everything as it was. */
export function ActionDialog(props: ActionDialogProps) {
  const { open, onClose, title, whatHappens, conflict } = props;
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <div className="mt-2 text-14 text-muted">{whatHappens}</div>
      {open && (conflict ? <Conflict {...props} /> : <ActionForm {...props} />)}
    </Dialog>
  );
}

function Conflict({ conflict, onClose }: ActionDialogProps) {
  return (
    <div role="alert" className="mt-4 border-l-3 border-danger pl-4">
      <p className="font-[600]">This changed while you were looking at it.</p>
      <div className="mt-1 text-14">{conflict}</div>
      <button type="button" className="button button-dense button-outlined mt-4" onClick={onClose}>
        Close and look again
      </button>
    </div>
  );
}

function ActionForm(props: ActionDialogProps) {
  const { onConfirm, onClose, children, withNote = true } = props;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const confirm = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setRefusal(null);
    try {
      await onConfirm({ reason: textIn(fields, "reason"), note: textIn(fields, "note").trim(), fields });
      onClose();
    } catch (failure) {
      setRefusal(wordsOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="mt-4 flex flex-col gap-4" onSubmit={(event) => void confirm(event)}>
      {children}
      <ReasonField {...props} />
      {withNote && <NoteField />}
      {refusal !== null && (
        <p role="alert" className="border-l-3 border-danger pl-3 text-14 font-[500] text-danger">
          {refusal}
        </p>
      )}
      <Buttons {...props} busy={busy} />
    </form>
  );
}

function Buttons({ confirmLabel, danger = false, onClose, busy }: ActionDialogProps & { busy: boolean }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <button type="button" className="button button-dense button-outlined" onClick={onClose}>
        Cancel
      </button>
      <button
        type="submit"
        className={`button button-dense ${danger ? "button-danger" : "button-primary"}`}
        disabled={busy}
      >
        {confirmLabel}
      </button>
    </div>
  );
}

function ReasonField({ reasons = staffReasonOptions }: ActionDialogProps) {
  const id = useId();
  if (reasons === null) return null;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-14 font-[500]">
        Reason
      </label>
      <select id={id} name="reason" className="dense-box" required defaultValue="">
        <option value="" disabled>
          Choose one
        </option>
        {reasons.map(({ value, words }) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
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
  if (failure instanceof ApiError) {
    const fields = failure.fields.map(({ message }) => message).join(" ");
    return fields || failure.detail || "This was refused. Nothing was changed.";
  }
  return "No answer came. Look whether it was done before you try again.";
}

/** Why somebody who works here does something: the closed list that events know, in words. */
const staffReasonOptions: readonly SelectOption[] = [
  { value: "customerAsked", words: "The customer asked" },
  { value: "detailsWrong", words: "Details were wrong" },
  { value: "groPhoned", words: "The GRO phoned" },
  { value: "groWrote", words: "The GRO wrote" },
  { value: "groWebsite", words: "Seen on the GRO's website" },
  { value: "automationDown", words: "The automation service was down" },
  { value: "complaint", words: "Complaint" },
  { value: "goodwill", words: "Goodwill" },
  { value: "ourMistake", words: "Our mistake" },
  { value: "suspectedFraud", words: "Suspected fraud" },
  { value: "lawRequires", words: "The law requires it" },
  { value: "other", words: "Something else (say it in the note)" },
];
