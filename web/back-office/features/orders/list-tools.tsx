import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import type { Sort } from "../../ui/data-table.tsx";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { dayFilters, listFilters } from "./list-filters.ts";
import { SavedViews } from "./saved-views.tsx";

/** Views, filters and order of the list; `children` stand beside the views. */
export function ListTools({ sort, children }: { sort: Sort; children: ReactNode }) {
  const [parameters] = useSearchParams();
  const hasDays = dayFilters.some(({ name }) => parameters.has(name));
  return (
    <div className="mb-4 flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <SavedViews />
        {children}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FilterChips filters={listFilters} />
        <SortSelect sort={sort} />
      </div>
      <details open={hasDays} className="text-13">
        <summary className="inline-block cursor-pointer py-1 text-primary">Days</summary>
        <div className="pt-1">
          <FilterChips filters={dayFilters} />
        </div>
      </details>
    </div>
  );
}

const orders = [
  ["created", "desc", "Newest first"],
  ["created", "asc", "Oldest first"],
  ["paid", "desc", "Paid last first"],
  ["paid", "asc", "Paid first first"],
  ["updated", "desc", "Changed last first"],
  ["updated", "asc", "Unchanged longest first"],
  ["despatch", "asc", "Promised soonest first"],
  ["despatch", "desc", "Promised latest first"],
  ["total", "desc", "Largest total first"],
  ["total", "asc", "Smallest total first"],
] as const;

/** The same as the headers do, where there is no room for headers. */
function SortSelect({ sort }: { sort: Sort }) {
  return (
    <select
      aria-label="Order"
      className="dense-box"
      value={`${sort.key} ${sort.direction}`}
      onChange={({ target }) => {
        const chosen = orders.find(([key, direction]) => `${key} ${direction}` === target.value);
        if (chosen) sort.onSort(chosen[0], chosen[1]);
      }}
    >
      {orders.map(([key, direction, words]) => (
        <option key={words} value={`${key} ${direction}`}>
          {words}
        </option>
      ))}
    </select>
  );
}
