import { type ReactNode, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import type { Schema } from "../../../../contract/request.ts";
import { penceOf } from "../../../../domain/pricing/money.ts";

/** The end of a form: what to do with it, and what happened meanwhile. */
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

/** The first message of each field that a schema refuses, by its path; empty when it takes the value. */
export function errorsIn(schema: Schema, value: unknown): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const { path, message } of z.safeParse(schema, value).error?.issues ?? []) {
    errors[path.join(".")] ??= message;
  }
  return errors;
}

/** What stands in a form, and the revision of the settings that it began with. */
export interface Typed<Value> {
  readonly value: Value;
  /** Sent along with the change: one that somebody made meanwhile is never overwritten unseen. */
  readonly seen: number;
  readonly isChanged: boolean;
  /** Somebody else has changed this setting since the form began. */
  readonly isStale: boolean;
  readonly set: (value: Value) => void;
  /** Begins anew from what is stored. */
  readonly reset: () => void;
}

/** A form's values, beginning with what is stored. What others change follows by itself as long as nothing was typed. */
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
  // One's own change was stored, or nothing was typed yet: nothing can be lost.
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

/** '49.00', for a box that has its pound sign beside it. */
export const poundsText = (pence: number): string => (pence / 100).toFixed(2);

/** Pence from what somebody typed, with or without pound sign and commas; undefined when it is no amount. */
export function penceIn(text: string): number | undefined {
  const plain = text.trim().replace(/^£\s*/, "").replaceAll(",", "");
  return /^\d{1,6}(\.\d{1,2})?$/.test(plain) ? penceOf(Number(plain)) : undefined;
}
