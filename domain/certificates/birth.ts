import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, isNotKnown, optional, required, yesOrNo } from "../forms/answers.ts";
import { eventDate, questionYear, yearNamed } from "../forms/event-date.ts";
import { birthCountries, genders, registrationLocations } from "../forms/options.ts";
import { type Question, questions } from "../forms/question.ts";
import { isRecent, type PartOfRecentBirth, partsOfRecentBirth, recentBirthMessages } from "../forms/recent-birth.ts";

/** Each question about a birth; the form and the payload name them differently and ask the same. */
export const birthAnswers = {
  country: choice(birthCountries, "Country of birth is required"),
  place: required("Place of birth is required"),
  surname: required("Surname at birth is required", 100),
  forenames: required("Forenames at birth is required"),
  gender: choice(genders, "Gender is required"),
  fatherSurname: optional(100),
  fatherForename: optional(),
  motherForename: required("Mother's forename is required"),
  motherMaidenName: required("Mother's maiden name is required", 100),
  motherSurname: required("Mother's surname is required", 100),
  registrationLocation: choice(registrationLocations, "Registration location is required"),
  yearRegistered: yearNamed("Year registered is required"),
  groReferenceKnown: yesOrNo("Please select Yes or No"),
  groReference: optional(),
  applyingForOwn: yesOrNo("Please select an option"),
  adopted: yesOrNo("Please select an option"),
};

/** Where each part that a recent birth needs stands in the form. */
const paths = {
  place: ["placeOfBirth"],
  day: ["dateOfBirth", "day"],
  month: ["dateOfBirth", "month"],
  motherForename: ["motherForename"],
  motherMaidenName: ["motherMaidenName"],
  motherSurname: ["motherSurname"],
};

const formOf = (today: CalendarDate) =>
  z.object({
    birthCountry: birthAnswers.country,
    placeOfBirth: birthAnswers.place,
    surnameAtBirth: birthAnswers.surname,
    forenamesAtBirth: birthAnswers.forenames,
    gender: birthAnswers.gender,
    dateOfBirth: eventDate(today),
    fatherSurname: birthAnswers.fatherSurname,
    fatherForename: birthAnswers.fatherForename,
    motherForename: birthAnswers.motherForename,
    motherMaidenName: birthAnswers.motherMaidenName,
    motherSurname: birthAnswers.motherSurname,
    registrationLocation: birthAnswers.registrationLocation,
    yearRegistered: birthAnswers.yearRegistered,
    groReferenceKnown: birthAnswers.groReferenceKnown,
    groReference: birthAnswers.groReference,
    applyingForOwn: birthAnswers.applyingForOwn,
    adopted: birthAnswers.adopted,
  });

/** Enough to tell whether a recent birth lacks something, though other answers are still wrong. */
const comparable = z.object({
  yearRegistered: z.number(),
  dateOfBirth: z.object({ day: z.unknown(), month: z.unknown() }),
});

/** Step 3 for a birth. `today` is the day in London. */
export const birthDetailsSchema = (today: CalendarDate) =>
  partsOfRecentBirth.reduce(
    (schema, part) =>
      schema.refine((birth) => !lacks(birth, part, today), {
        path: paths[part],
        error: recentBirthMessages[part],
        when: ({ value }) => comparable.safeParse(value).success,
      }),
    formOf(today),
  );

function lacks(
  birth: z.output<ReturnType<typeof formOf>>,
  part: PartOfRecentBirth,
  today: CalendarDate,
): boolean {
  if (!isRecent(birth.yearRegistered, today)) return false;
  const answers = {
    ...birth,
    place: birth.placeOfBirth,
    day: birth.dateOfBirth.day,
    month: birth.dateOfBirth.month,
  };
  return isNotKnown(answers[part]);
}

export type BirthDetailsInput = z.input<ReturnType<typeof birthDetailsSchema>>;
export type BirthDetails = z.output<ReturnType<typeof birthDetailsSchema>>;

/** What to ask the customer to look at again. Takes answers as typed. */
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
