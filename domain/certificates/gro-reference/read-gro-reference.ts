import type { CalendarDate } from "../../calendar-date.ts";
import { readDistrict } from "./district.ts";
import { doubtsAbout, type YearsRegistered } from "./doubts.ts";
import { withoutPeople } from "./people.ts";
import { type Reading, readByPlace, readDate, take } from "./read-parts.ts";
import {
  type PartName,
  partInWords,
  partNames,
  partWords,
  type ReferenceParts,
  type ReferenceWarning,
  type ShapeName,
  shapeOf,
  shapes,
} from "./reference-parts.ts";

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

interface KnownBeside {
  /** The day in London. */
  readonly today: CalendarDate;
  /** Registration years from the other answers: see `registrationYears`. */
  readonly registered?: YearsRegistered | undefined;
  /** Names from the other answers, as typed: a row of an index has them before the district. */
  readonly names?: readonly string[];
}

/** Real references are far shorter; longer text is something else, and should cost nothing to read. */
const mostRead = 600;

/** Columns stay apart: a tab stands for tabs, line ends, semicolons and several spaces. */
const tidy = (pasted: string): string =>
  pasted
    .slice(0, mostRead)
    .normalize("NFKC")
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[‐-―−]/g, "-")
    .replace(/["“”[\]{}_‖¶]/g, " ")
    .replace(/\s*[;|\t\n\r]\s*|\s{2,}/g, "\t")
    .replace(/[^\S\t]/g, " ")
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
  const dated = readDate(readLabelled({ parts: {}, rest: withoutPeople(text, known.names ?? []) }));
  const { parts, unplaced, doubts } = readDistrict(readByPlace(readByLook(dated)));
  const shape = shapeOf(parts);
  const missing = shape === undefined ? [] : shapes[shape].needed.filter((part) => parts[part] === undefined);
  return {
    shape,
    parts,
    fields: fieldsOf(parts),
    warnings: [
      ...doubtsAbout(parts, shape, known),
      ...dated.warnings,
      ...(shape === undefined ? [] : doubts),
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

/** Finds volume, page, register, entry and district number by their labels, else by their form. */

const number = "[\\s.:]{0,3}(?:(?:no|nr|num|number)\\b[\\s.:]{0,3})?#?\\s?";
const roman = "x{0,2}(?:ix|iv|v?i{1,3}|v|x)";
const notYear = "(?!(?:1[89]|20)\\d\\d\\b)";
const districtCode = `${notYear}\\d{3,4}[a-z]?(?:[-/]\\d{1,2}[a-z]?)?`;

const entry = new RegExp(`\\bent(?:ry)?${number}(\\d{1,4})\\b`, "i");
const register = new RegExp(`\\breg(?:ister)?\\b${number}([a-z]?\\d{1,3}[a-z]?)\\b`, "i");
const volume = new RegExp(`\\bvol(?:ume)?${number}(\\d{1,2}[a-e]?|${roman})\\b`, "i");
const volumeLetter = /\bv[.\s]?(\d{1,2}[a-e]?)\b/i;
const page = new RegExp(`\\bp(?:age|g|p)?${number}(\\d{1,5}[a-z]?)\\b`, "i");
const districtNumber = new RegExp(`\\bdist(?:rict)?\\b${number}(${districtCode})\\b`, "i");
const inBrackets = /\(\s?([a-z]?\d{2,4}[a-z]?(?:[-/]\d{1,2}[a-z]?)?)\s?\)/i;

/** Takes labelled parts. */
function readLabelled(reading: Reading): Reading {
  let read = take(reading, "entry", entry);
  read = take(read, "register", register);
  read = take(read, "volume", volume);
  read = take(read, "volume", volumeLetter);
  read = take(read, "page", page);
  read = take(read, "districtNumber", districtNumber);
  return take(read, "districtNumber", inBrackets);
}

const looksLikeDistrict = /\b(\d{3,4}[a-z]|\d{3,4}[-/]\d{1,2}[a-z]?)\b/i;
const looksLikeRegister = /\b([a-z]\d{1,3}[a-z]?|\d{1,3}[a-z])\b/i;
const surelyRegister = /\b([a-z]\d{1,3}[a-z]?)\b/i;
const looksLikeVolume = /\b(\d{1,2}[a-e])\b/i;
const looksRoman = new RegExp(`(?<![\\p{L}\\p{M}'\\d])(${roman})(?![\\p{L}\\p{M}'\\d])`, "iu");

/** Takes parts recognisable by letters. `7b` was a volume until 1992 and may be a register since. */
function readByLook(reading: Reading): Reading {
  const year = Number(reading.parts.year ?? Number.NaN);
  if (year >= 1993) {
    return take(take(reading, "districtNumber", looksLikeDistrict), "register", looksLikeRegister);
  }
  let read = year <= 1983 ? reading : take(reading, "districtNumber", looksLikeDistrict);
  read = take(read, "volume", looksLikeVolume);
  if (year >= 1984) return read;
  read = take(read, "volume", looksRoman);
  return year <= 1983 ? read : take(read, "register", surelyRegister);
}
