import * as z from "zod/mini";

/** The page's query parameters that the server understands. */
const filterNames = [
  "queue",
  "status",
  "phase",
  "type",
  "service",
  "createdFrom",
  "createdTo",
  "paidFrom",
  "paidTo",
  "sort",
  "direction",
] as const;

/** The query of the export: filters and sort order. */
export const choiceOf = (parameters: URLSearchParams): string => taken(parameters, filterNames);

/** The query of a page. */
export const pageOf = (parameters: URLSearchParams): string =>
  taken(parameters, [...filterNames, "after", "before"]);

function taken(parameters: URLSearchParams, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = parameters.get(name);
    if (value) query.set(name, value);
  }
  return query.toString();
}

/** Whether a filter is set. */
export const isNarrowed = (parameters: URLSearchParams): boolean =>
  filterNames.some((name) => name !== "sort" && name !== "direction" && parameters.has(name));

/** The query of another page of the list; null for the first page. */
export function pageAt(
  parameters: URLSearchParams,
  place: { readonly after: string } | { readonly before: string } | null,
): string {
  const next = new URLSearchParams(choiceOf(parameters));
  for (const [name, value] of Object.entries(place ?? {})) next.set(name, value);
  return next.toString();
}

/** A named query: filters and sort order. */
export interface View {
  readonly name: string;
  readonly query: string;
}

const waiting = (queue: string): string => `queue=${queue}&direction=ascending`;

export const builtInViews: readonly View[] = [
  { name: "All", query: "" },
  { name: "Not submitted", query: waiting("notSubmitted") },
  { name: "Failed submissions", query: waiting("submissionFailed") },
  { name: "Overdue", query: "queue=overdue&sort=despatch&direction=ascending" },
  { name: "GRO questions", query: waiting("groQuestion") },
  { name: "Refunds to approve", query: waiting("refundProposed") },
  { name: "Newly paid", query: "status=Processing&sort=paid" },
];

const storageKey = "back-office-order-views";
const mostViews = 20;
const storedSchema = z.array(z.object({ name: z.string(), query: z.string() }));

/** The views saved in this browser; none if they are unreadable. */
export function readViews(storage: Pick<Storage, "getItem">): readonly View[] {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(storage.getItem(storageKey) ?? "[]"));
    return parsed.success ? parsed.data.slice(0, mostViews) : [];
  } catch {
    // Corrupt or foreign data.
    return [];
  }
}

/** Adds a view, or replaces the one of the same name. */
export function withView(views: readonly View[], name: string, parameters: URLSearchParams): readonly View[] {
  const others = views.filter((view) => view.name !== name);
  return [...others, { name, query: choiceOf(parameters) }].slice(-mostViews);
}

/** Saves views in this browser. @throws DOMException when storage is blocked or full */
export const keepViews = (storage: Pick<Storage, "setItem">, views: readonly View[]): void =>
  storage.setItem(storageKey, JSON.stringify(views));
