/**
 * Leaves out what rows and transcripts of indexes say of the people: names that the form knows, ages, and fields with a
 * label. Otherwise they would be read as part of the district, or a forename such as May as a quarter.
 */

/** Stands for people that were left out. */
export const people = " ¶ ";

const personal = [
  "mother'?s? maiden (?:sur)?name",
  "mother'?s? (?:last name|surname)",
  "spouse'?s? (?:last name|first names?|surname|name)",
  "(?:first|given) name(?:s|\\(s\\))?",
  "forename(?:s|\\(s\\))?",
  "last name",
  "surname",
  "name",
  "(?:age at death|death age|age)(?: \\(in years\\))?",
  "(?:estimated |inferred )?birth (?:year|date)",
  "date of birth",
  "(?:inferred )?county",
  "country",
  "record set",
];
const ofReference = [
  "gro reference",
  "(?:registration |birth |death |marriage )?quarter",
  "registration (?:year|month|date|district)",
  "(?:death|marriage) year",
  "district(?: number)?",
  "vol(?:ume)?",
  "page",
  "reg(?:ister)?(?: number)?",
  "entry(?: number)?",
];
/** Found in the text, each with what separates it from its value. */
const labels = new RegExp(
  `(?<![\\p{L}\\p{M}'-])(?:(${personal.join("|")})|(?:${ofReference.join("|")}))(?![\\p{L}\\p{M}'-])(?:\\s?[:.])?\\s?`,
  "giu",
);

/** What is left out under a label, unless it has the only year there is: transcripts of births call it so. */
function withoutFields(text: string): string {
  const found = Array.from(text.matchAll(labels));
  return found.reduceRight((rest, label, index) => {
    if (label[1] === undefined) return rest;
    const from = label.index + label[0].length;
    const next = found[index + 1]?.index ?? text.length;
    const column = text.indexOf("\t", from);
    const to = column === -1 ? next : Math.min(next, column);
    const others = rest.slice(0, label.index) + people + rest.slice(to);
    if (/birth year/i.test(label[1]) && !hasYear.test(others))
      return rest.slice(0, label.index) + rest.slice(from);
    return others;
  }, text);
}

const hasYear = /\b(?:1[89]|20)\d\d\b/;
/** `3 Jan 1902`: deaths from 1969 on are indexed with the date of birth. */
const born =
  /(?<!\d[a-e]\s)\b\d{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s(?:1[89]|20)\d\d\b/i;
/** How sure FreeBMD is of its transcript: `(>99%)`. */
const certainty = /\(?\s?[<>]?\s?\d{1,3}(?:\.\d+)?\s?%\s?\)?/g;
/** `Death quarter 1`, in transcripts. */
const numberedQuarter = /\b(?:birth|death|marriage|registration) quarter[\s:.]*([1-4])(?!\w)/gi;
const kind = /\b(?:births?|deaths?|marriages?)\b/gi;

const word = /\p{L}[\p{L}\p{M}'-]*\.?/gu;
const bare = (name: string): string => name.toLowerCase().replace(/[.']/g, "");
/** A surname in capitals, as indexes print it. */
export const inCapitals = (name: string): boolean => /^(?:Ma?c)?[\p{Lu}'-]{2,}$/u.test(name);
const mixed = /\p{Ll}{2}/u;

/** Removes the names, each once: a district may be called as someone is. */
function withoutNames(text: string, names: readonly string[]): string {
  const known = new Set(
    names.flatMap((name) => name.normalize("NFKC").replace(/[‘’ʼ]/g, "'").match(word) ?? []).map(bare),
  );
  const initials = new Set([...known].map((name) => name.slice(0, 1)));
  const runs: { from: number; to: number; words: string[] }[] = [];
  for (const { 0: found, index } of text.matchAll(word)) {
    const name = bare(found);
    const last = runs.at(-1);
    const follows = last !== undefined && /^[\s,(]*$/.test(text.slice(last.to, index));
    if (known.delete(name)) {
      if (follows) Object.assign(last, { to: index + found.length, words: [...last.words, found] });
      else runs.push({ from: index, to: index + found.length, words: [found] });
    } else if (follows && /^\p{L}$/u.test(found) && initials.has(name) && !/[NESW]/.test(found)) {
      last.to = index + found.length;
    }
  }
  return runs.reduceRight((rest, run) => {
    const to = beforeDistrict(text, run);
    return isPerson(text, run) ? rest.slice(0, run.from) + people + rest.slice(to) : rest;
  }, text);
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

/** Two names in a row, a surname in capitals, or a column or bracket with nothing else. */
function isPerson(text: string, { from, to, words }: Run): boolean {
  if (words.length > 1) return true;
  if (inCapitals(words.join("")) && mixed.test(text)) return true;
  return /[\t(]$/.test(text.slice(0, from)) && /^\s?(?:\t(?=\p{L})|\))/u.test(text.slice(to));
}

/** The column before the volume is the district, even if it is also a name. */
function beforeDistrict(text: string, { from, to }: Run): number {
  const column = text.slice(from, to).lastIndexOf("\t");
  return column !== -1 && /^\t(?:\d|[ivx]+\t)/i.test(text.slice(to)) ? from + column : to;
}

export const withoutPeople = (text: string, names: readonly string[]): string => {
  const tidied = withoutFields(text)
    .replace(numberedQuarter, "Q$1")
    .replace(certainty, " ")
    .replace(kind, " | ");
  const others = tidied.replace(born, people);
  return withoutNames(hasYear.test(others) ? others : tidied, names);
};
