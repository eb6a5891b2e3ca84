import { type Reading, withPart } from "./reading.ts";

/** Finds the district in the text left after all figures are removed. */

/** Filler words around a reference. */
const noise =
  /\b(?:gro|general register office|index(?:es)?|ref(?:erence)?|births?|deaths?|marriages?|registered|dor|quarter|qtr|vol(?:ume)?|page|pg|reg(?:ister)?|entry|number|no|year)\b[.:]?/gi;
const label = /\b(?:registration |sub-?)?dist(?:rict)?\b[.:]?/gi;
const groups = /\p{L}[\p{L}\p{M}.'&-]*(?: (?:& )?[\p{L}\p{M}][\p{L}\p{M}.'&-]*)*/gu;
const leading = /^(?:in|at|of|the registration of)\s+/i;

const longestShown = 60;

/** Text not understood, for a warning; empty if none. */
export interface DistrictReading extends Reading {
  readonly unplaced: string;
}

/** Takes the first run of words; the rest is not understood. */
export function readDistrict({ parts, rest }: Reading): DistrictReading {
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
