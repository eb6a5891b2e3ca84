import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { isNotKnown, required } from "../forms/answers.ts";
import { dateAsked, questionYear } from "../forms/event-date.ts";
import { type Question, questions } from "../forms/question.ts";
import {
  type Certificate,
  type FieldTable,
  formRules,
  location,
  reference,
  referenceRules,
  type SharedRule,
  valueAt,
  withRules,
} from "./certificate.ts";

/** The questions about a marriage, in the order of the page. */
const fields = {
  spouse1Surname: {
    label: "Spouse 1's surname",
    hint: "Before the marriage",
    rule: required("Spouse 1's surname is required", 100),
    key: "Spouse1Surname",
    printed: "First party’s surname",
  },
  spouse1Forenames: {
    label: "Spouse 1's forenames",
    hint: "As registered",
    rule: required("Spouse 1's forenames are required"),
    key: "Spouse1Forenames",
    printed: "First party’s forenames",
  },
  spouse2Surname: {
    label: "Spouse 2's surname",
    hint: "Before the marriage",
    rule: required("Spouse 2's surname is required", 100),
    key: "Spouse2Surname",
    printed: "Second party’s surname",
  },
  spouse2Forenames: {
    label: "Spouse 2's forenames",
    hint: "As registered",
    rule: required("Spouse 2's forenames are required"),
    key: "Spouse2Forenames",
    printed: "Second party’s forenames",
  },
  dateOfMarriage: {
    label: "Date of marriage",
    hint: "If you know only the year, choose ‘I don’t know’ for the day and the month.",
    rule: dateAsked,
    key: "DateOfMarriage",
  },
  placeOfMarriage: {
    label: "Place of marriage",
    hint: "The town, and the church, register office or venue if you know",
    rule: required("Place of marriage is required"),
    key: "PlaceOfMarriage",
  },
  ...location,
  registrationDistrict: {
    label: "Registration district",
    hint: "As in the index, or the nearest town if you are not sure",
    rule: required("Registration district is required", 100),
    key: "RegistrationDistrict",
  },
  ...reference,
} as const satisfies FieldTable;

const surnamePaths = [["spouse1Surname"], ["spouse2Surname"]] as const;

/** The register is indexed by each spouse's surname; without either, the entry cannot be found. */
const surnameNeeded: SharedRule = {
  path: ["spouse2Surname"],
  message: "Enter the surname of at least one spouse",
  isBroken: (marriage) => surnamePaths.every((path) => isNotKnown(valueAt(marriage, path))),
  decidable: z.object({ spouse1Surname: z.string(), spouse2Surname: z.string() }),
};
const rules = [surnameNeeded, ...referenceRules];

/** Step 3 for a marriage. `today` is the day in London. If only the year is known, day and month are 'I don't know'. */
export const marriageDetailsSchema = (today: CalendarDate) =>
  withRules(z.object(formRules(fields, today)), rules, today);

export const marriage = {
  type: "Marriage",
  form: "marriage",
  fields,
  details: marriageDetailsSchema,
  rules,
  review: [
    { name: "Spouse 1", answers: ["spouse1Forenames", "spouse1Surname"] },
    { name: "Spouse 2", answers: ["spouse2Forenames", "spouse2Surname"] },
    "dateOfMarriage",
    "placeOfMarriage",
    { name: "Registered in", answers: ["registrationLocation"] },
    "registrationDistrict",
    "groReference",
  ],
  adopted: false,
} as const satisfies Certificate<keyof typeof fields>;

export type MarriageDetailsInput = z.input<ReturnType<typeof marriageDetailsSchema>>;
export type MarriageDetails = z.output<ReturnType<typeof marriageDetailsSchema>>;

/** Questions about suspicious answers, from answers as typed. */
export const questionMarriageDetails = (
  answers: { dateOfMarriage: { year: unknown } },
  today: CalendarDate,
): Question[] => questions(questionYear("dateOfMarriage.year", answers.dateOfMarriage.year, today));
