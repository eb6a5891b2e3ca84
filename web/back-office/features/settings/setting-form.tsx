import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import type { Schema } from "../../../../contract/request.ts";
import type { Settings } from "../../../../contract/settings/settings.ts";
import { penceOf } from "../../../../domain/pricing/money.ts";
import { ApiError } from "../../../api/problem.ts";
import { keyPerBody, newIdempotencyKey } from "../../../api/request.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import {
  changeSetting,
  MeanwhileChanges,
  type SettingChange,
  useSettings,
  useSettingsHistory,
} from "./setting-history.tsx";

/** A change to confirm. */
export interface Proposal {
  readonly title: string;
  readonly whatHappens: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  readonly change: SettingChange;
  /** The revision that the user saw. */
  readonly seen: number;
  /** Success message. */
  readonly done: string;
  /** The change that undoes it, from the settings afterwards. If omitted, say so in `whatHappens`. */
  readonly undo?: (after: Settings) => SettingChange | undefined;
  /** Called on success, to reset the form. */
  readonly onDone?: () => void;
}

type Propose = (proposal: Proposal) => void;

export interface ViewProps {
  readonly settings: Settings;
  readonly propose: Propose;
}

interface Done {
  readonly words: string;
  readonly undo: SettingChange | undefined;
  readonly revision: number;
}

/** Makes changes and updates the cached settings. */
function useChanges() {
  const settings = useSettings();
  const history = useSettingsHistory();
  const keyOf = useMemo(() => keyPerBody(newIdempotencyKey), []);
  return {
    make: async (change: SettingChange, seen: number): Promise<Settings> => {
      const after = await changeSetting(change, seen, keyOf({ change, seen }));
      await settings.mutate(after, { revalidate: false });
      void history.mutate();
      return after;
    },
    reload: () => Promise.all([settings.mutate(), history.mutate()]),
  };
}

/** Confirms and makes changes, and offers to undo them. */
export function useProposals(): { propose: Propose; asking: ReactNode; outcome: ReactNode } {
  const { make, reload } = useChanges();
  const [proposal, setProposal] = useState<Proposal>();
  const [conflict, setConflict] = useState<number>();
  const [done, setDone] = useState<Done>();

  const confirm = async ({ change, seen, done: words, undo, onDone }: Proposal): Promise<void> => {
    try {
      const after = await make(change, seen);
      setDone({ words, undo: undo?.(after), revision: after.revision });
      onDone?.();
    } catch (failure) {
      if (isConflict(failure)) {
        await reload();
        setConflict(seen);
      }
      throw failure;
    }
  };
  const undoChange = async ({ undo, revision }: Done): Promise<void> => {
    if (!undo) return;
    try {
      const after = await make(undo, revision);
      setDone({ words: "Change undone.", undo: undefined, revision: after.revision });
    } catch (failure) {
      await reload();
      setDone({ words: undoFailure(failure), undo: undefined, revision });
    }
  };
  return {
    propose: (proposed) => {
      setConflict(undefined);
      setDone(undefined);
      setProposal(proposed);
    },
    asking: (
      <ActionDialog
        open={proposal !== undefined}
        onClose={() => setProposal(undefined)}
        title={proposal?.title ?? ""}
        whatHappens={proposal?.whatHappens}
        confirmLabel={proposal?.confirmLabel ?? ""}
        danger={proposal?.danger ?? false}
        reasons={null}
        withNote={false}
        // The outcome below is read out.
        done={null}
        conflict={conflict === undefined ? undefined : <MeanwhileChanges since={conflict} />}
        onConfirm={async () => {
          if (proposal) await confirm(proposal);
        }}
      />
    ),
    outcome: <Outcome done={done} onUndo={undoChange} />,
  };
}

const isConflict = (failure: unknown): boolean =>
  failure instanceof ApiError && failure.code === "changed-meanwhile";

function undoFailure(failure: unknown): string {
  if (isConflict(failure)) return "The change was not undone: someone has changed a setting since.";
  return failure instanceof ApiError && failure.status < 500
    ? `The change was not undone. ${failure.detail ?? ""}`
    : "There was no response. Check whether the change was undone.";
}

