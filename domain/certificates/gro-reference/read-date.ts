import { cut, type Reading, withDate } from "./reading.ts";
import {
  monthNamed,
  type Quarter,
  quarterMonth,
  quarterNamed,
  type ReferenceWarning,
} from "./reference-parts.ts";

/** Finds year and quarter, preferably adjacent, otherwise separately. */

const month =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const numbered = "(?:q\\s?\\d|\\d\\s?q|\\d(?:st|nd|rd|th)(?=\\s*(?:q|$)))";
const spoken = `(?:${month}(?:\\s?(?:-|/|,|to|\\s)\\s?${month}){0,2}|jfm|amj|jas|ond|${numbered})`;
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
