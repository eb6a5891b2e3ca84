import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, optionalChoice, required } from "../forms/answers.ts";
import { dateAsked, questionYear } from "../forms/event-date.ts";
import { genders, maritalStatuses } from "../forms/options.ts";
import { type Question, questions } from "../forms/question.ts";
import {
  type Certificate,
  type FieldTable,
  formRules,
  location,
  reference,
  referenceRules,
  withRules,
} from "./certificate.ts";

const ageTooLow = "Age must be 0 or greater";
const ageNotWhole = "Age must be a whole number";
const ageTooHigh = "Age must be 150 or less";

const age = z
  .union([z.string(), z.number()], ageTooLow)
  .transform((answer) => (String(answer).trim() === "" ? Number.NaN : Number(answer)))
  .pipe(
    z
      .number(ageTooLow)
      .min(0, { error: ageTooLow, abort: true })
      .max(150, { error: ageTooHigh, abort: true })
      .refine(Number.isInteger, ageNotWhole),
  );

/** The questions about a death, in the order of the page. */
const fields = {
  deceasedForename: {
    label: "Deceased's forename",
    rule: required("Deceased's forename is required"),
    key: "DeathForename",
    printed: "Forenames",
  },
  deceasedSurname: {
    label: "Deceased's surname",
    rule: required("Deceased's surname is required", 100),
    key: "DeathSurname",
    printed: "Surname",
  },
  gender: { label: "Gender", rule: choice(genders, "Gender is required"), key: "gender", printed: "Sex" },
  dateOfDeath: {
    label: "Date of death",
    hint: "If you are not sure of the day or month, choose ‘I don’t know’.",
    rule: dateAsked,
    key: "DateOfDeath",
  },
  placeOfDeath: {
    label: "Place of death",
    hint: "Town, and the hospital or street if you know",
    rule: required("Place of death is required"),
    key: "PlaceOfDeath",
  },
  ageAtDeath: { label: "Age at death", rule: age, key: "AgeAtDeath" },
  motherForenames: {
    label: "Mother's forenames",
    rule: required("Mother's forenames are required"),
    key: "MotherForenames",
    alias: "MotherForename",
  },
  motherSurname: {
    label: "Mother's surname",
    rule: required("Mother's surname is required", 100),
    key: "MotherSurname",
  },
  fatherForenames: {
    label: "Father's/Parent's forenames",
    rule: required("Father's/Parent's forenames are required"),
    key: "FatherForenames",
    alias: "FatherForename",
    printed: "Father’s forenames",
  },
  fatherSurname: {
    label: "Father's/Parent's surname",
    rule: required("Father's/Parent's surname is required", 100),
    key: "FatherSurname",
    printed: "Father’s surname",
  },
  occupation: {
    label: "Occupation",
    hint: "As registered; it may be a spouse’s or parent’s",
    rule: required("Occupation is required"),
    key: "Occupation",
  },
  // A man's entry does not state it.
  maritalStatus: {
    label: "Marital status",
    optional: true,
    rule: optionalChoice(maritalStatuses),
    key: "MaritalStatus",
    onlyIf: { field: "gender", is: "Female" },
  },
  ...location,
  ...reference,
} as const satisfies FieldTable;

/** Step 3 for a death. `today` is the day in London. */
export const deathDetailsSchema = (today: CalendarDate) =>
  withRules(z.object(formRules(fields, today)), referenceRules, today);

export const death = {
  type: "Death",
  form: "death",
  fields,
  details: deathDetailsSchema,
  rules: referenceRules,
  review: [
    { name: "Name", answers: ["deceasedForename", "deceasedSurname"] },
    "gender",
    "maritalStatus",
    "dateOfDeath",
    "placeOfDeath",
    "ageAtDeath",
    "occupation",
    { name: "Mother", answers: ["motherForenames", "motherSurname"] },
    { name: "Father or parent", answers: ["fatherForenames", "fatherSurname"] },
    { name: "Registered in", answers: ["registrationLocation"] },
    "groReference",
  ],
  adopted: false,
  joined: { DeceasedName: ["DeathForename", "DeathSurname"] },
  firstKeys: ["DeceasedName", "DeathSurname"],
  lastKeys: ["gender"],
} as const satisfies Certificate<keyof typeof fields>;

export type DeathDetailsInput = z.input<ReturnType<typeof deathDetailsSchema>>;
export type DeathDetails = z.output<ReturnType<typeof deathDetailsSchema>>;

/** Questions about suspicious answers, from answers as typed. */
export function questionDeathDetails(
  answers: { dateOfDeath: { year: unknown }; ageAtDeath: unknown },
  today: CalendarDate,
): Question[] {
  const years = Number(answers.ageAtDeath);
  return questions(
    questionYear("dateOfDeath.year", answers.dateOfDeath.year, today),
    years > 115 ? { field: "ageAtDeath", message: `An age of ${years} is rare. Is that right?` } : undefined,
  );
}
