import type { BirthDetails } from "./birth-details.ts";
import type { DeathDetails } from "./death-details.ts";

/** Section 3's certificateDetails and eventDetails, key by key, from validated forms. */

export interface Counts {
  readonly fullCopies: number;
  readonly shortCopies: number;
}

/** `DateOfBirth` and `DateOfDeath`: null stands for 'I don't know'. */
const payloadDateOf = ({ day, month, year }: BirthDetails["dateOfBirth"]) => ({
  Day: day,
  Month: month,
  Year: year,
});

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
