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
