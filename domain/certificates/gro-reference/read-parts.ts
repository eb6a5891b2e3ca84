import {
  initials,
  monthNamed,
  type PartName,
  type Quarter,
  quarterMonth,
  quarterNamed,
  type ReferenceParts,
  type ReferenceWarning,
} from "./reference-parts.ts";

/** A partly read reference: the parts taken so far, and the remaining text. */
export interface Reading {
  readonly parts: ReferenceParts;
  readonly rest: string;
}

type TextPart = Exclude<PartName, "quarter">;

/** Replaces what was taken, to keep the words on both sides apart. */
export const gap = " | ";
/** Replaces a figure that was taken: the district stands before the first of them. */
export const figure = " ‖ ";

/** The text without what a pattern matched. */
const without = (text: string, match: RegExpExecArray, mark = gap): string =>
  text.slice(0, match.index) + mark + text.slice(match.index + match[0].length);

const noZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");
const upper = (text: string): string => text.toUpperCase();

const tidiers: Readonly<Record<TextPart, (found: string) => string>> = {
  year: (found) => found,
  district: (found) => found.replace(/\s+/g, " ").trim(),
  districtNumber: (found) => upper(found).replace(/\s+/g, ""),
  /** `07B` becomes `7b`; Roman numerals become capitals. */
  volume: (found) => (/^\d/.test(found) ? noZeros(found).toLowerCase() : upper(found)),
  page: (found) => noZeros(found).toLowerCase(),
  register: upper,
  entry: noZeros,
};

/** Adds a part unless present. */
export const withPart = (parts: ReferenceParts, name: TextPart, found: string): ReferenceParts => ({
  ...parts,
  [name]: tidiers[name](found),
});

/** Takes a part by a pattern's first group; the first match counts. */
export function take(reading: Reading, name: TextPart, pattern: RegExp): Reading {
  if (reading.parts[name] !== undefined) return reading;
  const match = pattern.exec(reading.rest);
  const found = match?.[1];
  if (match === null || found === undefined) return reading;
  return { parts: withPart(reading.parts, name, found), rest: without(reading.rest, match, figure) };
}

/** Removes a pattern's matches. */
function cut(
  text: string,
  pattern: RegExp,
): { readonly groups: readonly (string | undefined)[]; readonly rest: string } | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { groups: match.slice(1), rest: without(text, match) };
}

/** Adds a date to the parts. */
const withDate = (
  parts: ReferenceParts,
  quarter: Quarter | undefined,
  year: string | undefined,
): ReferenceParts => ({ ...parts, ...(quarter && { quarter }), ...(year && { year }) });

/** Finds year and quarter, preferably adjacent, otherwise separately. */

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const numbered = "(?:q\\s?\\d|\\d\\s?q|\\d(?:st|nd|rd|th)(?=\\s*(?:q|$)))";
const spacedInitials = initials.map((months) => `${[...months].join("[\\s./-]{0,2}")}\\b\\.?`).join("|");
const spoken = `(?:${month}(?:\\s?(?:-|/|,|to|\\s)\\s?${month}){0,2}|${spacedInitials}|${numbered})`;
const quarterWord = "(?:\\s?(?:quarter|qtr|q)\\b\\.?)?";
const year = "((?:1[89]|20)\\d\\d)";
const between = "[\\s,.:/'-]{0,4}(?:of\\s)?";
const end = "(?![\\w])";

