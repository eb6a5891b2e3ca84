import { useSearchParams } from "react-router-dom";

/** Where a list stands in its pages: another filter begins it anew. */
const pageParameters = ["after", "before"] as const;

/**
 * Filters that live in the address, so that a view can be kept, sent and gone back to.
 * @param names the parameters that are filters; others, such as the sort, are left as they are
 */
export function useFilters(names: readonly string[]) {
  const [parameters, setParameters] = useSearchParams();
  const values: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    names.map((name) => [name, parameters.get(name) ?? undefined]),
  );
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    setParameters((current) => {
      const next = new URLSearchParams(current);
      for (const name of pageParameters) next.delete(name);
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) next.delete(name);
        else next.set(name, value);
      }
      return next;
    });
  return {
    values,
    set: (name: string, value: string | undefined) => change({ [name]: value }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}
