import type { Quarter } from "./quarter.ts";
import { quarterSpan } from "./quarter.ts";

/** What a reference in the GRO's index is made of, in the order in which it is written. */
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

/** The parts of one reference, tidied: `7b`, `412`, `A12B`. Absent ones were not found. */
export type ReferenceParts = { readonly [Name in Exclude<PartName, "quarter">]?: string } & {
  readonly quarter?: Quarter;
};

/** A part's name for people, with a small letter. */
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

/** One part as people read it: 'March quarter: registered from January to March'. */
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
