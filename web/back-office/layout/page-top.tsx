import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { useTradingName } from "../../site/config.ts";
import { Dialog } from "../ui/action-dialog.tsx";
import { turnKeys, useBoundKeys, useKeys, useKeysAreOn } from "./use-keys.ts";

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

/** Focuses the page's search field, marked with `data-search`. */
function focusSearch(): void {
  document.querySelector<HTMLElement>("[data-search]")?.focus();
}

/** Shortcut button, and the list that `?` opens. */
function KeyHelp() {
  const [open, setOpen] = useState(false);
  const keys = useBoundKeys();
  const on = useKeysAreOn();
  useKeys([
    { key: "/", words: "Search", run: focusSearch },
    { key: "?", words: "Show this list", run: () => setOpen(true) },
  ]);
  return (
    <>
      <button
        type="button"
        className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-4 text-13 text-muted hover:text-primary max-md:hidden"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <kbd className="key-cap">?</kbd> Shortcuts
      </button>
      <KeyList open={open} onClose={() => setOpen(false)} keys={keys} on={on} />
    </>
  );
}

interface KeyListProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly keys: ReturnType<typeof useBoundKeys>;
  readonly on: boolean;
}

function KeyList({ open, onClose, keys, on }: KeyListProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="mt-4 grid grid-cols-[3.5rem_1fr] items-baseline gap-y-2 text-14">
        {keys.map(({ key, words }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="key-cap">{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-5 flex cursor-pointer items-center gap-2 text-14">
        <input
          type="checkbox"
          className="small-mark"
          checked={on}
          onChange={({ target }) => turnKeys(target.checked)}
        />
        Use single-key shortcuts
      </label>
      <p className="mt-1 text-13 text-muted">Turn this off if you use voice control.</p>
      <div className="mt-5 flex justify-end">
        <button type="button" className="button button-dense button-outlined" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
