import useSWR from "swr";
import type { ApiRequest, Sent } from "../../../../contract/request.ts";
import {
  type SettingName,
  type Settings,
  type SettingsChange,
  settingChanges,
  showSettings,
  showSettingsHistory,
} from "../../../../contract/settings/settings.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { type PriceList, pricedAlike } from "../../../../domain/pricing/price-list.ts";
import { request } from "../../../api/request.ts";
import { answerIn, send } from "../../../api/send.ts";
import { NotLoaded, Panel, Skeleton } from "../../ui/page-parts.tsx";
import { When } from "../../ui/values.tsx";

export const useSettings = () => useSWR(showSettings.path, () => send(showSettings));

/** Newest first. */
export const useSettingsHistory = () =>
  useSWR(showSettingsHistory.path, async () => (await send(showSettingsHistory)).changes);

type Change<R extends ApiRequest> = R extends { readonly path: `/api/admin/settings/${infer Path}` }
  ? { readonly path: Path; readonly body: Omit<Sent<R>, "expectedRevision"> }
  : never;

/** A change to a setting, by the last part of its path. */
export type SettingChange = Change<(typeof settingChanges)[number]>;

/**
 * @returns all settings after the change
 * @throws ApiError 409 `changed-meanwhile` after a change since `expectedRevision`, 422 if a rule forbids the change
 */
export async function changeSetting(
  { path, body }: SettingChange,
  expectedRevision: number,
  idempotencyKey: string,
): Promise<Settings> {
  const change = settingChanges.find((known) => known.path === `/api/admin/settings/${path}`);
  if (!change) throw new Error(`Unknown setting ${path}`);
  const answer = await request("POST", change.path, { ...body, expectedRevision }, { idempotencyKey });
  return answerIn(change, answer);
}

/** Past changes of these settings. */
export function SettingHistory({ of }: { of: readonly SettingName[] }) {
  const { data, error, mutate } = useSettingsHistory();
  const changes = data?.filter(({ setting }) => of.includes(setting));
  return (
    <Panel title="History" className="mt-8">
      {changes && <Changes changes={changes} />}
      {!changes && !error && <Skeleton lines={3} label="Loading the history" />}
      {!changes && error && <NotLoaded what="The history" failure={error} onRetry={() => void mutate()} />}
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

const roleWords = {
  staff: "staff",
  manager: "manager",
  compliance: "compliance",
  revoked: "revoked",
} as const;

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** A calendar day, '4 Jan 2027'. */
export const dayWords = (isoDate: string): string => day.format(new Date(`${isoDate}T12:00:00Z`));

/** 'Every type: £49.00 standard, £79.00 priority', or each group of types that cost the same. */
export const priceLines = (list: PriceList): string[] =>
  pricedAlike(list).map(({ types, prices }) => {
    const who = types.length === 4 ? "Every type" : types.join(", ");
    return `${who}: ${formatPounds(prices.standard)} standard, ${formatPounds(prices.priority)} priority`;
  });

const priceWords = (list: PriceList): string => priceLines(list).join("; ");

function changeWords(change: SettingsChange): string {
  switch (change.setting) {
    case "prices":
      return priceChangeWords(change);
    case "company":
      return "Company details changed.";
    case "retention":
      return `Contact data is kept for ${change.after} days (was ${change.before}).`;
    case "certificateTypes":
      return `${change.certificateType} certificates switched ${change.after ? "on" : "off"}.`;
    case "refundLimit":
      return `Refund limit ${formatPounds(change.after)} (was ${formatPounds(change.before)}).`;
    case "cannedAnswers":
      return answerWords(change);
    case "testimonials":
      return `Testimonials: ${change.after.length} (was ${change.before.length}).`;
    case "staff":
      return `${change.name}: ${change.after ? roleWords[change.after] : "role from their token"}${change.before ? ` (was ${roleWords[change.before]})` : ""}.`;
    default:
      return change satisfies never;
  }
}

function priceChangeWords({ before, after }: Extract<SettingsChange, { setting: "prices" }>): string {
  if (after === null)
    return before ? `Prices for ${dayWords(before.effectiveFrom)} withdrawn.` : "Prices withdrawn.";
  const replaced = before === null ? "" : ` Replaces: ${priceWords(before)}.`;
  return `Prices from ${dayWords(after.effectiveFrom)}. ${priceWords(after)}.${replaced}`;
}

function answerWords({ before, after }: Extract<SettingsChange, { setting: "cannedAnswers" }>): string {
  if (after === null) return `Answer ‘${before?.title ?? ""}’ removed.`;
  return before === null ? `Answer ‘${after.title}’ added.` : `Answer ‘${after.title}’ changed.`;
}

/** Full texts before and after, for changes too long for a sentence. */
function detailsOf(change: SettingsChange): readonly { when: string; lines: string }[] {
  switch (change.setting) {
    case "company":
      return beforeAndAfter(companyLines(change.before), companyLines(change.after));
    case "cannedAnswers":
      return beforeAndAfter(textOf(change.before), textOf(change.after));
    case "testimonials":
      return beforeAndAfter(quotesOf(change.before), quotesOf(change.after));
    case "prices":
    case "retention":
    case "certificateTypes":
    case "refundLimit":
    case "staff":
      return [];
    default:
      return change satisfies never;
  }
}

const companyLines = (company: Readonly<Record<string, string>>): string =>
  Object.values(company)
    .filter((detail) => detail !== "")
    .join("\n");

const beforeAndAfter = (before: string, after: string) => [
  { when: "Before", lines: before || "None" },
  { when: "After", lines: after || "None" },
];

const textOf = (answer: { readonly title: string; readonly text: string } | null): string =>
  answer === null ? "" : `${answer.title}\n\n${answer.text}`;

const quotesOf = (
  quotes: readonly { readonly quote: string; readonly name: string; readonly source: string }[],
) => quotes.map(({ quote, name, source }) => `“${quote}” ${name}, ${source}`).join("\n");
