import { X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { exportOrders } from "../../../../contract/staff-orders/list.ts";
import { certificateTypes } from "../../../../domain/forms/options.ts";
import { phases } from "../../../../domain/order/phases.ts";
import { workQueues } from "../../../../domain/order/staff/work-queues.ts";
import { orderStatuses, phaseWords } from "../../../../domain/order/status.ts";
import { call, saveFile } from "../../../api/send.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { optionsOf } from "../../../ui/fields/choice-fields.tsx";
import { queueWords } from "../../layout/work-queues.ts";
import { ActionDialog } from "../../ui/action-dialog.tsx";
import { announce } from "../../ui/announcements.tsx";
import type { Sort } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips, useChangeAddress } from "../../ui/tables/filter-chips.tsx";
import { builtInViews, choiceOf, keepViews, readViews, type View, withView } from "./list-query.tsx";

/** Views, filters and sort order; `children` appear beside the views. */
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
        <GroupByPayment />
        {sort.direction === "desc" && <span className="text-13 text-muted">{leftOut[sort.key]}</span>}
      </div>
      <details open={hasDays} className="text-13">
        <summary className="inline-block cursor-pointer py-1 text-primary">Date filters</summary>
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
  ["paid", "desc", "Newest payment first"],
  ["paid", "asc", "Oldest payment first"],
  ["updated", "desc", "Recently changed first"],
  ["updated", "asc", "Least recently changed first"],
  ["despatch", "asc", "Earliest promised date first"],
  ["despatch", "desc", "Latest promised date first"],
  ["total", "desc", "Largest total first"],
  ["total", "asc", "Smallest total first"],
] as const;

/** What a list that begins with the latest leaves out. */
const leftOut: Readonly<Record<string, string>> = {
  paid: "Unpaid orders are not shown.",
  despatch: "Orders without a promised date are not shown.",
};

/** Sorts on narrow screens, which hide the table headers. */
function SortSelect({ sort }: { sort: Sort }) {
  return (
    <select
      aria-label="Sort order"
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

/** Keeps orders of one payment beside each other; in the URL, like the filters. */
function GroupByPayment() {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  const change = (isWanted: boolean): void =>
    changeAddress((next) => {
      next.delete("after");
      next.delete("before");
      if (isWanted) next.set("group", "payment");
      else next.delete("group");
    });
  return (
    <label className="inline-flex min-h-8.5 cursor-pointer items-center gap-1.5 text-13">
      <input
        type="checkbox"
        className="small-mark"
        checked={parameters.has("group")}
        onChange={({ target }) => change(target.checked)}
      />
      Group by payment
    </label>
  );
}

const listFilters: readonly Filter[] = [
  {
    name: "queue",
    label: "Needs attention",
    choice: workQueues.map((queue) => ({ value: queue, words: queueWords[queue].title })),
  },
  {
    name: "duplicates",
    label: "Possible duplicates",
    choice: [{ value: "recent", words: "Paid in the last 31 days" }],
  },
  { name: "checkout", label: "Ordered together", choice: "link" },
  { name: "status", label: "Status", choice: optionsOf(orderStatuses) },
  {
    name: "phase",
    label: "Phase",
    choice: phases.map((phase) => ({ value: phase, words: phaseWords(phase) })),
  },
  { name: "type", label: "Certificate", choice: optionsOf(certificateTypes) },
  {
    name: "service",
    label: "Service",
    choice: [
      { value: "standard", words: "Standard" },
      { value: "priority", words: "Priority" },
    ],
  },
];

const dayFilters: readonly Filter[] = [
  { name: "createdFrom", label: "Created from", choice: "day" },
  { name: "createdTo", label: "Created to", choice: "day" },
  { name: "paidFrom", label: "Paid from", choice: "day" },
  { name: "paidTo", label: "Paid to", choice: "day" },
];

/** Built-in views, and those saved in this browser. */
function SavedViews() {
  const [parameters] = useSearchParams();
  const [own, setOwn] = useState(() => readViews(localStorage));
  const [saving, setSaving] = useState(false);
  const current = choiceOf(parameters);
  const isSaved = [...builtInViews, ...own].some(({ query }) => isSame(query, current));
  useEffect(() => {
    const read = () => setOwn(readViews(localStorage));
    addEventListener("storage", read);
    return () => removeEventListener("storage", read);
  }, []);
  // Another tab may have saved or deleted views since.
  const keep = (change: (views: readonly View[]) => readonly View[]): void => {
    const views = change(readViews(localStorage));
    keepViews(localStorage, views);
    setOwn(views);
  };
  return (
    <nav aria-label="Views" className="flex flex-wrap items-center gap-1">
      {builtInViews.map((view) => (
        <ViewLink key={view.name} view={view} current={current} />
      ))}
      {own.map((view) => (
        <span key={view.name} className="inline-flex items-center">
          <ViewLink view={view} current={current} />
          <button
            type="button"
            aria-label={`Delete the view ${view.name}`}
            className="grid size-7 cursor-pointer place-items-center rounded-4 text-muted hover:text-ink"
            onClick={() => keep((views) => views.filter(({ name }) => name !== view.name))}
          >
            <X aria-hidden="true" className="size-3.5" strokeWidth={2} />
          </button>
        </span>
      ))}
      {!isSaved && (
        <button type="button" className="button button-dense button-quiet" onClick={() => setSaving(true)}>
          Save this view…
        </button>
      )}
      <ActionDialog
        open={saving}
        onClose={() => setSaving(false)}
        title="Save this view"
        whatHappens="The filters, groups and sort order are saved in this browser only. A view of the same name is replaced. To share a view, copy the page’s web address."
        confirmLabel="Save"
        reasons={null}
        withNote={false}
        onConfirm={async ({ fields }) => keep((views) => withView(views, nameIn(fields), parameters))}
      >
        <label className="flex flex-col gap-1 text-14 font-[500]">
          Name
          <input name="name" required maxLength={40} className="dense-box font-[400]" autoComplete="off" />
        </label>
      </ActionDialog>
    </nav>
  );
}

function ViewLink({ view, current }: { view: View; current: string }) {
  return (
    <Link
      to={{ search: view.query }}
      aria-current={isSame(view.query, current) ? "page" : undefined}
      className="rail-link text-13"
    >
      {view.name}
    </Link>
  );
}

const sorted = (query: string): string => [...new URLSearchParams(query)].map(String).sort().join("&");
const isSame = (query: string, other: string): boolean => sorted(query) === sorted(other);

function nameIn(fields: FormData): string {
  const name = fields.get("name");
  return typeof name === "string" ? name.trim() || "View" : "View";
}

/** Downloads the whole list, filtered, as CSV. */
export function ExportButton({ query }: { query: string }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const press = async (): Promise<void> => {
    setState("busy");
    try {
      await saveFile(await call(exportOrders, { query }));
      setState("idle");
      announce("The file has been downloaded.");
    } catch {
      setState("failed");
    }
  };
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <BusyButton
        type="button"
        className="button button-dense button-outlined"
        busy={state === "busy"}
        onClick={() => void press()}
      >
        {state === "busy" ? "Exporting…" : "Export CSV"}
      </BusyButton>
      {state === "failed" && (
        <span role="alert" className="text-13 text-danger">
          The file could not be created. Please try again.
        </span>
      )}
    </span>
  );
}
