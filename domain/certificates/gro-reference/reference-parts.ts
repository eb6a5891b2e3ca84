import { type Quarter, quarterSpan } from "./quarter.ts";

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
