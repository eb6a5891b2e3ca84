import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, optional, optionalChoice, required, yesOrNo } from "../forms/answers.ts";
import { eventDate, questionYear } from "../forms/event-date.ts";
import { genders, maritalStatuses, registrationLocations } from "../forms/options.ts";
import { type Question, questions } from "../forms/question.ts";

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

/** Each question about a death; the form and the payload name them differently and ask the same. */
export const deathAnswers = {
  forename: required("Deceased's forename is required"),
  surname: required("Deceased's surname is required", 100),
  gender: choice(genders, "Gender is required"),
  place: required("Place of death is required"),
  age,
  motherForenames: required("Mother's forenames are required"),
  motherSurname: required("Mother's surname is required", 100),
  fatherForenames: required("Father's/Parent's forenames are required"),
  fatherSurname: required("Father's/Parent's surname is required", 100),
  occupation: required("Occupation is required"),
  maritalStatus: optionalChoice(maritalStatuses),
  registrationLocation: choice(registrationLocations, "Registration location is required"),
  groReferenceKnown: yesOrNo("Please select Yes or No"),
  groReference: optional(),
};

/** Step 3 for a death. `today` is the day in London. */
export const deathDetailsSchema = (today: CalendarDate) =>
  z.object({
    deceasedForename: deathAnswers.forename,
    deceasedSurname: deathAnswers.surname,
    gender: deathAnswers.gender,
    dateOfDeath: eventDate(today),
    placeOfDeath: deathAnswers.place,
    ageAtDeath: deathAnswers.age,
    motherForenames: deathAnswers.motherForenames,
    motherSurname: deathAnswers.motherSurname,
    fatherForenames: deathAnswers.fatherForenames,
    fatherSurname: deathAnswers.fatherSurname,
    occupation: deathAnswers.occupation,
    /** Asked only of women, because that is all the record tells. */
    maritalStatus: deathAnswers.maritalStatus,
    registrationLocation: deathAnswers.registrationLocation,
    groReferenceKnown: deathAnswers.groReferenceKnown,
    groReference: deathAnswers.groReference,
  });

export type DeathDetailsInput = z.input<ReturnType<typeof deathDetailsSchema>>;
export type DeathDetails = z.output<ReturnType<typeof deathDetailsSchema>>;

/** What to ask the customer to look at again. Takes answers as typed. */
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
