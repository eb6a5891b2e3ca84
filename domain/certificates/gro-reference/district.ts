import { inCapitals, people } from "./people.ts";
import { figure, gap, type Reading, withPart } from "./read-parts.ts";
import type { ReferenceWarning } from "./reference-parts.ts";

/** Finds the district in the text left after all figures are removed. */

/** Filler words around a reference. */
const noise =
  /\b(?:gro|general register office|index(?:es)?|ref(?:erence)?|registered|registration (?:year|quarter|month|date)|dor|quarter|qtr|vol(?:ume)?|page|pg|reg(?:ister)?|entry|number|no|year|(?:birth|death|marriage) (?=\||‖))\b[.:]?/gi;
const label = /\b(?:registration |sub-?)?dist(?:rict)?\b[.:]?\s?(?:\bno\b[.:]?)?/gi;
const run = /\p{L}[\p{L}\p{M}.'&-]*(?: (?:& )?[\p{L}\p{M}][\p{L}\p{M}.'&-]*)*/gu;
const leading = /^(?:in|at|of|the registration of)\s+/i;

const longestShown = 60;

interface DistrictReading extends Reading {
  /** Text not understood, for a warning; empty if none. */
  readonly unplaced: string;
  readonly doubts: readonly ReferenceWarning[];
}

interface Candidate {
  readonly name: string;
  /** Under a label, or after `in`. */
  readonly named: boolean;
  /** After a person, with a space alone. */
  readonly afterName: boolean;
  readonly beforeFigure: boolean;
}

function candidatesIn(words: string): readonly Candidate[] {
  return Array.from(words.matchAll(run), ({ 0: found, index }) => {
    const before = words.slice(0, index);
    return {
      name: found.replace(leading, "").trim(),
      named: /^in\s/i.test(found) || /§\s*$/.test(before),
      afterName: /¶ *$/.test(before),
      beforeFigure: /^[\s|,(]*‖/.test(words.slice(index + found.length)),
    };
  }).filter(({ name }) => name.replace(/[^\p{L}]/gu, "").length > 1);
}

/** The district, if it can be told: by its label, as the one name, or by what stands behind it. */
function chosen(candidates: readonly Candidate[]): Candidate | undefined {
  const named = candidates.find(({ named }) => named);
  if (named !== undefined) return named;
  const [first, ...others] = candidates;
  return others.length === 0 ? first : candidates.find(({ beforeFigure }) => beforeFigure);
}

/** `SMITH John St. Giles`, of a person that the form does not know: the names could end anywhere. */
function beginsWithSurname(name: string): boolean {
  const [surname = "", ...others] = name.split(" ");
  return inCapitals(surname) && others.some((word) => /\p{Ll}{2}/u.test(word));
}

/** Words that begin a district of several, and join its words: no forenames. */
const opening =
  /^(?:(?:st|ste|gt|lt|[nsew]|ch)\.|(?:saint|north|south|east|west|great|little|market|isle|vale|king's|bishop's)\s)/i;
const joined = /^\S+ (?:upon|on|in|under|over|le|la|the|of|and|&|by|with|next|juxta)\s/i;

/** `William Leeds` behind the known `SMITH John` may be a second forename and the district. */
const mayBeginWithForename = ({ name, afterName, named }: Candidate): boolean =>
  afterName && !named && name.includes(" ") && !opening.test(name) && !joined.test(name);

function doubtsOf(found: Candidate | undefined, unclear: string | undefined): ReferenceWarning[] {
  const part = "district";
  if (unclear !== undefined) {
    return [{ part, message: `We could not tell the district from the name in “${short(unclear)}”.` }];
  }
  if (found === undefined || !mayBeginWithForename(found)) return [];
  return [{ part, message: `We read “${short(found.name)}” as the district. Is that right?` }];
}

const short = (text: string): string =>
  text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;

/** Takes the district. The rest is not understood, apart from a person before it. */
export function readDistrict({ parts, rest }: Reading): DistrictReading {
  const words = rest.replace(label, " | § ").replace(noise, gap).replace(/ {2,}/g, " ");
  const found = chosen(candidatesIn(words));
  const unclear =
    found !== undefined && !found.named && beginsWithSurname(found.name) ? found.name : undefined;
  const district = parts.district ?? (unclear === undefined ? found?.name : undefined);
  const left = without(words, district ?? unclear);
  const unplaced = (left.match(/[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'/-]*/gu) ?? [])
    .filter((word) => !/^(?:in|at|of|the|and)$/i.test(word))
    .join(" ");
  return {
    parts: district === undefined ? parts : withPart(parts, "district", district),
    rest: "",
    unplaced: short(unplaced),
    doubts: doubtsOf(found, unclear),
  };
}

/** The text without the district, and without what stands before it in a row that begins with a person. */
function without(words: string, district: string | undefined): string {
  if (district === undefined) return words;
  const index = words.lastIndexOf(district);
  const before = words.slice(0, index);
  const [first = ""] = before.match(/\p{L}[\p{L}'-]*/u) ?? [];
  const isRow = before.includes(people.trim()) || (inCapitals(first) && !before.includes(figure.trim()));
  return (isRow ? "" : before) + words.slice(index + district.length);
}
