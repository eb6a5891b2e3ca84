import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGroReference } from "./read-gro-reference.ts";

/** Rows and transcripts of indexes, as people copy them from websites. */

const today = "2026-11-23";
const read = (pasted: string, ...names: string[]) => readGroReference(pasted, { today, names });
const stGiles = { year: "1889", quarter: "M", district: "St. Giles", volume: "1b", page: "575" };

describe("a row of FreeBMD", () => {
  it.each([
    "Births Mar 1889   SMITH John William   St. Giles   1b   575",
    "Births Mar 1889\tSMITH\tJohn William\tSt. Giles\t1b\t575",
    "Births Mar 1889 SMITH John William St. Giles 1b 575",
    "Births Mar 1889 (>99%)  SMITH  John William  St. Giles  1b  575",
    "Births Mar 1889 SMITH John William (Jones) St. Giles 1b 575",
    "Deaths Mar 1889  Smith  John William  67  St. Giles  1b  575",
    "Deaths Mar 1889 SMITH John William 67 St. Giles 1b 575",
    "Mar 1889, Smith, John William, St. Giles, 1b, 575",
  ])("gives the reference of a known person: '%s'", (pasted) => {
    const { parts, warnings } = read(pasted, "John William", "Smith", "Jones");
    expect({ parts, warnings }).toEqual({ parts: stGiles, warnings: [] });
  });

  it("gives the district where columns tell it from a name that the form does not know", () => {
    const { parts, warnings } = read("Births Mar 1889\tSMITH\tJohn William\tSt. Giles\t1b\t575");
    expect({ parts, warnings }).toEqual({ parts: stGiles, warnings: [] });
  });

  it("leaves the district to the customer where nothing tells it from the name", () => {
    const { parts, warnings } = read("Births Mar 1889 SMITH John William St. Giles 1b 575");
    const { district, ...others } = stGiles;
    expect(parts).toEqual(others);
    expect(warnings).toEqual([
      {
        part: "district",
        message: "We could not tell the district from the name in “SMITH John William St. Giles”.",
      },
    ]);
  });

  it("asks where the row may have a forename that the form has not", () => {
    const { warnings } = read("Births Mar 1889 SMITH John William Leeds 9b 575", "John", "Smith");
    expect(warnings).toEqual([
      { part: "district", message: "We read “William Leeds” as the district. Is that right?" },
    ]);
  });

  it("may be of a person called as a month, or as the district", () => {
    const may = read("Births Mar 1889  CHESTER  May  Chester  8a  575", "May", "Chester");
    expect(may.parts).toEqual({ ...stGiles, district: "Chester", volume: "8a" });
    expect(may.warnings).toEqual([]);
  });

  it("may have a date of birth", () => {
    const { parts } = read("Deaths Mar 1975  SMITH  Mary  3 Jan 1902  Leeds  4  500", "Mary", "Smith");
    expect(parts).toEqual({ year: "1975", quarter: "M", district: "Leeds", volume: "4", page: "500" });
  });
});

it.each(["O N D", "O. N. D.", "O/N/D", "OND", "Oct-Nov-Dec", "Oct Nov Dec"])(
  "'%s' is the December quarter",
  (quarter) => {
    const { parts, warnings } = read(`${quarter} 1923 Cardiff 11a 733`);
    expect({ parts, warnings }).toEqual({
      parts: { year: "1923", quarter: "D", district: "Cardiff", volume: "11a", page: "733" },
      warnings: [],
    });
  },
);

describe("a row of any person", () => {
  const name = fc.constantFrom("John", "May", "Chester", "George", "Seán", "Anne-Marie", "Augusta", "D'Arcy");
  const row = fc.record({
    surname: fc.constantFrom("Smith", "O'Brien", "Lincoln", "March", "Jones-Evans", "St. John"),
    forenames: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    district: fc.constantFrom(
      "St. Giles",
      "W. Ham",
      "Leeds",
      "Chester",
      "Newcastle upon Tyne",
      "Bethnal Green",
    ),
    quarter: fc.integer({ min: 0, max: 3 }),
    year: fc.integer({ min: 1866, max: 1910 }).map(String),
    volume: fc.tuple(fc.integer({ min: 1, max: 11 }), fc.constantFrom(..."abcde")).map((all) => all.join("")),
    page: fc.integer({ min: 1, max: 1700 }).map(String),
    age: fc.constantFrom("", "0", "67", "101"),
  });
  type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
  const ends = ["Mar", "Jun", "Sep", "Dec"];
  const months = ["Jan-Feb-Mar", "Apr-May-Jun", "Jul-Aug-Sep", "Oct-Nov-Dec"];
  const letters = ["M", "J", "S", "D"] as const;

  const columns = (between: string) => (of: Row) =>
    [
      `Deaths ${ends[of.quarter]} ${of.year}`,
      of.surname.toUpperCase(),
      of.forenames.join(" "),
      of.age,
      of.district,
      of.volume,
      of.page,
    ]
      .filter(Boolean)
      .join(between);
  const layouts: Record<string, (of: Row) => string> = {
    "FreeBMD, tabs": columns("\t"),
    "FreeBMD, spaces": columns("   "),
    GRO: (of) =>
      `${of.surname}, ${of.forenames.join(" ")}\t${of.age}\nGRO Reference: ${of.year}  ${letters[of.quarter]} Quarter in ${of.district}  Volume ${of.volume}  Page ${of.page}`,
    Ancestry: (of) =>
      `Name:\t${of.forenames.join(" ")} ${of.surname}\nAge at Death:\t${of.age || 1}\nRegistration Year:\t${of.year}\nRegistration Quarter:\t${months[of.quarter]}\nRegistration District:\t${of.district}\nInferred County:\tLondon\nVolume:\t${of.volume}\nPage:\t${of.page}`,
    Findmypast: (of) =>
      `First name(s)\t${of.forenames.join(" ")}\nLast name\t${of.surname}\nDeath quarter\t${of.quarter + 1}\nDeath year\t${of.year}\nDistrict\t${of.district}\nCounty\tLondon\nCountry\tEngland\nVolume\t${of.volume}\nPage\t${of.page}`,
  };

  it.each(Object.entries(layouts))("is read back: %s", (_, write) => {
    fc.assert(
      fc.property(row, (of) => {
        const { parts } = read(write(of), of.surname, ...of.forenames);
        const { year, quarter, district, volume, page } = of;
        expect(parts).toEqual({ year, quarter: letters[quarter], district, volume, page });
      }),
    );
  });

  it("with single spaces is read back, or its district is left out or asked about", () => {
    fc.assert(
      fc.property(row, (of) => {
        const { parts, warnings } = read(columns(" ")(of), of.surname, ...of.forenames);
        const { year, quarter, district, volume, page } = of;
        expect(parts).toMatchObject({ year, quarter: letters[quarter], volume, page });
        const isAsked = warnings.some(({ part }) => part === "district");
        expect(isAsked || parts.district === undefined || parts.district === district).toBe(true);
      }),
    );
  });
});
