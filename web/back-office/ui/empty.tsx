import type { ReactNode } from "react";

/** What stands where there is nothing: why, in a sentence, and the next step where there is one. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-[500]">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-[52ch] text-13 text-muted">{children}</div>}
    </div>
  );
}
