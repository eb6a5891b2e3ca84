import type { TimelineEntry } from "../../../../contract/staff-orders/timeline.ts";
import { When } from "../../ui/when.tsx";
import { Changes } from "./changes.tsx";

/** What others did while a dialog was open. */
export function News({ entries }: { entries: readonly TimelineEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <div role="status" className="border-l-3 border-pending pl-3 text-13">
      <p className="font-[600]">This order changed while you were here. What you typed is kept.</p>
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
      <p className="mt-1">Confirm again if it is still right.</p>
    </div>
  );
}
