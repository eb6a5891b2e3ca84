import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, optional, required } from "../forms/answers.ts";
import {
  dateAsked,
  firstRegisteredYear,
  optionalDate,
  questionYear,
  typedYear,
} from "../forms/event-date.ts";
import { genders } from "../forms/options.ts";
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

/** The Adopted Children Register begins on 1 January 1927. Source: Adoption of Children Act 1926. */
const firstAdoptionYear = 1927;

/** The questions about an adoption, in the order of the page. Date of the order and court are optional. */
const fields = {
  adoptiveSurname: {
    label: "Adoptive surname",
    rule: required("Adoptive surname is required", 100),
    key: "AdoptiveSurname",
  },
  adoptiveForenames: {
    label: "Adoptive forenames",
    rule: required("Adoptive forenames are required"),
    key: "AdoptiveForenames",
  },
  gender: { label: "Gender", rule: choice(genders, "Gender is required"), key: "gender", printed: "Sex" },
  dateOfBirth: {
    label: "Date of birth",
    hint: "If you are not sure of the day or month, choose ‘I don’t know’.",
    rule: dateAsked,
    key: "DateOfBirth",
  },
  adoptiveParent1Surname: {
    label: "Adoptive parent 1's surname",
    rule: required("Adoptive parent 1's surname is required", 100),
    key: "AdoptiveParent1Surname",
    printed: "First adoptive parent’s surname",
  },
  adoptiveParent1Forenames: {
    label: "Adoptive parent 1's forenames",
    rule: required("Adoptive parent 1's forenames are required"),
    key: "AdoptiveParent1Forenames",
    printed: "First adoptive parent’s forenames",
  },
  // One person may adopt alone.
  adoptiveParent2Surname: {
    label: "Adoptive parent 2's surname",
    optional: true,
    rule: optional(100),
    key: "AdoptiveParent2Surname",
    printed: "Second adoptive parent’s surname",
  },
  adoptiveParent2Forenames: {
    label: "Adoptive parent 2's forenames",
    optional: true,
    rule: optional(),
    key: "AdoptiveParent2Forenames",
    printed: "Second adoptive parent’s forenames",
  },
  dateOfOrder: {
    label: "Date of the order",
    hint: "Enter as much as you know",
    optional: true,
    rule: optionalDate,
    key: "DateOfOrder",
    printed: "Date of the adoption order",
  },
  court: {
    label: "Court",
    hint: "The court that made the order",
    optional: true,
    rule: optional(),
    key: "Court",
  },
  ...location,
  ...reference,
} as const satisfies FieldTable;

/** Step 3 for an adoption. `today` is the day in London. */
export const adoptionDetailsSchema = (today: CalendarDate) =>
  withRules(z.object(formRules(fields, today)), referenceRules, today);

export const adoption = {
  type: "Adoption",
  form: "adoption",
  fields,
  details: adoptionDetailsSchema,
  rules: referenceRules,
  review: [
    { name: "Adoptive name", answers: ["adoptiveForenames", "adoptiveSurname"] },
    "gender",
    "dateOfBirth",
    { name: "Adoptive parent 1", answers: ["adoptiveParent1Forenames", "adoptiveParent1Surname"] },
    { name: "Adoptive parent 2", answers: ["adoptiveParent2Forenames", "adoptiveParent2Surname"] },
    "dateOfOrder",
    "court",
    { name: "Registered in", answers: ["registrationLocation"] },
    "groReference",
  ],
  adopted: true,
} as const satisfies Certificate<keyof typeof fields>;

export type AdoptionDetailsInput = z.input<ReturnType<typeof adoptionDetailsSchema>>;
export type AdoptionDetails = z.output<ReturnType<typeof adoptionDetailsSchema>>;

interface TypedAdoption {
  readonly dateOfBirth: { readonly year: unknown };
  readonly dateOfOrder?: { readonly year?: unknown } | null | undefined;
}

/** Questions about suspicious answers, from answers as typed. */
export function questionAdoptionDetails(answers: TypedAdoption, today: CalendarDate): Question[] {
  const born = typedYear(answers.dateOfBirth.year);
  return questions(
    questionYear("dateOfBirth.year", answers.dateOfBirth.year, today),
    questionOrder(typedYear(answers.dateOfOrder?.year), born, today),
  );
}

/** At most one question about the year of the order: the most informative. */
function questionOrder(
  ordered: number | undefined,
  born: number | undefined,
  today: CalendarDate,
): Question | undefined {
  const field = "dateOfOrder.year";
  if (ordered === undefined) return undefined;
  if (ordered < firstAdoptionYear) {
    return {
      field,
      message: `Adoptions were first registered in ${firstAdoptionYear}. Is ${ordered} right?`,
    };
  }
  if (born !== undefined && born >= firstRegisteredYear && ordered < born) {
    return { field, message: `Adopted in ${ordered}, before the birth in ${born}. Is that right?` };
  }
  return questionYear(field, ordered, today);
}
