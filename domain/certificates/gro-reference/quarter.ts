import { months } from "../../calendar-date.ts";

/** The index's quarters, named after their last month: March, June, September, December. */
const quarters = ["M", "J", "S", "D"] as const;
export type Quarter = (typeof quarters)[number];

const initials = ["jfm", "amj", "jas", "ond"];

/** The quarter of a month, 0 to 11. */
const quarterOfMonth = (month: number): Quarter | undefined => quarters[Math.floor(month / 3)];

/** A month by its first three letters, 0 to 11; undefined if none matches. */
export function monthNamed(word: string): number | undefined {
  const index = months.findIndex(
    (month) => month.slice(0, 3).toLowerCase() === word.slice(0, 3).toLowerCase(),
  );
  return index === -1 ? undefined : index;
}

/** The quarter in words of any form: `M`, `Q1`, `1Q`, `1st`, `Mar`, `JFM`, `Jan-Feb-Mar`; undefined if none matches. */
export function quarterNamed(words: string): Quarter | undefined {
  const tight = words
    .toLowerCase()
    .replace(/\b(quarter|qtr)\b|[^a-z0-9-]+/g, " ")
    .trim();
  const number = /\d+/.exec(tight)?.[0];
  if (number !== undefined) return quarters[Number(number) - 1];
  if (tight.length === 1) return quarters.find((quarter) => quarter.toLowerCase() === tight);
  const initial = initials.indexOf(tight);
  if (initial !== -1) return quarters[initial];
  const last = monthNamed(tight.split(/[^a-z]+/).at(-1) ?? "");
  return last === undefined ? undefined : quarterOfMonth(last);
}

/** The month that ends a quarter: `March`. */
export const quarterMonth = (quarter: Quarter): string => months[quarters.indexOf(quarter) * 3 + 2] ?? "";

/** A quarter's first month, 0 to 11. */
export const firstMonthOf = (quarter: Quarter): number => quarters.indexOf(quarter) * 3;

/** 'March quarter: registered from January to March'; any other text as it is. */
export function quarterSpan(value: string): string {
  const quarter = quarters.find((known) => known === value);
  if (quarter === undefined) return value;
  const end = quarterMonth(quarter);
  return `${end} quarter: registered from ${months[firstMonthOf(quarter)]} to ${end}`;
}
