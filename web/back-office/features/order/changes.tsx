import type { Change } from "../../../../contract/staff-orders/timeline.ts";

/** What an event changed, line by line. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-muted">It changed nothing in the order’s state.</p>;
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1 sm:grid-cols-[8.5rem_minmax(0,1fr)] sm:gap-x-4">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="wrap-anywhere">
            {before !== null && (
              <>
                <span className="sr-only">was </span>
                <del className="text-muted">{before}</del>{" "}
              </>
            )}
            {before !== null && after !== null && <span aria-hidden="true">→ </span>}
            {after !== null && (
              <ins className="no-underline">
                <span className="sr-only">now </span>
                {after}
              </ins>
            )}
            {after === null && <span className="sr-only">no longer applies</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
