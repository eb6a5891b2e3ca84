import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, isNotKnown, optional, required, yesOrNo } from "../forms/answers.ts";
import { eventDate, questionYear } from "../forms/event-date.ts";
import { registrationLocations } from "../forms/options.ts";
import { type Question, questions } from "../forms/question.ts";

/** Each question about a marriage; the form and the payload name them differently and ask the same. */
export const marriageAnswers = {
  spouse1Surname: required("Spouse 1's surname is required", 100),
  spouse1Forenames: required("Spouse 1's forenames are required"),
  spouse2Surname: required("Spouse 2's surname is required", 100),
  spouse2Forenames: required("Spouse 2's forenames are required"),
  place: required("Place of marriage is required"),
  registrationDistrict: required("Registration district is required", 100),
  registrationLocation: choice(registrationLocations, "Registration location is required"),
  groReferenceKnown: yesOrNo("Please select Yes or No"),
  groReference: optional(),
};

/** The register is indexed by surname, either spouse's: with neither there is nothing to look for. */
export const surnameNeeded = "Enter the surname of at least one spouse";

/** True when 'I don't know' answers both surnames. */
export const lacksBothSurnames = (surname1: unknown, surname2: unknown): boolean =>
  isNotKnown(surname1) && isNotKnown(surname2);

const surnames = z.object({ spouse1Surname: z.string(), spouse2Surname: z.string() });

/** Step 3 for a marriage. `today` is the day in London. Whoever knows only the year says 'I don't know' for day and month. */
export const marriageDetailsSchema = (today: CalendarDate) =>
  z
    .object({
      spouse1Surname: marriageAnswers.spouse1Surname,
      spouse1Forenames: marriageAnswers.spouse1Forenames,
      spouse2Surname: marriageAnswers.spouse2Surname,
      spouse2Forenames: marriageAnswers.spouse2Forenames,
      dateOfMarriage: eventDate(today),
      placeOfMarriage: marriageAnswers.place,
      registrationLocation: marriageAnswers.registrationLocation,
      registrationDistrict: marriageAnswers.registrationDistrict,
      groReferenceKnown: marriageAnswers.groReferenceKnown,
      groReference: marriageAnswers.groReference,
    })
    .refine((marriage) => !lacksBothSurnames(marriage.spouse1Surname, marriage.spouse2Surname), {
      path: ["spouse2Surname"],
      error: surnameNeeded,
      // Said even while other answers are wrong: otherwise it would come only after all else is right.
      when: ({ value }) => surnames.safeParse(value).success,
    });

export type MarriageDetailsInput = z.input<ReturnType<typeof marriageDetailsSchema>>;
export type MarriageDetails = z.output<ReturnType<typeof marriageDetailsSchema>>;

/** What to ask the customer to look at again. Takes answers as typed. */
export const questionMarriageDetails = (
  answers: { dateOfMarriage: { year: unknown } },
  today: CalendarDate,
): Question[] => questions(questionYear("dateOfMarriage.year", answers.dateOfMarriage.year, today));