/** Always rendered: screen readers announce changes to an existing live region. */
function Outcome({ done, onUndo }: { done: Done | undefined; onUndo: (done: Done) => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const undo = async (): Promise<void> => {
    if (!done) return;
    setBusy(true);
    await onUndo(done);
    setBusy(false);
  };
  return (
    <div
      role="status"
      className={
        done
          ? "sticky top-0 z-2 mb-4 flex flex-wrap items-center gap-3 border-l-3 border-primary bg-tint px-3 py-1.5"
          : "sr-only"
      }
    >
      {done && <p>{done.words}</p>}
      {done?.undo && (
        <BusyButton
          type="button"
          className="button button-dense button-outlined"
          busy={busy}
          onClick={() => void undo()}
        >
          Undo
        </BusyButton>
      )}
    </div>
  );
}

interface SettingFormProps {
  readonly className: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

/** A form of settings. After a refusal the first field with an error has the focus, and is read out with it. */
export function SettingForm({ className, onSubmit, children }: SettingFormProps) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={(event) => focusFirstError(event.currentTarget, () => onSubmit(event))}
    >
      {children}
    </form>
  );
}

/** Checks a form, and moves the focus to the first field with an error. */
export function focusFirstError(form: HTMLFormElement | null, check: () => void): void {
  // The errors must be on the page before the first of them is looked for.
  flushSync(check);
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

/** Buttons of a form, and a warning after a concurrent change. */
export function FormEnd<Value>({ typed, action }: { typed: Typed<Value>; action: ReactNode }) {
  return (
    <>
      {typed.isStale && (
        <div role="alert" className="border-l-3 border-danger pl-3">
          <p className="font-[500]">Someone changed this while you were typing.</p>
          <p className="text-13 text-muted">See the history below. Your text has not been saved.</p>
          <button type="button" className="button button-dense button-outlined mt-2" onClick={typed.reset}>
            Reload the saved version
          </button>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <button
          type="submit"
          className="button button-dense button-primary"
          disabled={!typed.isChanged || typed.isStale}
        >
          {action}
        </button>
        {typed.isChanged && !typed.isStale && (
          <button type="button" className="button button-dense button-quiet" onClick={typed.reset}>
            Discard changes
          </button>
        )}
      </div>
    </>
  );
}

/** The first error message of each field, by path; empty if the value is valid. */
export function errorsIn(schema: Schema, value: unknown): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { path, message } of z.safeParse(schema, value).error?.issues ?? []) {
    errors[path.join(".")] ??= message;
  }
  return errors;
}

/** State of a form, and the revision of the settings that it is based on. */
export interface Typed<Value> {
  readonly value: Value;
  /** The expected revision, to detect concurrent changes. */
  readonly seen: number;
  readonly isChanged: boolean;
  /** True if someone else has changed this setting meanwhile. */
  readonly isStale: boolean;
  readonly set: (value: Value) => void;
  /** Reloads the stored value. */
  readonly reset: () => void;
}

/** Form state based on the stored value. It follows changes by others until the user types. */
export function useTyped<Value>(stored: Value, revision: number): Typed<Value> {
  const [base, setBase] = useState({ value: stored, revision });
  const [value, set] = useState(stored);
  const isSame = same(stored, base.value);
  const isChanged = !same(value, base.value);
  const newest = useRef({ stored, revision });
  newest.current = { stored, revision };
  const reset = (): void => {
    setBase({ value: newest.current.stored, revision: newest.current.revision });
    set(newest.current.stored);
  };
  const adopted = useRef(reset);
  adopted.current = reset;
  // Nothing to lose: the user's own change was stored, or nothing was typed.
  const mayFollow = revision !== base.revision && (!isChanged || same(value, stored));
  useEffect(() => {
    if (mayFollow) adopted.current();
  }, [mayFollow]);
  return {
    value,
    seen: isSame ? revision : base.revision,
    isChanged,
    isStale: !isSame && !mayFollow,
    set,
    reset,
  };
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** '49.00', for a field labelled in pounds. */
export const poundsText = (pence: number): string => (pence / 100).toFixed(2);

/** Pence from text with or without pound sign and commas; undefined if it is not an amount. */
export function penceIn(text: string): number | undefined {
  const plain = text.trim().replace(/^£\s*/, "").replaceAll(",", "");
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? penceOf(Number(plain)) : undefined;
}
