import { type CalendarDate, calendarDate, months, yearOf } from "../../calendar-date.ts";
import type { CertificateType } from "../../order/vocabulary.ts";
import {
  firstMonthOf,
  partNames,
  partWords,
  type ReferenceParts,
  type ReferenceWarning,
  type ShapeName,
  shapes,
} from "./reference-parts.ts";

/** Inconsistencies in a reference. Never refused, because indexes and rules contain errors. */

/** Civil registration began on 1 July 1837. */
const firstYear = 1837;
/** Volumes had Roman numerals, without a letter, until 1851. Figures with a letter came in 1852. */
const lastRomanYear = 1851;

/** The range of registration years from the customer's other answers, inclusive. */
export interface YearsRegistered {
  readonly from: number;
  readonly to: number;
}

function doubtYear({ year, quarter }: ReferenceParts, today: CalendarDate): ReferenceWarning[] {
  if (year === undefined) return [];
  const number = Number(year);
  const part = "year";
  if (number < firstYear) return [{ part, message: `Registration began in ${firstYear}. Is ${year} right?` }];
  if (number > yearOf(today)) return [{ part, message: `${year} is in the future. Is that right?` }];
  if (quarter === undefined) return [];
  const month = months[firstMonthOf(quarter)] ?? "January";
  if (number === firstYear && (quarter === "M" || quarter === "J")) {
    return [{ part: "quarter", message: `Registration began in July ${firstYear}. Is the quarter right?` }];
  }
  return calendarDate(number, month, 1) > today
    ? [{ part: "quarter", message: `${month} ${year} is in the future. Is the quarter right?` }]
    : [];
}

function doubtExpected({ year }: ReferenceParts, expected: YearsRegistered | undefined): ReferenceWarning[] {
  if (year === undefined || expected === undefined) return [];
  const { from, to } = expected;
  if (Number(year) >= from && Number(year) <= to) return [];
  const years = from === to ? `${from}` : `${from} to ${to}`;
  return [
    { part: "year", message: `This says ${year}, but your other answers say ${years}. Is that right?` },
  ];
}

const article = (shape: ShapeName): string =>
  shape === "entryOnly" || shape === "registerAndEntry" ? "from 1993 on" : `of ${shapes[shape].period}`;

/** Parts not used in references of that year. */
const doubtShape = (parts: ReferenceParts, shape: ShapeName): ReferenceWarning[] =>
  partNames
    .filter((part) => parts[part] !== undefined && !shapes[shape].parts.includes(part))
    .map((part) => ({
      part,
      message: `References ${article(shape)} have no ${partWords[part]}. Is the year right?`,
    }));

function doubtVolume({ year, volume }: ReferenceParts): ReferenceWarning[] {
  if (year === undefined || volume === undefined || Number(year) > 1983) return [];
  const isRoman = /^[IVX]+$/.test(volume);
  const part = "volume";
  if (isRoman && Number(year) > lastRomanYear) {
    return [{ part, message: `Volumes had Roman numerals until ${lastRomanYear}. Is ${volume} right?` }];
  }
  return /[a-z]$/.test(volume) && Number(year) <= lastRomanYear
    ? [{ part, message: `Volumes had no letter until ${lastRomanYear}. Is ${volume} right?` }]
    : [];
}

/** All doubts about the parts, in reading order. */
export const doubtsAbout = (
  parts: ReferenceParts,
  shape: ShapeName | undefined,
  known: { readonly today: CalendarDate; readonly registered?: YearsRegistered | undefined },
): ReferenceWarning[] => [
  ...doubtYear(parts, known.today),
  ...doubtExpected(parts, known.registered),
  ...(shape === undefined || parts.year === undefined ? [] : doubtShape(parts, shape)),
  ...doubtVolume(parts),
];

/**
 * The years in which an event was registered: births in the year given as such, marriages on their day, deaths in the
 * year of the death or, with an inquest or at its end, the next. Undefined for adoptions, whose register has an index
 * of its own, and for what is no year. `year` as typed: the year registered of a birth, else the year of the event.
 */
export function registrationYears(type: CertificateType, year: unknown): YearsRegistered | undefined {
  const typed = Number(String(year ?? "").trim() || Number.NaN);
  if (!Number.isInteger(typed) || typed < 1000 || typed > 9999) return undefined;
  switch (type) {
    case "Birth":
    case "Marriage":
      return { from: typed, to: typed };
    case "Death":
      return { from: typed, to: typed + 1 };
    case "Adoption":
      return undefined;
    default:
      return type satisfies never;
  }
}
