import { describe, expect, it } from "vitest";
import { changed, marriage, problems, today } from "../../testing/domain/form-fixture.ts";
import { notKnown } from "../forms/answers.ts";
import { marriageDetailsSchema, questionMarriageDetails } from "./marriage.ts";

const schema = marriageDetailsSchema(today);
const said = (path: string, value: unknown, answers: unknown = marriage) =>
  problems(schema, changed(answers, path, value));

describe("marriage details", () => {
  it("take good answers, as text and as what JSON has", () => {
    const parsed = schema.parse(marriage);
    expect(parsed).toMatchObject({
      dateOfMarriage: { day: 14, month: "June", year: 1941 },
      groReferenceKnown: true,
    });
    expect(schema.parse(parsed)).toEqual(parsed);
  });

  it.each([
    ["spouse1Surname", "Spouse 1's surname is required"],
    ["spouse1Forenames", "Spouse 1's forenames are required"],
    ["spouse2Surname", "Spouse 2's surname is required"],
    ["spouse2Forenames", "Spouse 2's forenames are required"],
    ["dateOfMarriage.day", "Day is required"],
    ["dateOfMarriage.month", "Month is required"],
    ["dateOfMarriage.year", "Year is required"],
    ["placeOfMarriage", "Place of marriage is required"],
    ["registrationLocation", "Registration location is required"],
    ["registrationDistrict", "Registration district is required"],
    ["groReferenceKnown", "Please select Yes or No"],
  ])("%s missing or empty: '%s'", (path, message) => {
    for (const nothing of [undefined, ""]) expect(said(path, nothing)).toEqual([`${path}: ${message}`]);
  });

  it("may lack the reference", () => {
    for (const nothing of [undefined, "", null]) expect(said("groReference", nothing)).toEqual([]);
  });

  it.each([
    "spouse1Surname",
    "spouse1Forenames",
    "spouse2Surname",
    "spouse2Forenames",
    "placeOfMarriage",
    "registrationDistrict",
    "dateOfMarriage.day",
    "dateOfMarriage.month",
  ])("take 'I don't know' for %s", (path) => {
    expect(said(path, notKnown)).toEqual([]);
  });

  it("need a year, and one surname to look for, said even while other answers are wrong", () => {
    expect(said("dateOfMarriage.year", notKnown)).toEqual([
      "dateOfMarriage.year: Enter a year with 4 digits, like 1925",
    ]);
    const nameless = changed(changed(marriage, "spouse1Surname", notKnown), "spouse2Surname", "I don’t know");
    expect(problems(schema, nameless)).toEqual(["spouse2Surname: Enter the surname of at least one spouse"]);
    expect(said("placeOfMarriage", "", nameless)).toContain(
      "spouse2Surname: Enter the surname of at least one spouse",
    );
  });

  it("lie in the past and their day exists", () => {
    expect(said("dateOfMarriage", { day: "31", month: "June", year: "1941" })).toEqual([
      "dateOfMarriage.day: June 1941 has only 30 days",
    ]);
    expect(said("dateOfMarriage", { day: notKnown, month: notKnown, year: "2027" })).toEqual([
      "dateOfMarriage.year: The date must be in the past",
    ]);
  });

  it("are questioned for a year that registration does not reach, and not refused", () => {
    expect(questionMarriageDetails({ dateOfMarriage: { year: "1836" } }, today)).toEqual([
      { field: "dateOfMarriage.year", message: "Registration began in 1837. Is 1836 right?" },
    ]);
    expect(said("dateOfMarriage.year", "1836")).toEqual([]);
    expect(questionMarriageDetails(marriage, today)).toEqual([]);
    expect(questionMarriageDetails({ dateOfMarriage: { year: "" } }, today)).toEqual([]);
  });
});
