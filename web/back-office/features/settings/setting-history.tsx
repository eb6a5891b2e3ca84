import type { SettingName, SettingsChange } from "../../../../contract/settings/settings.ts";
import { Panel } from "../../ui/panel.tsx";
import { NotLoaded, Skeleton } from "../../ui/placeholders.tsx";
import { When } from "../../ui/values.tsx";
import { changeWords, detailsOf } from "./change-words.ts";
import { useSettingsHistory } from "./setting-requests.ts";

/** Past changes of these settings. */
export function SettingHistory({ of }: { of: readonly SettingName[] }) {
  const { data, error, mutate } = useSettingsHistory();
  const changes = data?.filter(({ setting }) => of.includes(setting));
  return (
    <Panel title="History" className="mt-8">
      {changes && <Changes changes={changes} />}
      {!changes && !error && <Skeleton lines={3} label="Loading the history" />}
      {!changes && error && <NotLoaded what="The history" onRetry={() => void mutate()} />}
    </Panel>
  );
}

function Changes({ changes }: { changes: readonly SettingsChange[] }) {
  if (changes.length === 0)
    return <p className="text-muted">Not changed yet. This is the default or environment value.</p>;
  return (
    <ol className="divide-y divide-hairline text-13">
      {changes.map((change) => (
        <li key={change.revision} className="grid gap-x-6 py-2 md:grid-cols-[11rem_10rem_1fr]">
          <span className="text-muted">
            <When at={change.at} />
          </span>
          <span title={change.by.userId} className="wrap-anywhere">
            {change.by.name}
          </span>
          <div className="min-w-0">
            <p>{changeWords(change)}</p>
            <Details change={change} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Full texts before and after. */
function Details({ change }: { change: SettingsChange }) {
  const details = detailsOf(change);
  if (details.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="link inline-flex min-h-6 cursor-pointer items-center">Before and after</summary>
      <dl className="mt-2 grid gap-3 sm:grid-cols-2">
        {details.map(({ when, lines }) => (
          <div key={when} className="min-w-0 border-l border-hairline pl-3">
            <dt className="text-muted">{when}</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap">{lines}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Changes by others since a revision, shown on a conflict. */
export function MeanwhileChanges({ since }: { since: number }) {
  const { data } = useSettingsHistory();
  const changes = data?.filter(({ revision }) => revision > since) ?? [];
  return (
    <>
      <ul className="flex flex-col gap-1">
        {changes.map((change) => (
          <li key={change.revision}>
            {changeWords(change)} <span className="text-muted">{change.by.name}, </span>
            <When at={change.at} />
          </li>
        ))}
      </ul>
      <p className="mt-2">Your changes were not saved. What you typed is still on the page.</p>
    </>
  );
}
