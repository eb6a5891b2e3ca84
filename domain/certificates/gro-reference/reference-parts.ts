import { months } from "../../calendar-date.ts";

/** The index's quarters, named after their last month: March, June, September, December. */
const quarters = ["M", "J", "S", "D"] as const;
export type Quarter = (typeof quarters)[number];

/** Of the months of each quarter. */
export const initials = ["jfm", "amj", "jas", "ond"];

/** The quarter of a month, 0 to 11. */
const quarterOfMonth = (month: number): Quarter | undefined => quarters[Math.floor(month / 3)];

/** A month by its first three letters, 0 to 11; undefined if none matches. */
export function monthNamed(word: string): number | undefined {
  const index = months.findIndex(
    (month) => month.slice(0, 3).toLowerCase() === word.slice(0, 3).toLowerCase(),
  );
  return index === -1 ? undefined : index;
}

/**
 * The quarter in words of any form: `M`, `Q1`, `1Q`, `1st`, `Mar`, `JFM`, `J F M`, `Jan-Feb-Mar`; undefined if none
 * matches.
 */
export function quarterNamed(words: string): Quarter | undefined {
  const tight = words
    .toLowerCase()
    .replace(/\b(quarter|qtr)\b|[^a-z0-9-]+/g, " ")
    .trim();
  const number = /\d+/.exec(tight)?.[0];
  if (number !== undefined) return quarters[Number(number) - 1];
  if (tight.length === 1) return quarters.find((quarter) => quarter.toLowerCase() === tight);
  const initial = initials.indexOf(tight.replace(/[^a-z]/g, ""));
  if (initial !== -1) return quarters[initial];
  const last = monthNamed(tight.split(/[^a-z]+/).at(-1) ?? "");
  return last === undefined ? undefined : quarterOfMonth(last);
}

/** The month that ends a quarter: `March`. */
export const quarterMonth = (quarter: Quarter): string => months[quarters.indexOf(quarter) * 3 + 2] ?? "";

/** A quarter's first month, 0 to 11. */
export const firstMonthOf = (quarter: Quarter): number => quarters.indexOf(quarter) * 3;

/** 'March quarter: registered from January to March'; any other text as it is. */
function quarterSpan(value: string): string {
  const quarter = quarters.find((known) => known === value);
  if (quarter === undefined) return value;
  const end = quarterMonth(quarter);
  return `${end} quarter: registered from ${months[firstMonthOf(quarter)]} to ${end}`;
}

/** A possible mistake, which may be correct after all. */
export interface ReferenceWarning {
  /** The part concerned, if any. */
  readonly part: PartName | null;
  readonly message: string;
}

/** The parts of a GRO index reference, in writing order. */
export const partNames = [
  "year",
  "quarter",
  "district",
  "districtNumber",
  "volume",
  "page",
  "register",
  "entry",
] as const;
export type PartName = (typeof partNames)[number];

/** The normalised parts of one reference: `7b`, `412`, `A12B`. */
export type ReferenceParts = { readonly [Name in Exclude<PartName, "quarter">]?: string } & {
  readonly quarter?: Quarter;
};

/** A part's name, in lower case. */
export const partWords: Readonly<Record<PartName, string>> = {
  year: "year",
  quarter: "quarter",
  district: "district",
  districtNumber: "district number",
  volume: "volume",
  page: "page",
  register: "register number",
  entry: "entry number",
};

/** One part in words: 'March quarter: registered from January to March'. */
export function partInWords(name: PartName, value: string): string {
  switch (name) {
    case "year":
      return `Registered in ${value}`;
    case "quarter":
      return quarterSpan(value);
    case "district":
      return `${value} registration district`;
    case "districtNumber":
      return `District number ${value}`;
    case "volume":
      return `Volume ${value}`;
    case "page":
      return `Page ${value}`;
    case "register":
      return `Register ${value}`;
    case "entry":
      return `Entry ${value}`;
    default:
      return name satisfies never;
  }
}

/** The four historical shapes of references, by year of registration. */
export type ShapeName = "volumeAndPage" | "districtAndPage" | "registerAndEntry" | "entryOnly";

interface ReferenceShape {
  /** Its period of use, in words. */
  readonly period: string;
  /** Every part it can have. */
  readonly parts: readonly PartName[];
  /** The parts that identify the entry. */
  readonly needed: readonly PartName[];
  readonly example: string;
}

export const shapes: Readonly<Record<ShapeName, ReferenceShape>> = {
  volumeAndPage: {
    period: "1837 to 1983",
    parts: ["year", "quarter", "district", "volume", "page"],
    needed: ["year", "quarter", "volume", "page"],
    example: "1921 M Nottingham 7b 412",
  },
  districtAndPage: {
    period: "1984 to 1992",
    parts: ["year", "quarter", "district", "districtNumber", "volume", "page", "entry"],
    needed: ["year", "volume", "page"],
    example: "Q1/1984 Nottingham (3611) Vol 8 Page 1234",
  },
  registerAndEntry: {
    period: "from 1993",
    parts: ["year", "quarter", "district", "districtNumber", "register", "entry"],
    needed: ["year", "districtNumber", "register", "entry"],
    example: "Q1/1993 Nottingham (361-1A) Reg A12B Entry 123",
  },
  entryOnly: {
    period: "recent",
    parts: ["year", "quarter", "district", "districtNumber", "entry"],
    needed: ["year", "districtNumber", "entry"],
    example: "Q1/2015 Nottingham (361-1A) Entry 123",
  },
};

/** Each year has one shape; from 1993 there are two: with a register number, and later without. */
function shapeOfYear(year: number, parts: ReferenceParts): ShapeName {
  if (year <= 1983) return "volumeAndPage";
  if (year <= 1992) return "districtAndPage";
  return parts.register === undefined ? "entryOnly" : "registerAndEntry";
}

/** The shape of a reference: by its year, else by its parts; undefined if neither decides. */
export function shapeOf(parts: ReferenceParts): ShapeName | undefined {
  if (parts.year !== undefined) return shapeOfYear(Number(parts.year), parts);
  if (parts.register !== undefined) return "registerAndEntry";
  if (parts.volume !== undefined || parts.page !== undefined) {
    return parts.districtNumber === undefined ? "volumeAndPage" : "districtAndPage";
  }
  return parts.entry === undefined ? undefined : "entryOnly";
}
