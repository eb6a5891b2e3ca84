import type { ProcessingRecord } from "../../../../contract/compliance/records.ts";
import { contactLines, registrationLines } from "../../../../domain/settings/company.ts";
import { Panel } from "../../ui/panel.tsx";
import { NotLoaded, Skeleton } from "../../ui/placeholders.tsx";
import { useProcessing } from "./compliance-requests.ts";
import { wordsOf } from "./compliance-words.ts";

/** The record of processing activities required by Article 30 of the UK GDPR. */
export function ProcessingView() {
  const { data, error, mutate } = useProcessing();
  if (error) return <NotLoaded what="The record of processing" onRetry={() => void mutate()} />;
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
