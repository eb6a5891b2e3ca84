import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { choice, optional, required, yesOrNo } from "../forms/answers.ts";
import { eventDate, firstRegisteredYear, questionYear, typedYear } from "../forms/event-date.ts";
import { genders, registrationLocations } from "../forms/options.ts";
import { possibleDate } from "../forms/possible-date.ts";
import { type Question, questions } from "../forms/question.ts";

/** The Adopted Children Register begins on 1 January 1927. Source: Adoption of Children Act 1926. */
export const firstAdoptionYear = 1927;

/** Each question about an adoption; the form and the payload name them differently and ask the same. */
export const adoptionAnswers = {
  surname: required("Adoptive surname is required", 100),
  forenames: required("Adoptive forenames are required"),
  gender: choice(genders, "Gender is required"),
  parent1Surname: required("Adoptive parent 1's surname is required", 100),
  parent1Forenames: required("Adoptive parent 1's forenames are required"),
  /** One person may adopt alone. */
  parent2Surname: optional(100),
  parent2Forenames: optional(),
  court: optional(),
  registrationLocation: choice(registrationLocations, "Registration location is required"),
  groReferenceKnown: yesOrNo("Please select Yes or No"),
  groReference: optional(),
};

/** Step 3 for an adoption. `today` is the day in London. The date of the order and the court may be left out. */
export const adoptionDetailsSchema = (today: CalendarDate) =>
  z.object({
    adoptiveSurname: adoptionAnswers.surname,
    adoptiveForenames: adoptionAnswers.forenames,
    gender: adoptionAnswers.gender,
    dateOfBirth: eventDate(today),
    adoptiveParent1Surname: adoptionAnswers.parent1Surname,
    adoptiveParent1Forenames: adoptionAnswers.parent1Forenames,
    adoptiveParent2Surname: adoptionAnswers.parent2Surname,
    adoptiveParent2Forenames: adoptionAnswers.parent2Forenames,
    dateOfOrder: possibleDate(today),
    court: adoptionAnswers.court,
    registrationLocation: adoptionAnswers.registrationLocation,
    groReferenceKnown: adoptionAnswers.groReferenceKnown,
    groReference: adoptionAnswers.groReference,
  });

export type AdoptionDetailsInput = z.input<ReturnType<typeof adoptionDetailsSchema>>;
export type AdoptionDetails = z.output<ReturnType<typeof adoptionDetailsSchema>>;

interface TypedAdoption {
  readonly dateOfBirth: { readonly year: unknown };
  readonly dateOfOrder?: { readonly year?: unknown } | null | undefined;
}

/** What to ask the customer to look at again. Takes answers as typed. */
export function questionAdoptionDetails(answers: TypedAdoption, today: CalendarDate): Question[] {
  const born = typedYear(answers.dateOfBirth.year);
  return questions(
    questionYear("dateOfBirth.year", answers.dateOfBirth.year, today),
    questionOrder(typedYear(answers.dateOfOrder?.year), born, today),
  );
}

/** At most one question about the year of the order: the one that explains most. */
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
