import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { useTradingName } from "../site/config.ts";

interface PageHeadingProps {
  /** What the tab is called, without the trading name. */
  title: string;
  /** Puts "Error:" before the title while a form has errors. */
  error?: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * The page's h1. Names the tab, and takes focus when one came here from another page of the site; the part of the page
 * that the link named takes it instead.
 */
export function PageHeading({ title, error = false, className = "", children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, hash } = useLocation();
  const name = useTradingName();
  useEffect(() => {
    document.title = `${error ? "Error: " : ""}${title} – ${name}`;
  }, [title, error, name]);
  useEffect(() => {
    // On the first page of a visit the browser itself starts at the top.
    if (key === "default") return;
    const part = hash === "" ? null : document.getElementById(hash.slice(1));
    if (!part) {
      heading.current?.focus({ preventScroll: true });
      return;
    }
    part.tabIndex = -1;
    part.focus();
    part.scrollIntoView();
  }, [key, hash]);
  return (
    <h1 ref={heading} tabIndex={-1} className={`text-28 sm:text-40 ${className}`}>
      {children}
    </h1>
  );
}
