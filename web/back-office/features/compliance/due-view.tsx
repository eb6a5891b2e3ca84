import type { DuePurge } from "../../../../contract/compliance/records.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { Status } from "../../ui/status.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { When } from "../../ui/values.tsx";
import { useUpdates } from "../../use-updates.ts";
import { AboutLink } from "./about-link.tsx";
import { useDuePurges } from "./compliance-requests.ts";

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

const columns: readonly Column<DuePurge>[] = [
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
      columns={columns}
      rows={data ?? []}
      keyOf={({ number, name, dueAt }) => `${number} ${name} ${dueAt}`}
      state={state}
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
