import type { Change, TimelineEntry } from "../../../../../contract/staff-orders/timeline.ts";
import { When } from "../../../ui/values.tsx";

export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return <p className="text-muted">No change to the order’s state.</p>;
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

/** Concurrent changes while a dialog is open. */
export function News({ entries }: { entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div role="status" className="border-l-3 border-pending pl-3 text-13">
      <p className="font-[600]">This order changed while you were viewing it. We kept what you typed.</p>
      <ul className="mt-1 flex flex-col gap-2">
        {entries.map(({ id, title, detail, actor, at, changes }) => (
          <li key={id}>
            <p>
              <strong className="font-[600]">{title}</strong>
              {detail !== null && `, ${detail}`}
              <span className="text-muted">
                {" "}
                · {actor.name} · <When at={at} show="time" />
              </span>
            </p>
            {changes.length > 0 && <Changes changes={changes} />}
          </li>
        ))}
      </ul>
      <p className="mt-1">If the action is still right, confirm again.</p>
    </div>
  );
}
