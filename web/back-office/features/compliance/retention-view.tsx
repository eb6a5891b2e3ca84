import useSWR from "swr";
import type { DuePurge, ProcessingRecord, RetentionLine } from "../../../../contract/compliance/registers.ts";
import { listDuePurges, showProcessing, showRetention } from "../../../../contract/compliance/registers.ts";
import { contactLines, registrationLines } from "../../../../domain/settings/company.ts";
import { send } from "../../../api/send.ts";
import { Empty, NotLoaded, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { Status, When } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { AboutLink, wordsOf } from "./register-entries.tsx";

/** Data to be destroyed, longest overdue first. */
const useDuePurges = () =>
  useSWR(listDuePurges.path, async () => (await send(listDuePurges)).due, { revalidateIfStale: true });

const useProcessing = () => useSWR(showProcessing.path, () => send(showProcessing));

const useRetention = () => useSWR(showRetention.path, async () => (await send(showRetention)).lines);

const dataOf: Partial<Record<RetentionLine["subject"], string>> = {
  ticket: "Conversation",
  draft: "Unfinished order",
};

const retentionColumns: readonly Column<RetentionLine>[] = [
  {
    key: "data",
    header: "Data",
    cell: ({ subject, dataClass }) => dataOf[subject] ?? wordsOf(dataClass),
  },
  { key: "trigger", header: "Starts", cell: ({ trigger }) => trigger },
  { key: "after", header: "Destroyed after", cell: ({ afterSeconds }) => durationWords(afterSeconds) },
  { key: "rule", header: "Rule on receipts", cell: ({ rule }) => <code className="font-mono">{rule}</code> },
  {
    key: "code",
    header: "Enforced by",
    cell: ({ decidedBy, doneBy }) => (
      <span className="flex flex-col font-mono">
        <span>{decidedBy}</span>
        <span>{doneBy}</span>
      </span>
    ),
  },
];

const steps = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** `41 seconds`, `24 hours`, `365 days`: in the largest exact unit. */
function durationWords(seconds: number): string {
  if (seconds === 0) return "immediately";
  const [size, unit] = steps.find(([step]) => seconds % step === 0 && seconds / step >= 1) ?? [1, "second"];
  const many = seconds / size;
  return many === 1 && unit === "day" ? "24 hours" : `${many} ${unit}${many === 1 ? "" : "s"}`;
}

/** The retention schedule, as currently enforced by the policies. */
export function RetentionView() {
  const { data, error, mutate } = useRetention();
  return (
    <>
      <p className="mb-4 max-w-[66ch] text-13 text-muted">
        These periods come from the running rules, not from a document. When a record is replaced, for example
        by a corrected address, the old one is destroyed immediately, or, if we have to tell a previous email
        address of the change, once that email has left, within 24 hours at most.
      </p>
      <DataTable
        caption="Retention schedule"
        columns={retentionColumns}
        rows={data ?? []}
        keyOf={({ subject, rule, dataClass }) => `${subject} ${rule} ${dataClass}`}
        state={data ? "ready" : error ? "error" : "loading"}
        failure={error}
        onRetry={() => void mutate()}
        empty={<Empty title="There are no rules." />}
      />
    </>
  );
}

/** The record of processing activities required by Article 30 of the UK GDPR. */
export function ProcessingView() {
  const { data, error, mutate } = useProcessing();
  if (error)
    return <NotLoaded what="The record of processing" failure={error} onRetry={() => void mutate()} />;
  if (!data) return <Skeleton lines={8} label="Loading the record" />;
  return (
    <div className="flex max-w-[80ch] flex-col gap-7">
      <p className="text-13 text-muted">
        Controller: {[data.controller.tradingName, ...contactLines(data.controller)].join(", ")}.{" "}
        {registrationLines(data.controller).join(" ")} {data.transfers}
      </p>
      {data.activities.map((activity) => (
        <Panel key={activity.name} title={activity.name}>
          <Activity activity={activity} />
        </Panel>
      ))}
      <Panel title="Security measures">
        <ul className="list-disc pl-5">
          {data.security.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Activity({ activity }: { activity: ProcessingRecord["activities"][number] }) {
  const { purpose, lawfulBasis, people, data, recipients, endedBy } = activity;
  const lines: readonly (readonly [string, string])[] = [
    ["Purpose", purpose],
    ["Lawful basis", lawfulBasis],
    ["People", people],
    ["Data", data.join("; ")],
    ["Recipients", recipients.length > 0 ? recipients.join("; ") : "None"],
    [
      "Destroyed by",
      endedBy.length > 0 ? endedBy.map(wordsOf).join(", ") : "Kept: contains no personal data",
    ],
  ];
  return (
    <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[8rem_1fr]">
      {lines.map(([term, words]) => (
        <div key={term} className="contents">
          <dt className="text-13 text-muted">{term}</dt>
          <dd className="max-sm:mb-2">{words}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Time after the due date at which a purge is late and raises an alarm, in milliseconds. */
const lateMs = 120_000;

type DueStatus = "due" | "late" | "failing" | "later";

function statusOf({ dueAt, tries }: DuePurge, now: number): DueStatus {
  if (tries > 0) return "failing";
  const sinceMs = now - Date.parse(dueAt);
  if (sinceMs < 0) return "later";
  return sinceMs > lateMs ? "late" : "due";
}

const badges = {
  due: <Status status="Due now" tone="pending" />,
  late: <Status status="Overdue" tone="cancelled" />,
  failing: <Status status="Retrying" tone="cancelled" />,
  later: <Status status="Scheduled" tone="failed" />,
} as const;

const dueColumns: readonly Column<DuePurge>[] = [
  { key: "due", header: "Due", cell: ({ dueAt }) => <When at={dueAt} /> },
  {
    key: "of",
    header: "Order, ticket or saved order",
    cell: (due) => <AboutLink about={aboutOf(due)} number={due.number} />,
  },
  { key: "what", header: "Data", cell: whatOf },
  { key: "status", header: "Status", cell: (due) => badges[statusOf(due, Date.now())] },
  { key: "tries", header: "Attempts", cell: ({ tries }) => tries, align: "end" },
];

/** All data to be destroyed, now or later. */
export function DueView() {
  const { data, error, mutate } = useDuePurges();
  useUpdates(["orders", "tickets", "drafts"], () => void mutate());
  const state = data ? "ready" : error ? "error" : "loading";
  return (
    <DataTable
      caption="Data to be destroyed, longest overdue first"
      columns={dueColumns}
      rows={data ?? []}
      keyOf={({ number, name, dueAt }) => `${number} ${name} ${dueAt}`}
      state={state}
      failure={error}
      onRetry={() => void mutate()}
      empty={
        <Empty title="Nothing is waiting to be destroyed.">
          Data that falls due later, such as contact data at the end of its retention period, is listed here
          with its date.
        </Empty>
      }
    />
  );
}

function aboutOf({ number, name }: DuePurge): "order" | "ticket" | "draft" {
  if (/^(purge-draft|destroy-link)-/.test(name)) return "draft";
  return number?.startsWith("T-") ? "ticket" : "order";
}

function whatOf({ kind, name }: DuePurge): string {
  if (name.startsWith("purge-draft")) return "Saved answers";
  if (name.startsWith("destroy-link")) return "Email address and link";
  if (kind === "destroyRecord") return "Replaced record";
  if (name.startsWith("purge-application")) return "Application";
  return name.startsWith("purge-ticket") ? "Conversation" : "Contact data";
}
