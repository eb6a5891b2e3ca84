import { describe, expect, it } from "vitest";
import { readGroReference } from "./read-gro-reference.ts";
import { shapes } from "./reference-parts.ts";

const today = "2026-11-23";
const read = (pasted: string) => readGroReference(pasted, { today });
const partsOf = (pasted: string) => read(pasted).parts;
const warned = (pasted: string, registered?: { from: number; to: number }) =>
  readGroReference(pasted, { today, registered }).warnings.map(({ part, message }) => `${part}: ${message}`);

const nottingham = { year: "1921", quarter: "M", district: "Nottingham", volume: "7b", page: "412" };

describe("a reference of 1837 to 1983", () => {
  it.each([
    "1921 M Nottingham 7b 412",
    "Mar 1921 Nottingham 7b 412",
    "Nottingham 7b 412 Mar 1921",
    "Nottingham, 7b, 412, 1921 M",
    "Q1 1921 Nottingham vol 7b page 412",
    "1921/1Q Nottingham Vol. 7b, p. 412",
    "1921 M Quarter in Nottingham Volume 07B Page 412",
    "GRO Reference: 1921 M Quarter in Nottingham Volume 07B Page 412",
    "March quarter 1921 Nottingham v7b p412",
    "JFM 1921; Nottingham; 7B/412",
    "Jan-Feb-Mar 1921 Nottingham 7b 412",
    "1st qtr of 1921, district: Nottingham, vol no 7b, pg 412",
    "Births Mar 1921  Nottingham   7b   412",
    "p412 v7b Nottingham 1921 m",
    "7b 412 Nottingham 1/1921",
    "Nottingham\t7b\t412\nMar 1921",
  ])("'%s' is understood", (pasted) => {
    const { shape, parts, warnings, missing } = read(pasted);
    expect({ shape, parts, warnings, missing }).toEqual({
      shape: "volumeAndPage",
      parts: nottingham,
      warnings: [],
      missing: [],
    });
  });

  it("has Roman volumes at first", () => {
    expect(partsOf("Sep 1845 Kensington III 215")).toMatchObject({ volume: "III", page: "215" });
    expect(partsOf("sep 1845 kensington vol xxiii 215")).toMatchObject({ volume: "XXIII", page: "215" });
    expect(partsOf("1845 S Kensington 3 215")).toMatchObject({ volume: "3", page: "215" });
  });

  it.each([
    ["Newcastle upon Tyne", "1901 D Newcastle upon Tyne 10b 12"],
    ["St. Thomas", "St. Thomas 5b 99 Dec 1901"],
    ["W. Ham", "1901 S W. Ham 4a 1001"],
    ["S. Shields", "1901 S. Shields 10a 700"],
    ["Ashton-under-Lyne", "Ashton-under-Lyne 8d 700 1901 s"],
    ["Barrow in Furness", "Barrow in Furness 8e 1234 Sept qtr 1911"],
    ["Tŷ Ddewi", "1901 M Tŷ Ddewi 11a 20"],
    ["Vale of Glamorgan", "1974 M Vale of Glamorgan 27 20"],
  ])("keeps the district %s whole", (district, pasted) => {
    expect(partsOf(pasted).district).toBe(district);
  });

  it("tells a page that looks like a year from the year", () => {
    expect(partsOf("7b 1873 Nottingham Sep 1899")).toMatchObject({ year: "1899", page: "1873" });
    expect(partsOf("1899 S Nottingham 7b 1873")).toMatchObject({ year: "1899", page: "1873" });
    expect(partsOf("7b 1873")).toEqual({ volume: "7b", page: "1873" });
  });
});

