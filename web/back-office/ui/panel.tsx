import { type ReactNode, useId } from "react";

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
