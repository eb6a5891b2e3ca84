import type { CalendarDate } from "../../calendar-date.ts";
import { doubtsAbout, type YearsRegistered } from "./doubts.ts";
import { type Reading, readByPlace, readDate, take, withPart } from "./read-parts.ts";
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

/** Finds the district in the text left after all figures are removed. */

/** Filler words around a reference. */
const noise =
  /\b(?:gro|general register office|index(?:es)?|ref(?:erence)?|births?|deaths?|marriages?|registered|dor|quarter|qtr|vol(?:ume)?|page|pg|reg(?:ister)?|entry|number|no|year)\b[.:]?/gi;
const label = /\b(?:registration |sub-?)?dist(?:rict)?\b[.:]?/gi;
const groups = /\p{L}[\p{L}\p{M}.'&-]*(?: (?:& )?[\p{L}\p{M}][\p{L}\p{M}.'&-]*)*/gu;
const leading = /^(?:in|at|of|the registration of)\s+/i;

const longestShown = 60;

/** Text not understood, for a warning; empty if none. */
interface DistrictReading extends Reading {
  readonly unplaced: string;
}

/** Takes the first run of words; the rest is not understood. */
function readDistrict({ parts, rest }: Reading): DistrictReading {
  const words = rest.replace(noise, " ").replace(label, " ").replace(/ {2,}/g, " ");
  const named = Array.from(words.matchAll(groups), ([run]) => run.replace(leading, "").trim());
  const district = parts.district ?? named.find((run) => run.replace(/[^\p{L}]/gu, "").length > 1);
  const left = district === undefined ? words : words.replace(district, " ");
  const unplaced = (left.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'/-]*/gu) ?? [])
    .filter((word) => !/^(?:in|at|of|the|and)$/i.test(word))
    .join(" ");
  return {
    parts: district === undefined ? parts : withPart(parts, "district", district),
    rest: "",
    unplaced: unplaced.length > longestShown ? `${unplaced.slice(0, longestShown)}…` : unplaced,
  };
}

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
