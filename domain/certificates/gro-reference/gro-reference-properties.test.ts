import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quarters, writeGroReference } from "../../../testing/domain/gro-reference-fixture.ts";
import { registrationYears } from "./doubts.ts";
import { readGroReference } from "./read-gro-reference.ts";
import { type PartName, partNames, type ReferenceParts, type ShapeName } from "./reference-parts.ts";

const today = "2026-11-23";
const read = (pasted: string) => readGroReference(pasted, { today });

const numberUpTo = (max: number) => fc.integer({ min: 1, max }).map(String);
const letter = fc.constantFrom(..."ABCDEFGH");
const quarter = fc.constantFrom(...quarters);
const yearsFrom = (min: number, max: number) => fc.integer({ min, max }).map(String);
const district = fc.constantFrom(
  "Nottingham",
  "Newcastle upon Tyne",
  "St. Giles in the Fields",
  "Ashton-under-Lyne",
  "Bishop's Stortford",
  "Barrow in Furness",
  "Neath & Port Talbot",
  "Y Drenewydd",
  "Tŷ Ddewi",
  "W. Ham",
  "Isle of Wight",
);
const districtNumber = fc
  .tuple(fc.integer({ min: 100, max: 999 }), fc.constantFrom("", "1", "A", "-1A", "/2B"))
  .map(([number, end]) => `${number}${end}`);
const register = fc
  .tuple(letter, fc.integer({ min: 1, max: 99 }), fc.constantFrom("", "A", "C"))
  .map((all) => all.join(""));
const volume = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 11 }), fc.constantFrom("a", "b", "c", "d", "e"))
    .map((all) => all.join("")),
  fc.constantFrom("I", "IV", "IX", "XIV", "XXVII"),
  numberUpTo(27),
);

/** References of each shape, with all their parts. */
const whole: Readonly<Record<ShapeName, fc.Arbitrary<ReferenceParts>>> = {
  volumeAndPage: fc.record({
    year: yearsFrom(1838, 1983),
    quarter,
    district,
    volume,
    page: numberUpTo(9999),
  }),
  districtAndPage: fc.record({
    year: yearsFrom(1984, 1992),
    quarter,
    district,
    districtNumber,
    volume: numberUpTo(30),
    page: numberUpTo(9999),
    entry: numberUpTo(500),
  }),
  registerAndEntry: fc.record({
    year: yearsFrom(1993, 2025),
    quarter,
    district,
    districtNumber,
    register,
    entry: numberUpTo(500),
  }),
  entryOnly: fc.record({
    year: yearsFrom(1993, 2025),
    quarter,
    district,
    districtNumber,
    entry: numberUpTo(500),
  }),
};

const without = (parts: ReferenceParts, names: readonly PartName[]): ReferenceParts =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => !names.some((dropped) => dropped === name)));

/** Every part under a label, so that neither order nor case matters. */
const labelled = (parts: ReferenceParts): string[] => {
  const { year, quarter, district, districtNumber, volume, page, register, entry } = parts;
  return [
    `${quarter} ${year}`,
    district ?? "",
    districtNumber && `(${districtNumber})`,
    volume && `vol ${volume}`,
    page && `p. ${page}`,
    register && `reg ${register}`,
    entry && `entry no ${entry}`,
  ].filter((text) => text !== undefined);
};

const inSmallLetters = (parts: ReferenceParts): Record<string, string> =>
  Object.fromEntries(partNames.flatMap((name) => (parts[name] ? [[name, parts[name].toLowerCase()]] : [])));

describe.each(Object.entries(whole))("a reference of the shape %s", (shape, ofShape) => {
  it("that is written is read back", () => {
    fc.assert(
      fc.property(ofShape, (parts) => {
        const reference = read(writeGroReference(parts));
        expect(reference.parts).toEqual(parts);
        expect(reference).toMatchObject({ shape, missing: [] });
        expect(reference.warnings.filter(({ part }) => part !== "volume")).toEqual([]);
      }),
    );
  });

  it("is read in any order, in any case", () => {
    const shuffled = ofShape.chain((parts) =>
      fc.record({
        parts: fc.constant(parts),
        pieces: fc.shuffledSubarray(labelled(parts), { minLength: labelled(parts).length }),
        separator: fc.constantFrom(" ", ", ", "; ", "\n"),
        cased: fc.constantFrom(
          (text: string) => text,
          (text: string) => text.toUpperCase(),
          (text: string) => text.toLowerCase(),
        ),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ parts, pieces, separator, cased }) => {
        expect(inSmallLetters(read(cased(pieces.join(separator))).parts)).toEqual(inSmallLetters(parts));
      }),
    );
  });
});

it.each(["districtAndPage", "registerAndEntry", "entryOnly"] as const)(
  "a labelled reference (%s) may lack any part but its year and its register",
  (shape) => {
    const droppable = partNames.filter((name) => name !== "year" && name !== "register");
    fc.assert(
      fc.property(whole[shape], fc.subarray(droppable), (parts, names) => {
        const partial = without(parts, names);
        const reference = read(writeGroReference(partial));
        expect(reference.parts).toEqual(partial);
        expect(reference.shape).toBe(shape);
      }),
    );
  },
);

describe("any text", () => {
  const pieces = fc.constantFrom(
    ..."MJSDQVXI0123456789/().,-' ",
    "vol",
    "page",
    "Mar",
    "quarter",
    "1921",
    "2001",
    "entry",
    "reg",
    "district",
    "dor",
    "Tŷ",
    "ſ",
    "\u0000",
    "🙂",
  );

  it("is read without a fault, and always alike", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(pieces, { maxLength: 60 }).map((all) => all.join("")),
      fc.array(pieces, { maxLength: 60 }).map((all) => all.join(" ")),
    );
    fc.assert(
      fc.property(text, (pasted) => {
        const reference = read(pasted);
        expect(reference.fields.map(({ value }) => value).every((value) => value !== "")).toBe(true);
        expect(read(pasted)).toEqual(reference);
      }),
      { numRuns: 1000 },
    );
  });

  it("costs little, however long it is", () => {
    for (const unit of ["1", " ", "M ", "7b ", "vol ", "a'", "( 1", "1921 "]) {
      expect(read(unit.repeat(100_000)).fields.length).toBeLessThanOrEqual(partNames.length);
    }
  });
});

describe("the years in which an event was registered", () => {
  it.each([
    ["Birth", "1952", { from: 1952, to: 1952 }],
    ["Death", 1999, { from: 1999, to: 2000 }],
    ["Marriage", " 1941 ", { from: 1941, to: 1941 }],
    ["Adoption", "1962", undefined],
    ["Birth", "", undefined],
    ["Birth", undefined, undefined],
    ["Death", "I don't know", undefined],
    ["Marriage", "41", undefined],
  ] as const)("%s, %s", (type, year, years) => {
    expect(registrationYears(type, year)).toEqual(years);
  });
});
