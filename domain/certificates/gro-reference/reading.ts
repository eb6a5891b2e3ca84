import type { Quarter } from "./quarter.ts";
import type { PartName, ReferenceParts } from "./reference-parts.ts";

/** A reference half read: the parts taken so far, and the text that is left. */
export interface Reading {
  readonly parts: ReferenceParts;
  readonly rest: string;
}

type TextPart = Exclude<PartName, "quarter">;

/** Stands where a part was taken, so that the words on its two sides stay apart. */
export const gap = " | ";

/** The text without what a pattern matched. */
const without = (text: string, match: RegExpExecArray): string =>
  text.slice(0, match.index) + gap + text.slice(match.index + match[0].length);

const noZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, "");
const upper = (text: string): string => text.toUpperCase();

const tidiers: Readonly<Record<TextPart, (found: string) => string>> = {
  year: (found) => found,
  district: (found) => found.replace(/\s+/g, " ").trim(),
  districtNumber: (found) => upper(found).replace(/\s+/g, ""),
  /** `07B` is `7b`; Roman numerals are written large. */
  volume: (found) => (/^\d/.test(found) ? noZeros(found).toLowerCase() : upper(found)),
  page: (found) => noZeros(found).toLowerCase(),
  register: upper,
  entry: noZeros,
};

/** Adds a part that was not there yet. */
export const withPart = (parts: ReferenceParts, name: TextPart, found: string): ReferenceParts => ({
  ...parts,
  [name]: tidiers[name](found),
});

/** Takes a part by the first group of a pattern; the first find counts. */
export function take(reading: Reading, name: TextPart, pattern: RegExp): Reading {
  if (reading.parts[name] !== undefined) return reading;
  const match = pattern.exec(reading.rest);
  const found = match?.[1];
  if (match === null || found === undefined) return reading;
  return { parts: withPart(reading.parts, name, found), rest: without(reading.rest, match) };
}

/** Takes what a pattern matches, whatever it was. */
export function cut(
  text: string,
  pattern: RegExp,
): { readonly groups: readonly (string | undefined)[]; readonly rest: string } | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { groups: match.slice(1), rest: without(text, match) };
}

/** The parts with what a date gave. */
export const withDate = (
  parts: ReferenceParts,
  quarter: Quarter | undefined,
  year: string | undefined,
): ReferenceParts => ({ ...parts, ...(quarter && { quarter }), ...(year && { year }) });
