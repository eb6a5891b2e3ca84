import type { Doubt } from "./question.ts";

/**
 * Upper case, one space before the last three characters, nothing else: ` ng1-1hn ` becomes `NG1 1HN`. Never refuses.
 */
export function tidyPostcode(typed: string): string {
  const tight = typed.toUpperCase().replace(/[\s.\-–—]+/g, "");
  return /^[A-Z0-9]{5,7}$/.test(tight)
    ? `${tight.slice(0, -3)} ${tight.slice(-3)}`
    : typed.trim().toUpperCase();
}

/**
 * The postcode areas of the United Kingdom and the Crown dependencies, BF for the Forces and BX for those without a
 * place.
 */
const areas = new Set(
  (
    "AB AL B BA BB BD BF BH BL BN BR BS BT BX CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY E EC EH EN EX " +
    "FK FY G GL GU GY HA HD HG HP HR HS HU HX IG IM IP IV JE KA KT KW KY L LA LD LE LL LN LS LU M ME MK ML N NE NG " +
    "NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM S SA SE SG SK SL SM SN SO SP SR SS ST SW SY TA TD TF TN TQ TR TS " +
    "TW UB W WA WC WD WF WN WR WS WV YO ZE"
  ).split(" "),
);

/** Whether it is a possible Royal Mail postcode. The last two letters are never C, I, K, M, O or V. */
function isLikely(tidy: string): boolean {
  if (tidy === "GIR 0AA") return true;
  const [, area] = /^([A-Z]{1,2})\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}$/.exec(tidy) ?? [];
  return area !== undefined && areas.has(area);
}

const digitFor = new Map(Object.entries({ O: "0", I: "1", L: "1", Z: "2", S: "5", B: "8" }));
const letterFor = new Map(Object.entries({ "0": "O", "1": "I", "2": "Z", "5": "S", "8": "B" }));

/** Where a postcode of that length has letters (A) and digits (9), commonest first. */
const patterns: readonly string[] = ["AA9 9AA", "AA99 9AA", "A9 9AA", "A99 9AA", "AA9A 9AA", "A9A 9AA"];

/** Replaces characters with look-alikes where the pattern requires it. */
function fittedTo(pattern: string, tidy: string): string {
  const fit = (character: string, index: number): string => {
    if (pattern[index] === "9") return digitFor.get(character) ?? character;
    if (pattern[index] === "A") return letterFor.get(character) ?? character;
    return character;
  };
  return Array.from(tidy, fit).join("");
}

/** The probably intended postcode if look-alikes such as O and 0 were confused, or undefined. */
const meantBy = (tidy: string): string | undefined =>
  patterns
    .filter((pattern) => pattern.length === tidy.length)
    .map((pattern) => fittedTo(pattern, tidy))
    .find(isLikely);

/** Questions a postcode that the Royal Mail does not use, unless it is empty. */
export function questionPostcode(typed: string): Doubt | undefined {
  const tidy = tidyPostcode(typed);
  if (tidy === "" || isLikely(tidy)) return undefined;
  const suggestion = meantBy(tidy);
  if (suggestion === undefined)
    return { message: `${tidy} does not look like a UK postcode. Is that right?` };
  return {
    message: `${tidy} does not look like a UK postcode. Did you mean ${suggestion}?`,
    suggestion,
  };
}
