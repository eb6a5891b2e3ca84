import { Link, useSearchParams } from "react-router-dom";
import type { Inbox } from "../../../../contract/tickets/ticket.ts";

/** The views of the inbox: a status, or tickets with a statutory deadline. */
const inboxViews = ["Open", "Waiting", "due", "Closed"] as const;
export type InboxView = (typeof inboxViews)[number];

/** The view in the URL; by default tickets that need an answer. */
export function viewIn(parameters: URLSearchParams): InboxView {
  const asked = parameters.get("view");
  return inboxViews.find((view) => view === asked) ?? "Open";
}

/** The view of a query; the previous view stays until the next one has loaded. */
export function viewOf(query: string): InboxView {
  const asked = new URLSearchParams(query);
  if (asked.get("order") === "due") return "due";
  return inboxViews.find((view) => view === asked.get("status")) ?? "Open";
}

/** The API query for the page's URL; unknown parameters are dropped. */
export function queryOf(parameters: URLSearchParams): string {
  const query = new URLSearchParams();
  const view = viewIn(parameters);
  if (view === "due") query.set("order", "due");
  else {
    query.set("status", view);
    // Closed tickets newest first, waiting ones longest first.
    query.set("order", parameters.get("order") ?? (view === "Closed" ? "newest" : "longest"));
  }
  for (const name of ["assignee", "category", "after"]) {
    const value = parameters.get(name);
    if (value !== null) query.set(name, value);
  }
  return query.toString();
}

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

/**
 * Hidden under a filter that the counts ignore: by category and, of deadlines, by assignee too. Room for one figure is
 * kept until it is known.
 */
function Count({ parameters, view, counts }: CountProps) {
  const whose = parameters.get("assignee");
  if (view === "Closed" || parameters.has("category") || (view === "due" && whose !== null)) return null;
  if (counts === undefined) return <span className="figures">{"\u2007"}</span>;
  if (view === "due") {
    return (
      <span className="figures">
        {counts.due}
        {counts.late > 0 && <span className="text-danger">, {counts.late} overdue</span>}
      </span>
    );
  }
  const shares = view === "Open" ? counts.open : counts.waiting;
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
