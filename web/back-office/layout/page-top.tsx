import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router-dom";
import { useTradingName } from "../../site/config.ts";
import { KeyHelp } from "./key-help.tsx";

interface PageTopProps {
  /** What the tab is called. */
  title: string;
  /** The heading where it is more than the title: an order number in its groups. */
  heading?: ReactNode;
  /** The list this page came from. */
  from?: { readonly to: string; readonly words: string };
  /** Beside the heading: badges. */
  children?: ReactNode;
}

/** The top of a page of the back office: where one is, and which keys work. */
export function PageTop({ title, heading, from, children }: PageTopProps) {
  const h1 = useRef<HTMLHeadingElement>(null);
  const { pathname, key } = useLocation();
  const name = useTradingName();
  useEffect(() => {
    document.title = `${title} – ${name} back office`;
  }, [title, name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page takes the focus to its heading, not another filter.
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
