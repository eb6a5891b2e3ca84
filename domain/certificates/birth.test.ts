import { describe, expect, it } from "vitest";
import { birth, changed, problems, today } from "../../testing/domain/form-fixture.ts";
import { notKnown } from "../forms/answers.ts";
import { copiesLabel, days, months, quantities, yearOptions } from "../forms/options.ts";
import { otherOfficeFor, phoneFor } from "../forms/registration-office.ts";
import { birthDetailsSchema, questionBirthDetails } from "./birth.ts";

const schema = birthDetailsSchema(today);
const said = (path: string, value: unknown, answers: unknown = birth) =>
  problems(schema, changed(answers, path, value));

describe("birth details", () => {
  it("take good answers, as text and as what JSON has", () => {
    const parsed = schema.parse(birth);
    expect(parsed).toMatchObject({
      dateOfBirth: { day: 29, month: "February", year: 1952 },
      yearRegistered: 1952,
      groReferenceKnown: true,
      applyingForOwn: true,
      adopted: false,
    });
    expect(schema.parse(parsed)).toEqual(parsed);
  });

  it.each([
    ["birthCountry", "Country of birth is required"],
    ["placeOfBirth", "Place of birth is required"],
    ["surnameAtBirth", "Surname at birth is required"],
    ["forenamesAtBirth", "Forenames at birth is required"],
    ["gender", "Gender is required"],
    ["dateOfBirth.day", "Day is required"],
    ["dateOfBirth.month", "Month is required"],
    ["dateOfBirth.year", "Year is required"],
    ["motherForename", "Mother's forename is required"],
    ["motherMaidenName", "Mother's maiden name is required"],
    ["motherSurname", "Mother's surname is required"],
    ["registrationLocation", "Registration location is required"],
    ["yearRegistered", "Year registered is required"],
    ["groReferenceKnown", "Please select Yes or No"],
    ["applyingForOwn", "Please select an option"],
    ["adopted", "Please select an option"],
  ])("%s missing or empty: '%s'", (path, message) => {
    for (const nothing of [undefined, ""]) expect(said(path, nothing)).toEqual([`${path}: ${message}`]);
  });

  it.each(["fatherSurname", "fatherForename", "groReference"])("%s may be left out", (path) => {
    for (const nothing of [undefined, "", null]) expect(said(path, nothing)).toEqual([]);
  });

  it.each([
    ["31", "April", "1952", "April 1952 has only 30 days"],
    ["29", "February", "1951", "February 1951 has only 28 days"],
    ["29", "February", "1900", "February 1900 has only 28 days"],
    ["30", "February", "1952", "February 1952 has only 29 days"],
  ])("%s %s %s does not exist", (day, month, year, message) => {
    expect(said("dateOfBirth", { day, month, year })).toEqual([`dateOfBirth.day: ${message}`]);
  });

  it("lie in the past, today included", () => {
    const future = "dateOfBirth.year: The date must be in the past";
    const thisYear = changed(birth, "yearRegistered", "2026");
    expect(said("dateOfBirth", { day: "24", month: "November", year: "2026" }, thisYear)).toEqual([future]);
    expect(said("dateOfBirth", { day: "1", month: "January", year: "2027" })).toContain(future);
    expect(said("dateOfBirth", { day: "23", month: "November", year: "2026" }, thisYear)).toEqual([]);
  });

  it.each(["52", "nineteen", "19522"])("'%s' is no year", (year) => {
    expect(said("yearRegistered", year)).toEqual(["yearRegistered: Enter a year with 4 digits, like 1925"]);
  });
});

describe("the year registered", () => {
  it("is the year of birth or later, and this year or earlier", () => {
    for (const good of ["1952", "2026"]) expect(said("yearRegistered", good)).toEqual([]);
    expect(said("yearRegistered", "1951")).toEqual([
      "yearRegistered: A birth cannot be registered before the year of birth",
    ]);
    expect(said("yearRegistered", "2027")).toEqual([
      "yearRegistered: The year registered cannot be in the future",
    ]);
  });
});

