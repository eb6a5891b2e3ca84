import type { RetentionLine } from "../../../../contract/compliance/records.ts";
import { Empty } from "../../ui/placeholders.tsx";
import { type Column, DataTable } from "../../ui/tables/data-table.tsx";
import { useRetention } from "./compliance-requests.ts";
import { durationWords, wordsOf } from "./compliance-words.ts";

const dataOf: Partial<Record<RetentionLine["subject"], string>> = {
  ticket: "Conversation",
  draft: "Unfinished order",
};

const columns: readonly Column<RetentionLine>[] = [
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

/** The retention schedule, as currently enforced by the policies. */
export function RetentionView() {
  const { data, error, mutate } = useRetention();
  return (
    <>
      <p className="mb-4 max-w-[66ch] text-13 text-muted">
        These periods come from the running rules, not from a document. When a record is replaced, for example
        by a corrected address, the old one is destroyed immediately.
      </p>
      <DataTable
        caption="Retention schedule"
        columns={columns}
        rows={data ?? []}
        keyOf={({ subject, rule, dataClass }) => `${subject} ${rule} ${dataClass}`}
        state={data ? "ready" : error ? "error" : "loading"}
        onRetry={() => void mutate()}
        empty={<Empty title="There are no rules." />}
      />
    </>
  );
}