/** `S. Shields` is a place and no September. */
const any = `((?:${spoken}|[mjsd](?![.'-]))${quarterWord})`;
/** `Mar 1921`, `Q1/1984`, `1Q1984`, `M 1921`. */
const quarterThenYear = new RegExp(`\\b${any}${between}${year}${end}`, "i");
/** `1921 Mar`, `1984/1Q`, `1921 M Quarter`. */
const yearThenQuarter = new RegExp(`\\b${year}${between}${any}${end}`, "i");
/** `1/1984` and `1984/1`. */
const numberThenYear = new RegExp(`\\b([1-4])\\s?/\\s?${year}${end}`);
const yearThenNumber = new RegExp(`\\b${year}\\s?/\\s?([1-4])${end}`);
/** Date of registration as month and year, `DOR 0993`: the later indexes have it so. */
const registered = /\bdor\b[\s:.]{0,3}(0[1-9]|1[0-2])[/.-]?(\d\d)(?!\d)/i;
/** A lone year, unless it follows a volume: in `7b 1873` it is a page. */
const yearAlone = new RegExp(`(?<!\\b\\d{1,2}[a-e][\\s,/.-]{1,3})\\b${year}${end}`, "i");
const quarterAlone = new RegExp(`\\b(${spoken}${quarterWord}|[mjsd]\\s?(?:quarter|qtr)\\b)${end}`, "i");
/** A lone letter counts only if it is a capital and not an initial. */
const letterAlone = /(?<=^|[\s|,])([MJSD])(?=$|[\s|,])/;

const oneMonth = new RegExp(`^${month}\\s?${quarterWord}$`, "i");

/** The date found in the text, with its inconsistencies. */
interface DateReading extends Reading {
  readonly warnings: readonly ReferenceWarning[];
}

interface Found {
  readonly words: string | undefined;
  readonly year: string | undefined;
  readonly rest: string;
}

/** Two digits of a year from 1984 on. */
const fullYear = (digits: string): string => (Number(digits) >= 84 ? `19${digits}` : `20${digits}`);

function together(text: string): Found | undefined {
  for (const pattern of [quarterThenYear, numberThenYear]) {
    const found = cut(text, pattern);
    if (found) return { words: found.groups[0], year: found.groups[1], rest: found.rest };
  }
  for (const pattern of [yearThenQuarter, yearThenNumber]) {
    const found = cut(text, pattern);
    if (found) return { words: found.groups[1], year: found.groups[0], rest: found.rest };
  }
  return undefined;
}

function byRegistration(text: string): Found | undefined {
  const found = cut(text, registered);
  const [number, digits] = found?.groups ?? [];
  if (found === undefined || number === undefined || digits === undefined) return undefined;
  return { words: `q${Math.ceil(Number(number) / 3)}`, year: fullYear(digits), rest: found.rest };
}

function apart(text: string): Found {
  const found = cut(text, yearAlone);
  const rest = found?.rest ?? text;
  const quarter = cut(rest, quarterAlone) ?? cut(rest, letterAlone);
  return { words: quarter?.groups[0], year: found?.groups[0], rest: quarter?.rest ?? rest };
}

/** A single month that does not end a quarter, which the index never writes: `Feb 1921`. */
function misplacedMonth(words: string, quarter: Quarter): string | undefined {
  const name = /^[a-z]+/i.exec(words)?.[0] ?? "";
  if (!oneMonth.test(words)) return undefined;
  return monthNamed(name) === monthNamed(quarterMonth(quarter)) ? undefined : name;
}

function warningsOf(
  found: Found,
  quarter: Quarter | undefined,
  second: Quarter | undefined,
): ReferenceWarning[] {
  const { words, year } = found;
  if (words !== undefined && quarter === undefined) {
    return [{ part: "quarter", message: `“${words.trim()}” is not a quarter. Quarters run from 1 to 4.` }];
  }
  if (words === undefined || quarter === undefined) return [];
  const odd = Number(year) <= 1983 ? misplacedMonth(words, quarter) : undefined;
  return [
    ...(odd === undefined
      ? []
      : [
          {
            part: "quarter" as const,
            message: `Until 1983 the index is by quarter, so we read ${odd} as the ${quarterMonth(quarter)} quarter. Is that right?`,
          },
        ]),
    ...(second === undefined || second === quarter
      ? []
      : [
          {
            part: "quarter" as const,
            message: `You gave two quarters, ${quarterMonth(quarter)} and ${quarterMonth(second)}. We used the first. Is that right?`,
          },
        ]),
  ];
}

