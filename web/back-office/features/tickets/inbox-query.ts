/** The four ways to look at the inbox: a status, or what the law wants by a day. */
export const inboxViews = ["Open", "Waiting", "due", "Closed"] as const;
export type InboxView = (typeof inboxViews)[number];

/** The view that an address asks for: what needs an answer, unless it says otherwise. */
export function viewIn(parameters: URLSearchParams): InboxView {
  const asked = parameters.get("view");
  return inboxViews.find((view) => view === asked) ?? "Open";
}

/** The view that such a query shows: the one before stays on the page until the next has come. */
export function viewOf(query: string): InboxView {
  const asked = new URLSearchParams(query);
  if (asked.get("order") === "due") return "due";
  return inboxViews.find((view) => view === asked.get("status")) ?? "Open";
}

/** What is asked of the gateway for an address of the page; parameters that are none of ours are left out. */
export function queryOf(parameters: URLSearchParams): string {
  const query = new URLSearchParams();
  const view = viewIn(parameters);
  if (view === "due") query.set("order", "due");
  else {
    query.set("status", view);
    // The newest end of what is closed is what one looks for; of what waits, the oldest.
    query.set("order", parameters.get("order") ?? (view === "Closed" ? "newest" : "longest"));
  }
  for (const name of ["assignee", "category", "after"]) {
    const value = parameters.get(name);
    if (value !== null) query.set(name, value);
  }
  return query.toString();
}
