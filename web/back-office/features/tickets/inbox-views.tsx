import { Link, useSearchParams } from "react-router-dom";
import type { Inbox } from "../../../../contract/tickets/inbox.ts";
import { type InboxView, viewIn } from "./inbox-query.ts";

const views: readonly { readonly view: InboxView; readonly words: string }[] = [
  { view: "Open", words: "To answer" },
  { view: "Waiting", words: "Waiting" },
  { view: "due", words: "Statutory deadlines" },
  { view: "Closed", words: "Closed" },
];

/** Links to the views with their counts. Filters stay. */
export function InboxViews({ counts }: { counts: Inbox["counts"] | undefined }) {
  const [parameters] = useSearchParams();
  const current = viewIn(parameters);
  return (
    <nav aria-label="Views" className="flex flex-wrap gap-x-1 gap-y-1">
      {views.map(({ view, words }) => (
        <Link
          key={view}
          to={{ search: withView(parameters, view) }}
          aria-current={view === current ? "page" : undefined}
          className="rail-link gap-2 text-13"
        >
          {words}
          <Count parameters={parameters} view={view} counts={counts} />
        </Link>
      ))}
    </nav>
  );
}

function withView(parameters: URLSearchParams, view: InboxView): string {
  const next = new URLSearchParams(parameters);
  next.delete("after");
  if (view === "Open") next.delete("view");
  else next.set("view", view);
  return next.toString();
}

interface CountProps {
  parameters: URLSearchParams;
  view: InboxView;
  counts: Inbox["counts"] | undefined;
}

/** Hidden under a category filter, which the counts ignore. */
function Count({ parameters, view, counts }: CountProps) {
  if (counts === undefined || view === "Closed") return null;
  if (view === "due") {
    return (
      <span className="figures">
        {counts.due}
        {counts.late > 0 && <span className="text-danger">, {counts.late} overdue</span>}
      </span>
    );
  }
  if (parameters.has("category")) return null;
  const shares = view === "Open" ? counts.open : counts.waiting;
  const whose = parameters.get("assignee");
  return (
    <span className="figures">
      {whose === "mine" ? shares.mine : whose === "unassigned" ? shares.unassigned : shares.all}
    </span>
  );
}

/** Next and first page; the browser's back button returns to those between. */
export function Pages({ next }: { next: string | null }) {
  const [parameters] = useSearchParams();
  const onFirst = !parameters.has("after");
  if (onFirst && next === null) return null;
  return (
    <nav aria-label="Pages" className="mt-4 flex gap-3">
      {!onFirst && (
        <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, null) }}>
          First page
        </Link>
      )}
      {next !== null && (
        <Link className="button button-dense button-outlined" to={{ search: pageAt(parameters, next) }}>
          Next page
        </Link>
      )}
    </nav>
  );
}

function pageAt(parameters: URLSearchParams, after: string | null): string {
  const at = new URLSearchParams(parameters);
  if (after === null) at.delete("after");
  else at.set("after", after);
  return at.toString();
}