describe("what is not known", () => {
  const parts = [
    "placeOfBirth",
    "dateOfBirth.day",
    "dateOfBirth.month",
    "motherForename",
    "motherMaidenName",
    "motherSurname",
  ];
  const recent = changed(birth, "yearRegistered", "1976");
  const older = changed(birth, "yearRegistered", "1975");

  it.each(parts)("answers %s of a birth registered more than 50 years ago", (path) => {
    expect(said(path, notKnown, older)).toEqual([]);
  });

  it.each([
    ["placeOfBirth", "place of birth"],
    ["dateOfBirth.day", "day of birth"],
    ["dateOfBirth.month", "month of birth"],
    ["motherForename", "mother's forename"],
    ["motherMaidenName", "mother's maiden name"],
    ["motherSurname", "mother's surname"],
  ])("does not answer %s of a birth registered in the last 50 years", (path, needed) => {
    expect(said(path, notKnown, recent)).toEqual([
      `${path}: Births registered in the last 50 years need the ${needed}`,
    ]);
  });

  it("is reported also while other answers are missing", () => {
    const both = changed(changed(recent, "placeOfBirth", "i don’t know"), "gender", "");
    expect(problems(schema, both)).toContain(
      "placeOfBirth: Births registered in the last 50 years need the place of birth",
    );
  });

  it("leaves a hole in the date and none in the rules", () => {
    expect(schema.parse(changed(older, "dateOfBirth.day", notKnown))).toMatchObject({
      dateOfBirth: { day: null, month: "February", year: 1952 },
    });
    const nextMonth = { day: notKnown, month: "December", year: "2026" };
    expect(said("dateOfBirth", nextMonth, older)).toContain("dateOfBirth.year: The date must be in the past");
  });
});

describe("questions about a birth", () => {
  const asked = (answers: Partial<typeof birth>) => questionBirthDetails({ ...birth, ...answers }, today);

  it("are not asked about good answers, nor about none", () => {
    expect(asked({})).toEqual([]);
    expect(asked({ yearRegistered: "", dateOfBirth: { day: "", month: "", year: "" } })).toEqual([]);
  });

  it("are asked about years outside registration", () => {
    expect(asked({ yearRegistered: "1836", dateOfBirth: { ...birth.dateOfBirth, year: "1836" } })).toEqual([
      { field: "dateOfBirth.year", message: "Registration began in 1837. Is 1836 right?" },
      { field: "yearRegistered", message: "Registration began in 1837. Is 1836 right?" },
    ]);
    expect(asked({ yearRegistered: "2027" })).toEqual([
      { field: "yearRegistered", message: "2027 is in the future. Is that right?" },
    ]);
    const early = changed(birth, "dateOfBirth.year", "1832");
    expect(said("yearRegistered", "1836", early)).toEqual([]);
  });

  it("are asked about a registration before the birth", () => {
    expect(asked({ yearRegistered: "1951" })).toEqual([
      { field: "yearRegistered", message: "Registered in 1951, before the birth in 1952. Is that right?" },
    ]);
  });
});

describe("where to turn instead", () => {
  it("is another office for Scotland and Northern Ireland, and none for England or Wales", () => {
    expect(otherOfficeFor("Scotland")?.name).toBe("National Records of Scotland");
    expect(otherOfficeFor("Northern Ireland")?.link).toMatch(/^https:\/\/www\.nidirect\.gov\.uk\//);
    expect(otherOfficeFor("England or Wales")).toBeUndefined();
  });

  it("is the telephone for an adopted person's own birth certificate", () => {
    expect(phoneFor({ adopted: true, applyingForOwn: true })?.advice).toContain(
      "by phone: please call 0300 123 1837",
    );
    expect(phoneFor({ adopted: true, applyingForOwn: false })).toBeUndefined();
    expect(phoneFor({ adopted: false, applyingForOwn: true })).toBeUndefined();
  });
});

describe("the lists", () => {
  it("hold 121 years, 31 days, 12 months and 1 to 5 copies", () => {
    const years = yearOptions(today);
    expect([years.length, years[0], years.at(-1)]).toEqual([121, 2026, 1906]);
    expect([days[0], days.at(-1), days.length]).toEqual([1, 31, 31]);
    expect(months).toHaveLength(12);
    expect(quantities.map(copiesLabel)).toEqual(["1 copy", "2 copies", "3 copies", "4 copies", "5 copies"]);
  });
});
