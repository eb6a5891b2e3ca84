import { useSearchParams } from "react-router-dom";
import type { Purge } from "../../../../contract/compliance/registers.ts";
import { purgePromiseSeconds } from "../../../../domain/order/personal-data/lapse.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips } from "../../ui/tables/filter-chips.tsx";
import { When } from "../../ui/values.tsx";
import { AboutLink } from "./about-link.tsx";
import { usePurges } from "./compliance-requests.ts";
import { choices, rules, wordsOf } from "./compliance-words.ts";
import { Pager, SignedFile } from "./register-tools.tsx";

const filters: readonly Filter[] = [
  { name: "troubled", label: "Result", choice: [{ value: "1", words: "Late or failed" }] },
  { name: "dataClass", label: "Class", choice: choices(["application", "contact"]) },
  { name: "rule", label: "Rule", choice: choices(rules) },
  { name: "from", label: "From", choice: "day" },
  { name: "to", label: "To", choice: "day" },
];

const columns: readonly Column<Purge>[] = [
  { key: "at", header: "Destroyed", cell: ({ at }) => <When at={at} /> },
  {
    key: "about",
    header: "Order or ticket",
    cell: ({ about, number }) => <AboutLink about={about} number={number} />,
  },
  { key: "class", header: "Class", cell: ({ dataClass }) => wordsOf(dataClass) },
  { key: "rule", header: "Rule", cell: ({ rule }) => (rule === null ? "–" : wordsOf(rule)) },
  { key: "seconds", header: "After submission", align: "end", cell: (purge) => <Seconds purge={purge} /> },
  { key: "result", header: "Result", cell: (purge) => <Result purge={purge} /> },
];

/** The purge register: purges with their receipts, newest first. */
export function PurgesView() {
  const [parameters] = useSearchParams();
  const asked = new URLSearchParams(parameters);
  asked.delete("view");
  const query = asked.toString();
  const { data, error, mutate } = usePurges(query);
  const state = data ? "ready" : error ? "error" : "loading";
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <FilterChips filters={filters} />
        <SignedFile register="purges" />
      </div>
      <DataTable
        caption="Purges, newest first"
        columns={columns}
        rows={data?.purges ?? []}
        keyOf={({ id }) => id}
        state={state}
        outdated={data !== undefined && data.query !== query}
        onRetry={() => void mutate()}
        empty={
          <Empty title="No purges match these filters.">
            Every purge is recorded here as soon as it happens, including failed ones.
          </Empty>
        }
      />
      <Pager next={data?.next ?? null} />
    </>
  );
}

function Seconds({ purge: { secondsSinceSubmission: seconds } }: { purge: Purge }) {
  if (seconds === null) return "–";
  return seconds > purgePromiseSeconds ? (
    <span className="font-[600] text-danger">{seconds} s, late</span>
  ) : (
    `${seconds} s`
  );
}

/** The error, or the number of records destroyed and the fingerprint of their keys. */
function Result({ purge: { outcome, code, destroyed, records, keyFingerprint } }: { purge: Purge }) {
  if (outcome === "failed") {
    return (
      <span>
        <Status status="Failed" tone="cancelled" /> {code && wordsOf(code)}
      </span>
    );
  }
  return (
    <details>
      <summary className="cursor-pointer">
        <Status status="Unreadable" tone="fulfilled" /> {records} {records === 1 ? "record" : "records"}
      </summary>
      <p className="mt-1">{destroyed.map(wordsOf).join(", ")}</p>
      <p className="mt-1 font-mono wrap-anywhere">{keyFingerprint}</p>
    </details>
  );
}
