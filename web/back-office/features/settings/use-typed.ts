import { useEffect, useRef, useState } from "react";

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
