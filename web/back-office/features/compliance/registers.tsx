import { useSearchParams } from "react-router-dom";
import useSWR from "swr";
import {
  type AccessLogEntry,
  accessReasons,
  listAccess,
  listPurges,
  type Purge,
} from "../../../../contract/compliance/registers.ts";
import { anyRule } from "../../../../contract/shapes.ts";
import { purgePromiseSeconds } from "../../../../domain/promise/purge-promise.ts";
import { send } from "../../../api/send.ts";
import { Empty } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { type Filter, FilterChips, useChangeAddress } from "../../ui/tables/filter-chips.tsx";
import { Status, When } from "../../ui/values.tsx";
import { AboutLink, ProofFile, ProofsFile, SignedFile, wordsOf } from "./register-entries.tsx";

const pageByPage = { revalidateIfStale: true, keepPreviousData: true };

/** A page of the purge register; the previous page stays while the next loads. */
const usePurges = (query: string) =>
  useSWR(
    [listPurges.path, query],
    async () => ({ ...(await send(listPurges, { query })), query }),
    pageByPage,
  );

/** A page of the access log; the previous page stays while the next loads. */
const useAccessLog = (query: string) =>
  useSWR(
    [listAccess.path, query],
    async () => ({ ...(await send(listAccess, { query })), query }),
    pageByPage,
  );

function Pager({ next }: { next: string | null }) {
  const [parameters] = useSearchParams();
  const changeAddress = useChangeAddress();
  const go = (after: string | null): void =>
    changeAddress((changed) => {
      if (after === null) changed.delete("after");
      else changed.set("after", after);
    });
  const isFirst = parameters.get("after") === null;
  if (isFirst && next === null) return null;
  return (
    <div className="mt-4 flex gap-2">
      {!isFirst && (
        <button type="button" className="button button-dense button-outlined" onClick={() => go(null)}>
          Newest
        </button>
      )}
      {next !== null && (
        <button type="button" className="button button-dense button-outlined" onClick={() => go(next)}>
          Older
        </button>
      )}
    </div>
  );
}

const choices = (codes: readonly string[]) => codes.map((code) => ({ value: code, words: wordsOf(code) }));

const accessFilters: readonly Filter[] = [
  { name: "reason", label: "Reason", choice: choices(accessReasons) },
  { name: "from", label: "From", choice: "day" },
  { name: "to", label: "To", choice: "day" },
];

const accessColumns: readonly Column<AccessLogEntry>[] = [
  { key: "at", header: "When", cell: ({ at }) => <When at={at} /> },
  { key: "who", header: "Who", cell: (entry) => <Who entry={entry} /> },
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
  const { data, error, mutate } = useAccessLog(query);
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
          <FilterChips filters={accessFilters} />
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
        columns={accessColumns}
        rows={data?.entries ?? []}
        keyOf={({ id }) => id}
        state={state}
        outdated={data !== undefined && data.query !== query}
        failure={error}
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
function Who({ entry: { staffId, staffName } }: { entry: AccessLogEntry }) {
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

const purgeFilters: readonly Filter[] = [
  {
    name: "troubled",
    label: "Result",
    choice: [{ value: "1", words: "Late, failed or receipt undelivered" }],
  },
  { name: "dataClass", label: "Class", choice: choices(["application", "contact"]) },
  { name: "rule", label: "Rule", choice: choices(anyRule.options) },
  { name: "from", label: "From", choice: "day" },
  { name: "to", label: "To", choice: "day" },
];

const purgeColumns: readonly Column<Purge>[] = [
  { key: "at", header: "When", cell: ({ at }) => <When at={at} /> },
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
        <FilterChips filters={purgeFilters} />
        <div className="flex flex-col gap-2">
          <SignedFile register="purges" />
          <ProofsFile />
        </div>
      </div>
      <DataTable
        caption="Purges, newest first"
        columns={purgeColumns}
        rows={data?.purges ?? []}
        keyOf={({ id }) => id}
        state={state}
        outdated={data !== undefined && data.query !== query}
        failure={error}
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
  if (seconds === null) return <span>–</span>;
  return seconds > purgePromiseSeconds ? (
    <span className="font-[600] text-danger">{seconds} s, late</span>
  ) : (
    <span>{seconds} s</span>
  );
}

/** The error, that the receipt did not arrive, or the number of records destroyed and the fingerprint of their keys. */
function Result({ purge: { id, outcome, code, destroyed, records, keyFingerprint } }: { purge: Purge }) {
  if (outcome === "failed") {
    return (
      <span>
        <Status status="Failed" tone="cancelled" /> {code && wordsOf(code)}
      </span>
    );
  }
  if (outcome === "unreceived") return <Status status="Receipt undelivered" tone="pending" />;
  return (
    <details>
      <summary className="cursor-pointer">
        <Status status="Unreadable" tone="fulfilled" /> {records} {records === 1 ? "record" : "records"}
      </summary>
      <p className="mt-1">{destroyed.map(wordsOf).join(", ")}</p>
      <p className="mt-1 mb-2 font-mono wrap-anywhere">{keyFingerprint}</p>
      <ProofFile id={id} />
    </details>
  );
}
