import type { PartName, ReferenceParts } from "./reference-parts.ts";

/** The four historical shapes of references, by year of registration. */
export const shapeNames = ["volumeAndPage", "districtAndPage", "registerAndEntry", "entryOnly"] as const;
export type ShapeName = (typeof shapeNames)[number];

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
