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
