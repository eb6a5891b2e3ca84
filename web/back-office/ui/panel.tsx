import { type ReactNode, useId } from "react";

interface PanelProps {
  title: ReactNode;
  /** Beside the title: a link, a small button. */
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled part of a page, under a hairline. */
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
