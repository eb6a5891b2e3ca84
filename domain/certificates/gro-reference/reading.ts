import type { PartName, Quarter, ReferenceParts } from "./reference-parts.ts";

/** A partly read reference: the parts taken so far, and the remaining text. */
export interface Reading {
  readonly parts: ReferenceParts;
  readonly rest: string;
}

type TextPart = Exclude<PartName, "quarter">;

/** Replaces a taken part, to keep the words on both sides apart. */
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
  /** `07B` becomes `7b`; Roman numerals become capitals. */
  volume: (found) => (/^\d/.test(found) ? noZeros(found).toLowerCase() : upper(found)),
  page: (found) => noZeros(found).toLowerCase(),
  register: upper,
  entry: noZeros,
};

/** Adds a part unless present. */
export const withPart = (parts: ReferenceParts, name: TextPart, found: string): ReferenceParts => ({
  ...parts,
  [name]: tidiers[name](found),
});

/** Takes a part by a pattern's first group; the first match counts. */
export function take(reading: Reading, name: TextPart, pattern: RegExp): Reading {
  if (reading.parts[name] !== undefined) return reading;
  const match = pattern.exec(reading.rest);
  const found = match?.[1];
  if (match === null || found === undefined) return reading;
  return { parts: withPart(reading.parts, name, found), rest: without(reading.rest, match) };
}

/** Removes a pattern's matches. */
export function cut(
  text: string,
  pattern: RegExp,
): { readonly groups: readonly (string | undefined)[]; readonly rest: string } | undefined {
  const match = pattern.exec(text);
  return match === null ? undefined : { groups: match.slice(1), rest: without(text, match) };
}

/** Adds a date to the parts. */
export const withDate = (
  parts: ReferenceParts,
  quarter: Quarter | undefined,
  year: string | undefined,
): ReferenceParts => ({ ...parts, ...(quarter && { quarter }), ...(year && { year }) });
