import type { CalendarDate } from "../../calendar-date.ts";
import { doubtsAbout, type YearsRegistered } from "./doubts.ts";
import { readByPlace } from "./read-by-place.ts";
import { readDate } from "./read-date.ts";
import { readDistrict } from "./read-district.ts";
import { readByLook, readLabelled } from "./read-numbers.ts";
import { type PartName, partInWords, partNames, partWords, type ReferenceParts } from "./reference-parts.ts";
import { type ShapeName, shapeOf, shapes } from "./shape.ts";
import type { ReferenceWarning } from "./warning.ts";

export interface ReferenceField {
  readonly name: PartName;
  readonly value: string;
  /** In words, such as 'Page 412'. */
  readonly words: string;
}

/** The parts understood in a pasted reference. It is never refused, and sent exactly as pasted. */
export interface GroReference {
  /** Undefined if unknown. */
  readonly shape: ShapeName | undefined;
  readonly parts: ReferenceParts;
  /** The same parts, in writing order. */
  readonly fields: readonly ReferenceField[];
  readonly warnings: readonly ReferenceWarning[];
  /** Parts missing to identify the entry. */
  readonly missing: readonly PartName[];
  /** How useful it is; undefined without any figures. */
  readonly speedsUp: string | undefined;
}

export interface KnownBeside {
  /** The day in London. */
  readonly today: CalendarDate;
  /** Registration years from the other answers: see registration-years.ts. */
  readonly registered?: YearsRegistered | undefined;
}

/** Real references are far shorter; longer text is something else, and should cost nothing to read. */
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

/** Doubts about the whole text: words without figures, or too many words. */
function doubtsAboutText(pasted: string, shape: ShapeName | undefined, unplaced: string): ReferenceWarning[] {
  if (pasted === "") return [];
  if (shape === undefined) {
    return [
      { part: null, message: "We could not find a year, page or entry in this. Is it a GRO reference?" },
    ];
  }
  return unplaced ? [{ part: null, message: `We could not recognise “${unplaced}”.` }] : [];
}

/** Reads a reference of any of the four shapes, in any order, case and labelling. Never throws or refuses. */
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
