import { type ReactNode, useEffect, useId, useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import { ApiError, referenceWords } from "../../api/problem.ts";
import { useTradingName } from "../../site/config.ts";
import { KeyHelp } from "../layout/shortcuts.tsx";

interface PageTopProps {
  /** Title of the browser tab. */
  title: string;
  /** Replaces the title as heading, for example with a grouped order number. */
  heading?: ReactNode;
  /** Link to the parent list. */
  from?: { readonly to: string; readonly words: string };
  /** Badges beside the heading. */
  children?: ReactNode;
}

/** Page header with breadcrumb, heading and keyboard shortcuts. */
export function PageTop({ title, heading, from, children }: PageTopProps) {
  const h1 = useRef<HTMLHeadingElement>(null);
  const { pathname, key } = useLocation();
  const name = useTradingName();
  useEffect(() => {
    document.title = `${title} – ${name} back office`;
  }, [title, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves to the heading of a new page, not on a new filter.
  useEffect(() => {
    if (key !== "default") h1.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <div className="mb-5 flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-hairline pt-3 pb-2">
      {from && (
        <span className="text-muted">
          <Link className="link" to={from.to}>
            {from.words}
          </Link>
          <span aria-hidden="true"> /</span>
        </span>
      )}
      <h1 ref={h1} tabIndex={-1}>
        {heading ?? title}
      </h1>
      {children}
      <span className="ml-auto">
        <KeyHelp />
      </span>
    </div>
  );
}

interface PanelProps {
  title: ReactNode;
  /** Links or small buttons beside the title. */
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled section of a page. */
export function Panel({ title, actions, className = "", children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b border-hairline pb-1.5">
        <h2 id={id}>{title}</h2>
        {actions && <div className="flex items-center gap-2 text-13">{actions}</div>}
      </div>
      <div className="pt-3">{children}</div>
    </section>
  );
}

/** A two-column definition list. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      {children}
    </dl>
  );
}

export function FactLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

/** Empty state: a reason and, if there is one, the next step. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-[500]">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-[52ch] text-13 text-muted">{children}</div>}
    </div>
  );
}

const widths = ["62%", "84%", "48%", "71%", "39%"] as const;

/** Placeholder for text that is loading; `label` is announced by screen readers. */
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
  /** Subject of the sentence: 'The order'. */
  readonly what: string;
  readonly failure?: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** Load error with a retry button, announced by screen readers. */
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

/** Why something could not be loaded, and what to do. */
export function whyOf(failure: unknown): string {
  if (failure instanceof TypeError)
    return "There was no response. Check your connection, and try again in a moment.";
  // A page that is older than the server may not understand its answer.
  if (!(failure instanceof ApiError)) return "The answer could not be read. Please reload the page.";
  if (failure.code === "record-unreadable")
    return "Its history cannot be read, so it is on hold until that is repaired. See Parked under Compliance.";
  return (
    whyByStatus.get(failure.status) ??
    ["The server could not answer. Please try again in a moment.", ...referenceWords(failure)].join(" ")
  );
}

const whyByStatus: ReadonlyMap<number, string> = new Map([
  [401, "You are no longer signed in. Please sign in again."],
  [403, "Your role does not allow you to see it."],
  [404, "It does not exist, or no longer does."],
  [422, "The address asks for something that does not exist. Remove its filters, or go there from the menu."],
  [429, "There were too many requests. Please wait a minute and try again."],
]);
