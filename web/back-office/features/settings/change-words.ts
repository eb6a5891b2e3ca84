import type { SettingsChange } from "../../../../contract/settings/settings.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { type PriceList, pricedAlike } from "../../../../domain/pricing/price-list.ts";

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

export function changeWords(change: SettingsChange): string {
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
export function detailsOf(change: SettingsChange): readonly { when: string; lines: string }[] {
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
