import type { ReactNode } from "react";
import { ApiError } from "../../api/problem.ts";

/** What stands where there is nothing: why, in a sentence, and the next step where there is one. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-[500]">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-[52ch] text-13 text-muted">{children}</div>}
    </div>
  );
}

const widths = ["62%", "84%", "48%", "71%", "39%"] as const;

/** Lines in the place of text that is on its way; they keep the layout. Silent: `label` is read out once, by the page. */
export function Skeleton({ lines = 3, label }: { lines?: number; label?: string }) {
  return (
    <div className="flex flex-col gap-3 py-1" role={label ? "status" : undefined}>
      {label && <span className="sr-only">{label}</span>}
      {Array.from({ length: lines }, (_, line) => (
        <svg
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move.
          key={line}
          aria-hidden="true"
          className="skeleton-line"
          width={widths[line % widths.length]}
          height="10"
        />
      ))}
    </div>
  );
}

interface NotLoadedProps {
  /** The thing, as a sentence begins: 'The order'. */
  readonly what: string;
  /** What loading it failed with. */
  readonly failure?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What stands where something could not be loaded, read out at once, with a button that tries again. */
export function NotLoaded({ what, failure, onRetry }: NotLoadedProps) {
  return (
    <div role="alert" className="px-4 py-10 text-center">
      <p className="font-[500]">{what} could not be loaded.</p>
      <p className="mt-1 text-13 text-muted">{whyOf(failure)}</p>
      {onRetry && (
        <button type="button" className="button button-dense button-outlined mt-4" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function whyOf(failure: unknown): string {
  return failure instanceof ApiError && failure.code === "record-unreadable"
    ? "Its history cannot be read, and nothing is done to it until that is put right. Compliance lists it under Parked."
    : "The connection may be lost, or the server is away.";
}
