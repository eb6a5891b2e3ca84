import { useState } from "react";
import useSWR from "swr";
import { listParked, type ParkedRecord, retryParked } from "../../../../contract/compliance/audit.ts";
import { maySend } from "../../../../contract/request.ts";
import { send } from "../../../api/send.ts";
import { useIdentity } from "../../../identity/page-identity.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { Empty, Panel } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { When } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { AboutLink } from "./register-entries.tsx";

/** Parked records, longest first, reloaded every second during a retry. */
const useParked = () =>
  useSWR(listParked.path, async () => (await send(listParked)).parked, {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.some(({ isAsked }) => isAsked) ? 1_000 : 0),
  });

const waiting: Readonly<Record<string, string>> = {
  work: "All automatic tasks: emails, submission, refunds, purges",
  contacts: "Customer search",
  "open-payments": "Check of open payments",
  "overdue-orders": "Enquiry to the GRO about a late despatch",
  orders: "Tracking page and entry in the order list",
  "ticket-lookup": "Support page",
  "ticket-list": "Entry in the ticket list",
  "purge-register": "Entries in the purge register",
  "access-log": "Entries in the access log",
};

const reasons: Readonly<Record<string, string>> = {
  changed: "An event has been altered",
  "chain-broken": "An event is missing or out of sequence",
  "unknown-type": "An event was written by a newer version",
  "invalid-event": "An event contains invalid data",
  "fold-failed": "An event contradicts earlier events",
  "row-refused": "The database rejected the result of an event",
};

const columns: readonly Column<ParkedRecord>[] = [
  { key: "since", header: "Since", cell: ({ since }) => <When at={since} /> },
  { key: "of", header: "Order or ticket", cell: (record) => <Of record={record} /> },
  { key: "waits", header: "On hold", cell: ({ follower }) => waiting[follower] ?? follower },
  {
    key: "why",
    header: "Reason",
    cell: ({ reason, revision }) => `${reasons[reason] ?? reason} (event ${revision + 1})`,
  },
  { key: "tasks", header: "Tasks due", cell: ({ tasksDue }) => tasksDue, align: "end" },
  { key: "tried", header: "Retried", cell: (record) => <Retries record={record} /> },
];

/** Orders and tickets whose history cannot be read, on hold until it is repaired. */
export function ParkedView() {
  const { role } = useIdentity();
  const { data, error, mutate } = useParked();
  const [refused, setRefused] = useState(false);
  useUpdates(["health"], () => void mutate());
  const retry = async (): Promise<void> => {
    setRefused(false);
    try {
      await mutate((await send(retryParked)).parked, { revalidate: false });
    } catch {
      setRefused(true);
    }
  };
  const state = data ? "ready" : error ? "error" : "loading";
  const isRetrying = data?.some(({ isAsked }) => isAsked) ?? false;
  return (
    <Panel
      title="Parked orders and tickets"
      actions={
        maySend(role, retryParked) &&
        data &&
        data.length > 0 && (
          <BusyButton
            type="button"
            className="button button-dense button-primary"
            busy={isRetrying}
            onClick={() => void retry()}
          >
            {isRetrying ? "Retrying" : "Retry all"}
          </BusyButton>
        )
      }
    >
      {refused && (
        <p role="alert" className="mb-3 text-13 font-[500] text-danger">
          The retry could not be started. Please wait a moment and press the button again.
        </p>
      )}
      {data && data.length > 0 && (
        <p className="mb-3 max-w-prose text-14">
          We cannot read the history of these orders and tickets, so nothing is sent, refunded or destroyed
          for them. All others are processed as usual. The operations guide says how an operator repairs a
          history.
        </p>
      )}
      <DataTable
        caption="Parked orders and tickets, longest first"
        columns={columns}
        rows={data ?? []}
        keyOf={({ stream, follower }) => `${stream} ${follower}`}
        state={state}
        failure={error}
        onRetry={() => void mutate()}
        empty={
          <Empty title="Nothing is parked.">
            An order or ticket whose history cannot be read is listed here until it is repaired.
          </Empty>
        }
      />
    </Panel>
  );
}

function Of({ record: { about, number, stream } }: { record: ParkedRecord }) {
  if (about === null || number === null) return <span className="font-mono wrap-anywhere">{stream}</span>;
  return <AboutLink about={about} number={number} />;
}

function Retries({ record: { isAsked, tries, triedAt } }: { record: ParkedRecord }) {
  if (isAsked) return <span className="text-muted">retrying</span>;
  if (triedAt === null) return <span className="text-muted">not yet</span>;
  return (
    <>
      {tries === 1 ? "once" : `${tries} times`}, last <When at={triedAt} />
    </>
  );
}
