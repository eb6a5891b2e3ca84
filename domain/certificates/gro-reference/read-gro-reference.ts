import type { CalendarDate } from "../../calendar-date.ts";
import { doubtsAbout, type YearsRegistered } from "./doubts.ts";
import { readByPlace } from "./read-by-place.ts";
import { readDate } from "./read-date.ts";
import { readDistrict } from "./read-district.ts";
import { readByLook, readLabelled } from "./read-numbers.ts";
import { type PartName, partInWords, partNames, partWords, type ReferenceParts } from "./reference-parts.ts";
import { type ShapeName, shapeOf, shapes } from "./shape.ts";
import type { ReferenceWarning } from "./warning.ts";

/** One part that was understood. */
export interface ReferenceField {
  readonly name: PartName;
  readonly value: string;
  /** The part as people read it, such as 'Page 412'. */
  readonly words: string;
}

/** A pasted reference, as far as it was understood. It is never refused, and what was pasted is what is sent. */
export interface GroReference {
  /** Undefined when nothing tells. */
  readonly shape: ShapeName | undefined;
  readonly parts: ReferenceParts;
  /** The same parts, in the order in which they are written. */
  readonly fields: readonly ReferenceField[];
  readonly warnings: readonly ReferenceWarning[];
  /** What would still lead to the entry itself. */
  readonly missing: readonly PartName[];
  /** What it is good for; undefined when it holds no figure to go by. */
  readonly speedsUp: string | undefined;
}

export interface KnownBeside {
  /** The day in London. */
  readonly today: CalendarDate;
  /** Where the other answers put the registration: see registration-years.ts. */
  readonly registered?: YearsRegistered | undefined;
}

/** References are shorter by far; what is longer is something else, and reading it should cost nothing. */
const mostRead = 300;

const tidy = (pasted: string): string =>
  pasted
    .slice(0, mostRead)
    .normalize("NFKC")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[‐-―−]/g, "-")
    .replace(/[;|_"“”[\]{}]/g, " ")
    .replace(/\s+/g, " ")
    .trim();

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function speedOf(shape: ShapeName | undefined, missing: readonly PartName[]): string | undefined {
  if (shape === undefined) return undefined;
  if (missing.length === 0) {
    return "With this, the GRO can go straight to the entry without searching for it. The price stays the same.";
  }
  const wanted = list(missing.map((part) => partWords[part]));
  return `This narrows the GRO's search. With the ${wanted} it could go straight to the entry.`;
}

/** About the text as a whole: words without a figure, or words too many. */
function doubtsAboutText(pasted: string, shape: ShapeName | undefined, unplaced: string): ReferenceWarning[] {
  if (pasted === "") return [];
  if (shape === undefined) {
    return [
      { part: null, message: "We could not find a year, page or entry in this. Is it a GRO reference?" },
    ];
  }
  return unplaced ? [{ part: null, message: `We could not recognise “${unplaced}”.` }] : [];
}

/** Understands a reference of any of the four shapes, in any order, case and labelling. Never throws, never refuses. */
export function readGroReference(pasted: string, known: KnownBeside): GroReference {
  const text = tidy(pasted);
  const dated = readDate(readLabelled({ parts: {}, rest: text }));
  const { parts, unplaced } = readDistrict(readByPlace(readByLook(dated)));
  const shape = shapeOf(parts);
  const missing = shape === undefined ? [] : shapes[shape].needed.filter((part) => parts[part] === undefined);
  return {
    shape,
    parts,
    fields: fieldsOf(parts),
    warnings: [
      ...doubtsAbout(parts, shape, known),
      ...dated.warnings,
      ...doubtsAboutText(text, shape, unplaced),
    ],
    missing,
    speedsUp: speedOf(shape, missing),
  };
}

const fieldsOf = (parts: ReferenceParts): ReferenceField[] =>
  partNames.flatMap((name) => {
    const value = parts[name];
    return value === undefined ? [] : [{ name, value, words: partInWords(name, value) }];
  });
