import { describe, expect, it } from "vitest";
import { adoption, changed, problems, today } from "../../testing/domain/form-fixture.ts";
import { notKnown } from "../forms/answers.ts";
import { adoptionDetailsSchema, questionAdoptionDetails } from "./adoption.ts";

const schema = adoptionDetailsSchema(today);
const said = (path: string, value: unknown) => problems(schema, changed(adoption, path, value));

describe("adoption details", () => {
  it("take good answers, as text and as what JSON has", () => {
    const parsed = schema.parse(adoption);
    expect(parsed).toMatchObject({
      dateOfBirth: { day: 2, month: "May", year: 1961 },
      dateOfOrder: { day: 9, month: "February", year: 1962 },
      groReferenceKnown: false,
    });
    expect(schema.parse(parsed)).toEqual(parsed);
  });

  it.each([
    ["adoptiveSurname", "Adoptive surname is required"],
    ["adoptiveForenames", "Adoptive forenames are required"],
    ["gender", "Gender is required"],
    ["dateOfBirth.day", "Day is required"],
    ["dateOfBirth.month", "Month is required"],
    ["dateOfBirth.year", "Year is required"],
    ["adoptiveParent1Surname", "Adoptive parent 1's surname is required"],
    ["adoptiveParent1Forenames", "Adoptive parent 1's forenames are required"],
    ["registrationLocation", "Registration location is required"],
    ["groReferenceKnown", "Please select Yes or No"],
  ])("%s missing or empty: '%s'", (path, message) => {
    for (const nothing of [undefined, ""]) expect(said(path, nothing)).toEqual([`${path}: ${message}`]);
  });

  it.each(["adoptiveParent2Surname", "adoptiveParent2Forenames", "court", "groReference"])(
    "%s may be left out",
    (path) => {
      for (const nothing of [undefined, "", null]) expect(said(path, nothing)).toEqual([]);
    },
  );

  it.each(["dateOfBirth.day", "dateOfBirth.month", "adoptiveParent1Surname", "adoptiveParent1Forenames"])(
    "take 'I don't know' for %s",
    (path) => {
      expect(said(path, notKnown)).toEqual([]);
    },
  );

  it.each([
    [undefined],
    [null],
    [{}],
    [{ day: "", month: "", year: "" }],
    [{ day: notKnown, month: notKnown, year: notKnown }],
  ])("take an order without a date: %j", (dateOfOrder) => {
    expect(schema.parse({ ...adoption, dateOfOrder }).dateOfOrder).toEqual({
      day: null,
      month: null,
      year: null,
    });
  });

  it.each([
    [{ day: "", month: "", year: "1962" }, []],
    [{ day: "", month: "May", year: "" }, ["dateOfOrder.year: Year is required"]],
    [{ day: "31", month: "April", year: "1962" }, ["dateOfOrder.day: April 1962 has only 30 days"]],
    [{ day: "24", month: "November", year: "2026" }, ["dateOfOrder.year: The date must be in the past"]],
    [{ day: "", month: "", year: "62" }, ["dateOfOrder.year: Enter a year with 4 digits, like 1925"]],
    [{ day: "32", month: "", year: "1962" }, ["dateOfOrder.day: Day is required"]],
  ])("of an order of %j", (dateOfOrder, expected) => {
    expect(said("dateOfOrder", dateOfOrder)).toEqual(expected);
  });
});

describe("questions about an adoption", () => {
  const asked = (born: string, ordered: string) =>
    questionAdoptionDetails({ dateOfBirth: { year: born }, dateOfOrder: { year: ordered } }, today);

  it("are not asked about good answers, nor about none", () => {
    expect(questionAdoptionDetails(adoption, today)).toEqual([]);
    expect(asked("", "")).toEqual([]);
    expect(questionAdoptionDetails({ dateOfBirth: { year: "1961" } }, today)).toEqual([]);
  });

  it("are asked about years that the registers do not reach", () => {
    expect(asked("1836", "1926")).toEqual([
      { field: "dateOfBirth.year", message: "Registration began in 1837. Is 1836 right?" },
      { field: "dateOfOrder.year", message: "Adoptions were first registered in 1927. Is 1926 right?" },
    ]);
    expect(asked("1961", "2027")).toEqual([
      { field: "dateOfOrder.year", message: "2027 is in the future. Is that right?" },
    ]);
    expect(asked("1926", "1927")).toEqual([]);
  });

  it("are asked about an order before the birth, and refuse nothing", () => {
    expect(asked("1961", "1960")).toEqual([
      { field: "dateOfOrder.year", message: "Adopted in 1960, before the birth in 1961. Is that right?" },
    ]);
    expect(said("dateOfOrder.year", "1960")).toEqual([]);
  });
});
