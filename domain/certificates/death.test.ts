import { describe, expect, it } from "vitest";
import { changed, death, problems, today } from "../../testing/domain/form-fixture.ts";
import { deathDetailsSchema, questionDeathDetails } from "./death.ts";

const schema = deathDetailsSchema(today);
const said = (path: string, value: unknown) => problems(schema, changed(death, path, value));

describe("death details", () => {
  it("take good answers, as text and as what JSON has", () => {
    const parsed = schema.parse(death);
    expect(parsed).toMatchObject({
      ageAtDeath: 84,
      dateOfDeath: { day: 31, year: 1999 },
      groReferenceKnown: false,
    });
    expect(schema.parse(parsed)).toEqual(parsed);
  });

  it.each([
    ["deceasedForename", "Deceased's forename is required"],
    ["deceasedSurname", "Deceased's surname is required"],
    ["gender", "Gender is required"],
    ["dateOfDeath.day", "Day is required"],
    ["dateOfDeath.month", "Month is required"],
    ["dateOfDeath.year", "Year is required"],
    ["placeOfDeath", "Place of death is required"],
    ["motherForenames", "Mother's forenames are required"],
    ["motherSurname", "Mother's surname is required"],
    ["fatherForenames", "Father's/Parent's forenames are required"],
    ["fatherSurname", "Father's/Parent's surname is required"],
    ["occupation", "Occupation is required"],
    ["registrationLocation", "Registration location is required"],
    ["groReferenceKnown", "Please select Yes or No"],
  ])("%s missing or empty: '%s'", (path, message) => {
    for (const nothing of [undefined, ""]) expect(said(path, nothing)).toEqual([`${path}: ${message}`]);
  });

  it.each(["maritalStatus", "groReference"])("%s may be left out", (path) => {
    for (const nothing of [undefined, "", null]) expect(said(path, nothing)).toEqual([]);
  });

  it.each([
    ["", "Age must be 0 or greater"],
    [undefined, "Age must be 0 or greater"],
    ["-1", "Age must be 0 or greater"],
    ["-0.5", "Age must be 0 or greater"],
    ["eighty", "Age must be 0 or greater"],
    ["84.5", "Age must be a whole number"],
    ["151", "Age must be 150 or less"],
  ])("an age of '%s': '%s'", (age, message) => {
    expect(said("ageAtDeath", age)).toEqual([`ageAtDeath: ${message}`]);
  });

  it("takes an age of 0, typed or as a number", () => {
    expect(said("ageAtDeath", "0")).toEqual([]);
    expect(said("ageAtDeath", 0)).toEqual([]);
  });

  it("lies in the past and its day exists", () => {
    expect(said("dateOfDeath", { day: "31", month: "November", year: "1999" })).toEqual([
      "dateOfDeath.day: November 1999 has only 30 days",
    ]);
    expect(said("dateOfDeath", { day: "1", month: "December", year: "2026" })).toEqual([
      "dateOfDeath.year: The date must be in the past",
    ]);
  });

  it("is questioned for a year before registration and for a rare age", () => {
    expect(questionDeathDetails({ dateOfDeath: { year: "1830" }, ageAtDeath: "116" }, today)).toEqual([
      { field: "dateOfDeath.year", message: "Registration began in 1837. Is 1830 right?" },
      { field: "ageAtDeath", message: "An age of 116 is rare. Is that right?" },
    ]);
    expect(questionDeathDetails({ dateOfDeath: { year: 1999 }, ageAtDeath: 84 }, today)).toEqual([]);
  });
});
