import { type Reading, take } from "./reading.ts";

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
export function readLabelled(reading: Reading): Reading {
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
export function readByLook(reading: Reading): Reading {
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
