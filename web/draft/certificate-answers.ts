import * as z from "zod/mini";
import { birthCountries, registrationLocations } from "../../domain/forms/options.ts";
import { text } from "./typed-text.ts";

const dateAnswers = z.object({ day: text(), month: text(), year: text() });

/** The birth form, as typed. Yes and no are the values of radio buttons. */
export const birthAnswers = z.object({
  birthCountry: text(birthCountries[0]),
  placeOfBirth: text(),
  surnameAtBirth: text(),
  forenamesAtBirth: text(),
  gender: text(),
  dateOfBirth: dateAnswers,
  fatherSurname: text(),
  fatherForename: text(),
  motherForename: text(),
  motherMaidenName: text(),
  motherSurname: text(),
  registrationLocation: text(registrationLocations[0]),
  yearRegistered: text(),
  groReferenceKnown: text(),
  groReference: text(),
  applyingForOwn: text("yes"),
  adopted: text(),
});

/** The death form, as typed. */
export const deathAnswers = z.object({
  deceasedForename: text(),
  deceasedSurname: text(),
  gender: text(),
  dateOfDeath: dateAnswers,
  placeOfDeath: text(),
  ageAtDeath: text(),
  motherForenames: text(),
  motherSurname: text(),
  fatherForenames: text(),
  fatherSurname: text(),
  occupation: text(),
  maritalStatus: text(),
  registrationLocation: text(registrationLocations[0]),
  groReferenceKnown: text(),
  groReference: text(),
});

/** The marriage form, as typed. */
export const marriageAnswers = z.object({
  spouse1Surname: text(),
  spouse1Forenames: text(),
  spouse2Surname: text(),
  spouse2Forenames: text(),
  dateOfMarriage: dateAnswers,
  placeOfMarriage: text(),
  registrationLocation: text(registrationLocations[0]),
  registrationDistrict: text(),
  groReferenceKnown: text(),
  groReference: text(),
});

/** The adoption form, as typed. */
export const adoptionAnswers = z.object({
  adoptiveSurname: text(),
  adoptiveForenames: text(),
  gender: text(),
  dateOfBirth: dateAnswers,
  adoptiveParent1Surname: text(),
  adoptiveParent1Forenames: text(),
  adoptiveParent2Surname: text(),
  adoptiveParent2Forenames: text(),
  dateOfOrder: dateAnswers,
  court: text(),
  registrationLocation: text(registrationLocations[0]),
  groReferenceKnown: text(),
  groReference: text(),
});

/** An empty form. */
const emptyBirth = () => birthAnswers.parse({ dateOfBirth: {} });
const emptyDeath = () => deathAnswers.parse({ dateOfDeath: {} });
const emptyMarriage = () => marriageAnswers.parse({ dateOfMarriage: {} });
const emptyAdoption = () => adoptionAnswers.parse({ dateOfBirth: {}, dateOfOrder: {} });

/** Step 3's answers, one set for each form. A form that what is stored does not know yet starts empty. */
export const certificateAnswers = z.object({
  birth: z.catch(birthAnswers, emptyBirth),
  death: z.catch(deathAnswers, emptyDeath),
  marriage: z.catch(marriageAnswers, emptyMarriage),
  adoption: z.catch(adoptionAnswers, emptyAdoption),
});

export type CertificateAnswers = z.infer<typeof certificateAnswers>;

/** All four forms with nothing filled in but the defaults. */
export const emptyAnswers = (): CertificateAnswers => certificateAnswers.parse({});