describe("later references", () => {
  it.each([
    "Q1/1984 Nottingham (3611) Vol 8 Page 1234",
    "1984/1Q Nottingham 3611 8 1234",
    "NOTTINGHAM district no 3611 vol 08 p 1234 Jan 1984",
    "DOR 0384 Nottingham (3611) 8 1234",
  ])("of 1984 to 1992: '%s' is understood", (pasted) => {
    const { shape, parts, warnings, missing } = read(pasted.replace("NOTTINGHAM", "Nottingham"));
    expect({ shape, warnings, missing }).toEqual({ shape: "districtAndPage", warnings: [], missing: [] });
    expect(parts).toEqual({
      year: "1984",
      quarter: "M",
      district: "Nottingham",
      districtNumber: "3611",
      volume: "8",
      page: "1234",
    });
  });

  it("of 1984 to 1992 may have an entry number", () => {
    expect(partsOf("DOR Q3/1989 in LEEDS (507-1B) Volume 4 Page 1301 Entry Number 12")).toEqual({
      year: "1989",
      quarter: "S",
      district: "LEEDS",
      districtNumber: "507-1B",
      volume: "4",
      page: "1301",
      entry: "12",
    });
    expect(partsOf("1989 Q3 Leeds 4 1301 12")).toMatchObject({ volume: "4", page: "1301", entry: "12" });
  });

  it.each([
    "Q4/1993 in Leeds (507-1B) Register Number A12B Entry Number 123",
    "DOR 1093 Leeds 507-1b reg a12b entry 123",
    "Leeds 507-1B A12B 123 Dec 1993",
    "Entry 123, Reg. A12B, Leeds (507-1B), Oct-Nov-Dec 1993",
  ])("from 1993: '%s' is understood", (pasted) => {
    const { shape, parts, warnings, missing } = read(pasted);
    expect({ shape, warnings, missing }).toEqual({ shape: "registerAndEntry", warnings: [], missing: [] });
    expect(parts).toEqual({
      year: "1993",
      quarter: "D",
      district: "Leeds",
      districtNumber: "507-1B",
      register: "A12B",
      entry: "123",
    });
  });

  it.each([
    "DOR Q2/2015 in Leeds (507-1B) Entry Number 234",
    "2015 J Leeds 507-1B 234",
    "entry no. 234 leeds (507-1b) 2015/2",
  ])("of late: '%s' is understood", (pasted) => {
    const { shape, parts, warnings, missing } = read(pasted.replace("leeds", "Leeds"));
    expect({ shape, warnings, missing }).toEqual({ shape: "entryOnly", warnings: [], missing: [] });
    expect(parts).toEqual({
      year: "2015",
      quarter: "J",
      district: "Leeds",
      districtNumber: "507-1B",
      entry: "234",
    });
  });

  it.each(Object.entries(shapes))("%s: its example is one", (name, { example }) => {
    expect(read(example)).toMatchObject({ shape: name, warnings: [], missing: [] });
  });
});

describe("a reference that lacks parts", () => {
  it.each([
    ["March 1954 2a 222", "volumeAndPage", []],
    ["1921 Nottingham 7b 412", "volumeAndPage", ["quarter"]],
    ["1921 M Nottingham 412", "volumeAndPage", ["volume"]],
    ["1921", "volumeAndPage", ["quarter", "volume", "page"]],
    ["7b 412", "volumeAndPage", ["year", "quarter"]],
    ["1988 Leeds 4 1301", "districtAndPage", []],
    ["1988 Leeds 1301", "districtAndPage", ["volume"]],
    ["1995 Leeds Reg A12B", "registerAndEntry", ["districtNumber", "entry"]],
    ["Reg A12B Entry 5", "registerAndEntry", ["year", "districtNumber"]],
    ["2015 Leeds", "entryOnly", ["districtNumber", "entry"]],
    ["Entry 5", "entryOnly", ["year", "districtNumber"]],
  ])("'%s' is read for what it has, without a warning", (pasted, shape, missing) => {
    expect(read(pasted)).toMatchObject({ shape, missing, warnings: [] });
  });

  it("says what it is good for, and what would be better", () => {
    expect(read("1921 M Nottingham 7b 412").speedsUp).toMatch(
      /^With this, the GRO can go straight to the entry/,
    );
    expect(read("1921 Nottingham 412").speedsUp).toBe(
      "This narrows the GRO's search. With the quarter and volume it could go straight to the entry.",
    );
    expect(read("1921").speedsUp).toContain("With the quarter, volume and page");
    expect(read("").speedsUp).toBeUndefined();
  });
});