/** Takes year and quarter out of the text. */
export function readDate({ parts, rest }: Reading): DateReading {
  const found = together(rest) ?? byRegistration(rest) ?? apart(rest);
  const quarter = found.words === undefined ? undefined : quarterNamed(found.words);
  const again = quarter === undefined ? undefined : cut(found.rest, quarterAlone);
  const second = quarterNamed(again?.groups[0] ?? "");
  return {
    parts: withDate(parts, quarter, found.year),
    rest: again?.rest ?? found.rest,
    warnings: warningsOf(found, quarter, second),
  };
}

/** Interprets bare numbers by the order in which indexes of that time write them. */

type Slot = "districtNumber" | "volume" | "page" | "register" | "entry";

interface Order {
  readonly slots: readonly Slot[];
  /** Which part to omit first if there are too few numbers. */
  readonly scarce: readonly Slot[];
}

const early: Order = { slots: ["volume", "page"], scarce: ["volume", "page"] };
const middle: Order = {
  slots: ["districtNumber", "volume", "page", "entry"],
  scarce: ["entry", "districtNumber", "volume", "page"],
};
const late: Order = {
  slots: ["districtNumber", "register", "entry"],
  scarce: ["districtNumber", "register", "entry"],
};

function orderFor({ year, register, entry, volume, page }: ReferenceParts): Order {
  if (year === undefined) return (register ?? ((volume ?? page) ? undefined : entry)) ? late : early;
  if (Number(year) <= 1983) return early;
  return Number(year) <= 1992 ? middle : late;
}

const digits: Readonly<Record<Slot, RegExp>> = {
  districtNumber: /^\d{3,4}$/,
  volume: /^\d{1,2}$/,
  page: /^\d{1,5}$/,
  register: /^\d{1,3}$/,
  entry: /^\d{1,4}$/,
};

/**
 * Every choice of `size` slots in their order, those that lack the scarcest first. At most four slots, so at most six.
 */
function choices({ slots, scarce }: Order, size: number): readonly (readonly Slot[])[] {
  if (slots.length < size) return [];
  if (slots.length === size) return [slots];
  return scarce.flatMap((missing, index) =>
    choices({ slots: slots.filter((slot) => slot !== missing), scarce: scarce.slice(index + 1) }, size),
  );
}

/** After a volume comes its page; a number before it is an age, if another comes after it. */
function withoutAge({ parts, rest }: Reading): Reading {
  if (parts.volume === undefined || parts.page !== undefined || Number(parts.year) > 1983)
    return { parts, rest };
  const [before, after] = splitAt(rest, rest.indexOf(figure));
  return /\d/.test(after)
    ? { parts, rest: before.replace(/(?<![\p{L}\p{M}\d])\d{1,3}(?![\p{L}\p{M}\d])/gu, gap) + after }
    : { parts, rest };
}

const splitAt = (text: string, index: number): readonly [string, string] =>
  index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index)];

/** Takes as many of the numbers, from the first on, as fit somewhere. */
export function readByPlace(whole: Reading): Reading {
  const reading = withoutAge(whole);
  const order = orderFor(reading.parts);
  const isFree = (slot: Slot) => reading.parts[slot] === undefined;
  const free = { slots: order.slots.filter(isFree), scarce: order.scarce.filter(isFree) };
  const numbers = Array.from(reading.rest.matchAll(/(?<![\p{L}\p{M}\d])\d{1,5}(?![\p{L}\p{M}\d])/gu));
  for (let size = Math.min(free.slots.length, numbers.length); size > 0; size -= 1) {
    const placed = numbers.slice(0, size);
    const fitting = choices(free, size).find((slots) =>
      slots.every((slot, index) => digits[slot].test(placed[index]?.[0] ?? "")),
    );
    if (fitting) return place(reading, placed, fitting);
  }
  return reading;
}

/** From last to first, so that earlier positions stay valid. */
function place(reading: Reading, numbers: readonly RegExpExecArray[], slots: readonly Slot[]): Reading {
  return slots.reduceRight<Reading>((read, slot, index) => {
    const found = numbers[index];
    if (found === undefined) return read;
    const after = found.index + found[0].length;
    return {
      parts: withPart(read.parts, slot, found[0]),
      rest: read.rest.slice(0, found.index) + figure + read.rest.slice(after),
    };
  }, reading);
}
