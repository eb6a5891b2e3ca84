import { useSearchParams } from "react-router-dom";
import type { Look } from "../../../../contract/compliance/registers.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips, useChangeAddress } from "../../ui/tables/filter-chips.tsx";
import { When } from "../../ui/values.tsx";
import { AboutLink } from "./about-link.tsx";
import { useLooks } from "./compliance-requests.ts";
import { choices, lookReasons, wordsOf } from "./compliance-words.ts";
import { Pager, SignedFile } from "./register-tools.tsx";

const filters: readonly Filter[] = [
  { name: "reason", label: "Reason", choice: choices(lookReasons) },
  { name: "from", label: "From", choice: "day" },
  { name: "to", label: "To", choice: "day" },
];

const columns: readonly Column<Look>[] = [
  { key: "at", header: "When", cell: ({ at }) => <When at={at} /> },
  { key: "who", header: "Who", cell: (look) => <Who look={look} /> },
  {
    key: "of",
    header: "Order or ticket",
    cell: ({ about, number }) => <AboutLink about={about} number={number} />,
  },
  { key: "class", header: "Class", cell: ({ dataClass }) => wordsOf(dataClass) },
  { key: "reason", header: "Reason given", cell: ({ reason }) => wordsOf(reason) },
];

/** The access log: every reveal of personal data by staff, newest first. */
export function AccessView() {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  const asked = new URLSearchParams(parameters);
  asked.delete("view");
  const query = asked.toString();
  const { data, error, mutate } = useLooks(query);
  const state = data ? "ready" : error ? "error" : "loading";
  const showEveryone = (): void =>
    changeAddress((changed) => {
      changed.delete("staffId");
      changed.delete("after");
    });
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <FilterChips filters={filters} />
          {parameters.has("staffId") && (
            <button type="button" className="button button-dense button-quiet" onClick={showEveryone}>
              Show everyone
            </button>
          )}
        </div>
        <SignedFile register="access" />
      </div>
      <DataTable
        caption="Access to personal data, newest first"
        columns={columns}
        rows={data?.looks ?? []}
        keyOf={({ id }) => id}
        state={state}
        outdated={data !== undefined && data.query !== query}
        onRetry={() => void mutate()}
        empty={
          <Empty title="No entries match these filters.">
            Access is logged before the data is opened, even if opening it then fails.
          </Empty>
        }
      />
      <Pager next={data?.next ?? null} />
    </>
  );
}

/** Filters the log by this person. */
function Who({ look: { staffId, staffName } }: { look: Look }) {
  const changeAddress = useChangeAddress();
  return (
    <button
      type="button"
      className="link cursor-pointer text-start"
      title={staffId}
      onClick={() =>
        changeAddress((changed) => {
          changed.set("staffId", staffId);
          changed.delete("after");
        })
      }
    >
      {staffName}
    </button>
  );
}
