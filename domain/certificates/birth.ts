import { z } from "zod";
import { type CalendarDate, yearOf } from "../calendar-date.ts";
import { choice, isNotKnown, optional, required, yesOrNo } from "../forms/answers.ts";
import { dateAsked, questionYear, yearNamed } from "../forms/event-date.ts";
import { birthCountries, genders } from "../forms/options.ts";
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

/** The questions about a birth, in the order of the page. */
const fields = {
  birthCountry: {
    label: "Country of birth",
    rule: choice(birthCountries, "Country of birth is required"),
    key: "BirthCountry",
    start: birthCountries[0],
  },
  placeOfBirth: {
    label: "Place of birth",
    hint: "Town and hospital. Enter as much as you know. If registered over 50 years ago, you can enter ‘I don’t know’.",
    rule: required("Place of birth is required"),
    key: "PlaceOfBirth",
  },
  surnameAtBirth: {
    label: "Surname at birth",
    rule: required("Surname at birth is required", 100),
    key: "SurnameAtBirth",
  },
  forenamesAtBirth: {
    label: "Forenames at birth",
    hint: "As registered, if you know",
    rule: required("Forenames at birth is required"),
    key: "ForenamesAtBirth",
  },
  gender: { label: "Gender", rule: choice(genders, "Gender is required"), key: "gender", printed: "Sex" },
  dateOfBirth: {
    label: "Date of birth",
    hint: "For births registered in the last 50 years, the GRO needs the full date.",
    rule: dateAsked,
    key: "DateOfBirth",
  },
  fatherSurname: { label: "Father's surname", optional: true, rule: optional(100), key: "FatherSurname" },
  fatherForename: {
    label: "Father's forename",
    optional: true,
    rule: optional(),
    key: "FatherForename",
    printed: "Father’s forenames",
  },
  motherForename: {
    label: "Mother's forename",
    rule: required("Mother's forename is required"),
    key: "MotherForename",
    printed: "Mother’s forenames",
  },
  motherMaidenName: {
    label: "Mother's maiden name",
    hint: "Her surname before marriage",
    rule: required("Mother's maiden name is required", 100),
    key: "MotherMaidenName",
  },
  motherSurname: {
    label: "Mother's surname",
    rule: required("Mother's surname is required", 100),
    key: "MotherSurname",
  },
  ...location,
  yearRegistered: {
    label: "Year registered",
    rule: yearNamed("Year registered is required"),
    part: "eventDetails",
    key: "YearRegistered",
  },
  ...reference,
  applyingForOwn: {
    label: "Are you applying for your own certificate?",
    rule: yesOrNo("Please select an option"),
    answeredBy: "yes or no",
    part: "application",
    key: "applyingForOwn",
    printed: "Applying for their own certificate",
    start: "yes",
  },
  adopted: {
    label: "Is the person adopted?",
    rule: yesOrNo("Please select an option"),
    answeredBy: "yes or no",
    part: "application",
    key: "adopted",
    printed: "Adopted",
  },
} as const satisfies FieldTable;

/**
 * The GRO requires more details of a birth registered in the last 50 years. Source: its notes on applications, August
 * 2022.
 */
const recentYears = 50;

const yearOfRegistration = z.object({ yearRegistered: z.number() });

/** Whether place, date and parents' names are required: 'I don't know' is then refused. */
function isRecent(birth: unknown, today: CalendarDate): boolean {
  const { data } = yearOfRegistration.safeParse(birth);
  return data !== undefined && data.yearRegistered >= yearOf(today) - recentYears;
}

const neededOfRecent = (path: SharedRule["path"], words: string): SharedRule => ({
  path,
  message: `Births registered in the last 50 years need ${words}`,
  isBroken: (birth, today) => isRecent(birth, today) && isNotKnown(valueAt(birth, path)),
  decidable: yearOfRegistration.extend({ dateOfBirth: z.object({ day: z.unknown(), month: z.unknown() }) }),
});

const fourDigits = z.number().min(1000).max(9999);
const bothYears = z.object({ dateOfBirth: z.object({ year: fourDigits }), yearRegistered: fourDigits });

const notBeforeBirth: SharedRule = {
  path: ["yearRegistered"],
  message: "A birth cannot be registered before the year of birth",
  isBroken: (birth) => {
    const { data } = bothYears.safeParse(birth);
    return data !== undefined && data.yearRegistered < data.dateOfBirth.year;
  },
  decidable: bothYears,
};

const notInTheFuture: SharedRule = {
  path: ["yearRegistered"],
  message: "The year registered cannot be in the future",
  isBroken: (birth, today) => (yearOfRegistration.safeParse(birth).data?.yearRegistered ?? 0) > yearOf(today),
  decidable: z.object({ yearRegistered: fourDigits }),
};

// The father's names stay optional: the entry may have none.
const rules = [
  neededOfRecent(["placeOfBirth"], "the place of birth"),
  neededOfRecent(["dateOfBirth", "day"], "the day of birth"),
  neededOfRecent(["dateOfBirth", "month"], "the month of birth"),
  neededOfRecent(["motherForename"], "the mother's forename"),
  neededOfRecent(["motherMaidenName"], "the mother's maiden name"),
  neededOfRecent(["motherSurname"], "the mother's surname"),
  notBeforeBirth,
  notInTheFuture,
  ...referenceRules,
];

/** Step 3 for a birth. `today` is the day in London. */
export const birthDetailsSchema = (today: CalendarDate) =>
  withRules(z.object(formRules(fields, today)), rules, today);

export const birth = {
  type: "Birth",
  form: "birth",
  fields,
  details: birthDetailsSchema,
  rules,
  review: [
    { name: "Name at birth", answers: ["forenamesAtBirth", "surnameAtBirth"] },
    "gender",
    "dateOfBirth",
    "placeOfBirth",
    "birthCountry",
    { name: "Father", answers: ["fatherForename", "fatherSurname"] },
    { name: "Mother", answers: ["motherForename", "motherSurname"] },
    "motherMaidenName",
    { name: "Registered in", answers: ["registrationLocation"] },
    "yearRegistered",
    "groReference",
    { name: "Applying for your own certificate", answers: ["applyingForOwn"] },
    { name: "Person is adopted", answers: ["adopted"] },
  ],
  adopted: false,
} as const satisfies Certificate<keyof typeof fields>;

export type BirthDetailsInput = z.input<ReturnType<typeof birthDetailsSchema>>;
export type BirthDetails = z.output<ReturnType<typeof birthDetailsSchema>>;

/** Questions about suspicious answers, from answers as typed. */
export function questionBirthDetails(
  answers: { dateOfBirth: { year: unknown }; yearRegistered: unknown },
  today: CalendarDate,
): Question[] {
  const born = Number(answers.dateOfBirth.year);
  const registered = Number(answers.yearRegistered);
  return questions(
    questionYear("dateOfBirth.year", answers.dateOfBirth.year, today),
    questionYear("yearRegistered", answers.yearRegistered, today),
    registered > 0 && born > registered
      ? {
          field: "yearRegistered",
          message: `Registered in ${registered}, before the birth in ${born}. Is that right?`,
        }
      : undefined,
  );
}
