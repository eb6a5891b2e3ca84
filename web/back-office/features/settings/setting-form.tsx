import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import type { Schema } from "../../../../contract/request.ts";
import { penceOf } from "../../../../domain/pricing/money.ts";

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
          <Reset className="button-outlined mt-2" typed={typed}>
            Reload the saved version
          </Reset>
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
          <Reset className="button-quiet" typed={typed}>
            Discard changes
          </Reset>
        )}
      </div>
    </>
  );
}

interface ResetProps {
  readonly className: string;
  readonly typed: Pick<Typed<unknown>, "reset">;
  readonly children: ReactNode;
}

/** Goes back to the stored value. The button goes away then, so the form's first field gets the focus. */
function Reset({ className, typed, children }: ResetProps) {
  return (
    <button
      type="button"
      className={`button button-dense ${className}`}
      onClick={({ currentTarget: { form } }) => {
        typed.reset();
        form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
      }}
    >
      {children}
    </button>
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
