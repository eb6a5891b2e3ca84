import type { AdoptionDetails } from "./adoption.ts";
import type { BirthDetails } from "./birth.ts";
import type { DeathDetails } from "./death.ts";
import type { MarriageDetails } from "./marriage.ts";
import type { PossibleDate } from "../forms/possible-date.ts";

/** Section 3's certificateDetails and eventDetails, key by key, from validated forms. */

export interface Counts {
  readonly fullCopies: number;
  readonly shortCopies: number;
}

/** `DateOfBirth` and the like: null stands for 'I don't know'. */
const payloadDateOf = <PossibleYear extends number | null>(
  date: PossibleDate & { readonly year: PossibleYear },
) => ({ Day: date.day, Month: date.month, Year: date.year });

/** A birth's certificateDetails. */
export const birthCertificateDetails = (birth: BirthDetails, { fullCopies, shortCopies }: Counts) => ({
  BirthCountry: birth.birthCountry,
  PlaceOfBirth: birth.placeOfBirth,
  SurnameAtBirth: birth.surnameAtBirth,
  ForenamesAtBirth: birth.forenamesAtBirth,
  gender: birth.gender,
  DateOfBirth: payloadDateOf(birth.dateOfBirth),
  FatherSurname: birth.fatherSurname,
  FatherForename: birth.fatherForename,
  MotherForename: birth.motherForename,
  MotherMaidenName: birth.motherMaidenName,
  MotherSurname: birth.motherSurname,
  NumberOfCopies: fullCopies + shortCopies,
});

/** A birth's eventDetails. */
export const birthEventDetails = (birth: BirthDetails) => ({
  EventRegistrationLocation: birth.registrationLocation,
  EventType: "Birth" as const,
  YearRegistered: birth.yearRegistered,
  GROReferenceKnown: birth.groReferenceKnown,
});

/** A death's certificateDetails. The parents' forenames go under both names that the specification lists. */
export const deathCertificateDetails = (death: DeathDetails, { fullCopies, shortCopies }: Counts) => ({
  DeceasedName: `${death.deceasedForename} ${death.deceasedSurname}`,
  DeathSurname: death.deceasedSurname,
  DeathForename: death.deceasedForename,
  DateOfDeath: payloadDateOf(death.dateOfDeath),
  PlaceOfDeath: death.placeOfDeath,
  AgeAtDeath: death.ageAtDeath,
  MotherForename: death.motherForenames,
  MotherForenames: death.motherForenames,
  MotherSurname: death.motherSurname,
  FatherForename: death.fatherForenames,
  FatherForenames: death.fatherForenames,
  FatherSurname: death.fatherSurname,
  Occupation: death.occupation,
  MaritalStatus: death.gender === "Female" ? (death.maritalStatus ?? "") : "",
  gender: death.gender,
  NumberOfCopies: fullCopies + shortCopies,
});

/** A death's eventDetails. */
export const deathEventDetails = (death: DeathDetails) => ({
  EventRegistrationLocation: death.registrationLocation,
  EventType: "Death" as const,
  GROReferenceKnown: death.groReferenceKnown,
});

/** A marriage's certificateDetails. */
export const marriageCertificateDetails = (
  marriage: MarriageDetails,
  { fullCopies, shortCopies }: Counts,
) => ({
  Spouse1Surname: marriage.spouse1Surname,
  Spouse1Forenames: marriage.spouse1Forenames,
  Spouse2Surname: marriage.spouse2Surname,
  Spouse2Forenames: marriage.spouse2Forenames,
  DateOfMarriage: payloadDateOf(marriage.dateOfMarriage),
  PlaceOfMarriage: marriage.placeOfMarriage,
  RegistrationDistrict: marriage.registrationDistrict,
  NumberOfCopies: fullCopies + shortCopies,
});

/** A marriage's eventDetails. */
export const marriageEventDetails = (marriage: MarriageDetails) => ({
  EventRegistrationLocation: marriage.registrationLocation,
  EventType: "Marriage" as const,
  GROReferenceKnown: marriage.groReferenceKnown,
});

/** An adoption's certificateDetails. */
export const adoptionCertificateDetails = (
  adoption: AdoptionDetails,
  { fullCopies, shortCopies }: Counts,
) => ({
  AdoptiveSurname: adoption.adoptiveSurname,
  AdoptiveForenames: adoption.adoptiveForenames,
  gender: adoption.gender,
  DateOfBirth: payloadDateOf(adoption.dateOfBirth),
  AdoptiveParent1Surname: adoption.adoptiveParent1Surname,
  AdoptiveParent1Forenames: adoption.adoptiveParent1Forenames,
  AdoptiveParent2Surname: adoption.adoptiveParent2Surname,
  AdoptiveParent2Forenames: adoption.adoptiveParent2Forenames,
  DateOfOrder: payloadDateOf(adoption.dateOfOrder),
  Court: adoption.court,
  NumberOfCopies: fullCopies + shortCopies,
});

/** An adoption's eventDetails. */
export const adoptionEventDetails = (adoption: AdoptionDetails) => ({
  EventRegistrationLocation: adoption.registrationLocation,
  EventType: "Adoption" as const,
  GROReferenceKnown: adoption.groReferenceKnown,
});
