import type { ReactNode } from "react";
import type { Typed } from "./use-typed.ts";

/** The end of a form: what to do with it, and what happened meanwhile. */
export function FormEnd<Value>({ typed, action }: { typed: Typed<Value>; action: ReactNode }) {
  return (
    <>
      {typed.isStale && (
        <div role="alert" className="border-l-3 border-danger pl-3">
          <p className="font-[500]">Somebody has changed this while you were typing.</p>
          <p className="text-13 text-muted">See the history below. Your text has not been saved.</p>
          <button type="button" className="button button-dense button-outlined mt-2" onClick={typed.reset}>
            Begin again from what is stored
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
