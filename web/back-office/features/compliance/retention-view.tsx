import type { RetentionLine } from "../../../../contract/compliance/records.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Empty } from "../../ui/placeholders.tsx";
import { useRetention } from "./compliance-requests.ts";
import { durationWords, wordsOf } from "./compliance-words.ts";

const columns: readonly Column<RetentionLine>[] = [
  {
    key: "data",
    header: "Data",
    cell: ({ subject, dataClass }) => (subject === "ticket" ? "Conversation" : wordsOf(dataClass)),
  },
  { key: "trigger", header: "When", cell: ({ trigger }) => trigger },
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

/** How long what is kept, as the policies that destroy it are set at this moment. */
export function RetentionView() {
  const { data, error, mutate } = useRetention();
  return (
    <>
      <p className="mb-4 max-w-[66ch] text-13 text-muted">
        These durations come from the rules that are running, not from a document. When a record is replaced,
        for example by a corrected address, the old one is destroyed at once.
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
