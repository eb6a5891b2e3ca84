import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import useSWR from "swr";
import { type Audit, type AuditRun, showAudit, startAudit } from "../../../../contract/compliance/audit.ts";
import { send } from "../../../api/send.ts";
import { BusyButton } from "../../../ui/busy-button.tsx";
import { adminPages } from "../../paths.ts";
import { Empty, PageTop, Panel } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { Status, When } from "../../ui/values.tsx";
import { ParkedView } from "./parked-view.tsx";
import { AccessView, PurgesView } from "./registers.tsx";
import { DueView, ProcessingView, RetentionView } from "./retention-view.tsx";

const views = [
  { name: "purges", words: "Purge register", View: PurgesView },
  { name: "due", words: "Due purges", View: DueView },
  { name: "audit", words: "Audit", View: AuditView },
  { name: "parked", words: "Parked", View: ParkedView },
  { name: "access", words: "Access log", View: AccessView },
  { name: "retention", words: "Retention", View: RetentionView },
  { name: "processing", words: "Record of processing", View: ProcessingView },
] as const;

/** Everything an auditor needs: purges, due purges, log integrity and access to personal data. */
export default function CompliancePage() {
  const [parameters] = useSearchParams();
  const { name, words, View } = views.find((view) => view.name === parameters.get("view")) ?? views[0];
  return (
    <>
      <PageTop title={`Compliance: ${words}`} heading="Compliance" />
      <nav aria-label="Compliance" className="mb-5 flex flex-wrap gap-x-5 gap-y-1 border-b border-hairline">
        {views.map((view) => (
          <Link
            key={view.name}
            to={`${adminPages.compliance}?view=${view.name}`}
            aria-current={view.name === name ? "page" : undefined}
            className="-mb-px inline-flex min-h-9 items-center border-b-2 border-transparent text-muted hover:text-primary aria-[current=page]:border-primary aria-[current=page]:font-[500] aria-[current=page]:text-primary"
          >
            {view.words}
          </Link>
        ))}
      </nav>
      <View />
    </>
  );
}

/** Audit status, reloaded every second during an audit. */
const useAudit = () =>
  useSWR(showAudit.path, () => send(showAudit), {
    revalidateIfStale: true,
    refreshInterval: (latest) => (latest?.running === null || latest === undefined ? 0 : 1_000),
  });

const figures = new Intl.NumberFormat("en-GB");

const kindWords: Readonly<Record<AuditRun["kind"], string>> = {
  whole: "Whole log",
  "new-events": "New events",
  following: "While following",
};

const columns: readonly Column<AuditRun>[] = [
  { key: "at", header: "Finished", cell: ({ finishedAt }) => <When at={finishedAt} /> },
  {
    key: "kind",
    header: "Audit",
    cell: ({ kind }) => kindWords[kind],
  },
  { key: "events", header: "Events", align: "end", cell: ({ events }) => figures.format(events) },
  { key: "streams", header: "Streams", align: "end", cell: ({ streams }) => figures.format(streams) },
  {
    key: "checkpoints",
    header: "Checkpoints",
    align: "end",
    cell: ({ checkpoints }) => figures.format(checkpoints),
  },
  { key: "result", header: "Result", cell: (run) => <Result run={run} /> },
];

/** Integrity of the log: past audits, their findings and the last signed checkpoint. */
function AuditView() {
  const { data, error, mutate } = useAudit();
  const [refused, setRefused] = useState(false);
  const start = async (): Promise<void> => {
    setRefused(false);
    try {
      await mutate(await send(startAudit), { revalidate: true });
    } catch {
      setRefused(true);
    }
  };
  const state = data ? "ready" : error ? "error" : "loading";
  return (
    <div className="flex flex-col gap-8">
      <Panel
        title="Event chain"
        actions={
          <BusyButton
            type="button"
            className="button button-dense button-primary"
            busy={data === undefined || data.running !== null}
            onClick={() => void start()}
          >
            {data && data.running !== null ? "Auditing the log…" : "Audit the whole log"}
          </BusyButton>
        }
      >
        {refused && (
          <p role="alert" className="mb-3 text-13 font-[500] text-danger">
            The audit could not be started. Please wait a moment and try again.
          </p>
        )}
        {data && <AuditStatus audit={data} />}
      </Panel>
      <Panel title="Past audits">
        <DataTable
          caption="Audits, newest first"
          columns={columns}
          rows={data?.runs ?? []}
          keyOf={({ id }) => id}
          state={state}
          failure={error}
          onRetry={() => void mutate()}
          empty={<Empty title="The whole log has not been audited yet." />}
        />
      </Panel>
      {data && <PublicKey pem={data.publicKeyPem} />}
    </div>
  );
}

function AuditStatus({ audit: { state, events, running, lastCheckpoint } }: { audit: Audit }) {
  return (
    <div className="flex flex-col gap-3">
      <p aria-live="polite">
        {state === "stopped" ? (
          <>
            <Status status="Stopped" tone="cancelled" /> An altered event was found. See the audits below.
          </>
        ) : (
          <>
            <Status status="Following" tone="fulfilled" /> Each event is checked as it is recorded:{" "}
            {figures.format(events)} so far.
          </>
        )}
        {running !== null && ` ${figures.format(running)} events read in this audit.`}
      </p>
      {lastCheckpoint && (
        <dl className="grid gap-x-6 gap-y-1 text-13 sm:grid-cols-[max-content_1fr]">
          <dt className="text-muted">Last signed</dt>
          <dd>
            <When at={lastCheckpoint.at} />, at {figures.format(lastCheckpoint.events)} events
          </dd>
          <dt className="text-muted">Root of its tree</dt>
          <dd className="font-mono wrap-anywhere">{lastCheckpoint.root}</dd>
        </dl>
      )}
    </div>
  );
}

function Result({ run: { problem } }: { run: AuditRun }) {
  if (!problem) return <Status status="Intact" tone="fulfilled" />;
  return (
    <span>
      <Status status={problem.kind === "tile-damaged" ? "Damaged" : "Altered"} tone="cancelled" />{" "}
      {problem.words}
    </span>
  );
}

function PublicKey({ pem }: { pem: string }) {
  return (
    <details className="text-13">
      <summary className="cursor-pointer">Public key for checking downloaded files</summary>
      <pre className="mt-2 overflow-x-auto font-mono">{pem}</pre>
    </details>
  );
}
