import type { ReactNode } from "react";

/** Names with their values, in two columns that meet on a line. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      {children}
    </dl>
  );
}

/** One line of facts. */
export function FactLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}