describe("the parts in words", () => {
  it("come in the order in which they are written", () => {
    expect(read("entry 5 reg 12b Leeds (507-1B) Q1 1995").fields).toEqual([
      { name: "year", value: "1995", words: "Registered in 1995" },
      { name: "quarter", value: "M", words: "March quarter: registered from January to March" },
      { name: "district", value: "Leeds", words: "Leeds registration district" },
      { name: "districtNumber", value: "507-1B", words: "District number 507-1B" },
      { name: "register", value: "12B", words: "Register 12B" },
      { name: "entry", value: "5", words: "Entry 5" },
    ]);
    expect(
      read("1921 D 7b 412")
        .fields.slice(1)
        .map(({ words }) => words),
    ).toEqual(["December quarter: registered from October to December", "Volume 7b", "Page 412"]);
  });
});

describe("what does not fit is reported, and read all the same", () => {
  it.each([
    ["1836 M Leeds 9 500", "year: Registration began in 1837. Is 1836 right?"],
    ["2027 Leeds Entry 5", "year: 2027 is in the future. Is that right?"],
    ["1837 M Leeds 23 1", "quarter: Registration began in July 1837. Is the quarter right?"],
    ["Q1/2026 Leeds Entry 5", undefined],
    ["Q5 1921 Leeds 9b 500", "quarter: “Q5” is not a quarter. Quarters run from 1 to 4."],
    [
      "Feb 1921 Leeds 9b 500",
      "quarter: Until 1983 the index is by quarter, so we read Feb as the March quarter. Is that right?",
    ],
    ["Feb 1985 Leeds 4 500", undefined],
    [
      "Q1 1921 Jun Leeds 9b 500",
      "quarter: You gave two quarters, March and June. We used the first. Is that right?",
    ],
    ["Q1 Mar 1921 Leeds 9b 500", undefined],
    ["1921 Leeds Entry 5", "entry: References of 1837 to 1983 have no entry number. Is the year right?"],
    [
      "1921 M Leeds (507) 9b 5",
      "districtNumber: References of 1837 to 1983 have no district number. Is the year right?",
    ],
    [
      "1988 Leeds Reg A12B",
      "register: References of 1984 to 1992 have no register number. Is the year right?",
    ],
    ["2001 Leeds Page 500", "page: References from 1993 on have no page. Is the year right?"],
    ["1921 M Leeds XV 5", "volume: Volumes had Roman numerals until 1851. Is XV right?"],
    ["1845 M Leeds 9b 5", "volume: Volumes had no letter until 1851. Is 9b right?"],
    ["1921 M Leeds 9b 500 (xyz) also", "null: We could not recognise “xyz also”."],
    ["hello world", "null: We could not find a year, page or entry in this. Is it a GRO reference?"],
  ])("'%s': %s", (pasted, warning) => {
    expect(warned(pasted)).toEqual(warning === undefined ? [] : [warning]);
  });

  it("tells when the quarter is still to come", () => {
    expect(readGroReference("Q4/2026 Leeds Entry 5", { today: "2026-09-30" }).warnings).toEqual([
      { part: "quarter", message: "October 2026 is in the future. Is the quarter right?" },
    ]);
    expect(warned("Q4/2026 Leeds Entry 5")).toEqual([]);
  });

  it("tells when the year is none of those registered", () => {
    expect(warned("1921 M Leeds 9b 500", { from: 1922, to: 1922 })).toEqual([
      "year: This says 1921, but your other answers say 1922. Is that right?",
    ]);
    expect(warned("1921 M Leeds 9b 500", { from: 1922, to: 1923 })).toEqual([
      "year: This says 1921, but your other answers say 1922 to 1923. Is that right?",
    ]);
    expect(warned("1921 M Leeds 9b 500", { from: 1920, to: 1921 })).toEqual([]);
    expect(warned("9b 500", { from: 1920, to: 1921 })).toEqual([]);
  });

  it("says nothing of nothing", () => {
    expect(read("  ")).toEqual({
      shape: undefined,
      parts: {},
      fields: [],
      warnings: [],
      missing: [],
      speedsUp: undefined,
    });
  });
});
