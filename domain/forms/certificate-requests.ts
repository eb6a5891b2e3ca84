import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { isNotKnown } from "./answers.ts";
import { birthAnswers } from "./birth-details.ts";
import { deathAnswers } from "./death-details.ts";
import { payloadDate } from "./event-date.ts";
import type { RegistrationLocation } from "./options.ts";
import { isRecent, partsOfRecentBirth, recentBirthMessages } from "./recent-birth.ts";
import { otherOfficeFor } from "./registration-office.ts";

/** certificateDetails and eventDetails as the server takes them: section 3's keys, the forms' rules and messages. */

const gro = z
  .union([z.string().trim().max(200, "Use 200 characters or fewer"), z.boolean()])
  .nullish()
  .transform((answer) => (typeof answer === "string" ? answer : ""));

const ignored = z.unknown().optional();

const birthCertificate = (today: CalendarDate) =>
  z.object({
    BirthCountry: birthAnswers.country,
    PlaceOfBirth: birthAnswers.place,
    SurnameAtBirth: birthAnswers.surname,
    ForenamesAtBirth: birthAnswers.forenames,
    gender: birthAnswers.gender,
    DateOfBirth: payloadDate(today),
    FatherSurname: birthAnswers.fatherSurname,
    FatherForename: birthAnswers.fatherForename,
    MotherForename: birthAnswers.motherForename,
    MotherMaidenName: birthAnswers.motherMaidenName,
    MotherSurname: birthAnswers.motherSurname,
    /** Counted again from the quantities. */
    NumberOfCopies: ignored,
  });

const birthEvent = z.object({
  EventRegistrationLocation: birthAnswers.registrationLocation,
  EventType: z.literal("Birth"),
  YearRegistered: birthAnswers.yearRegistered,
  GROReferenceKnown: birthAnswers.groReferenceKnown,
});

/** Where each part that a recent birth needs stands in the payload. */
const paths = {
  place: ["certificateDetails", "PlaceOfBirth"],
  day: ["certificateDetails", "DateOfBirth", "Day"],
  month: ["certificateDetails", "DateOfBirth", "Month"],
  motherForename: ["certificateDetails", "MotherForename"],
  motherMaidenName: ["certificateDetails", "MotherMaidenName"],
  motherSurname: ["certificateDetails", "MotherSurname"],
};

/** The parts of a variant that only a birth has. */
export const birthRequest = (today: CalendarDate) => ({
  certificateType: z.literal("Birth"),
  certificateDetails: birthCertificate(today),
  eventDetails: birthEvent,
  gro,
  applyingForOwn: birthAnswers.applyingForOwn,
  adopted: birthAnswers.adopted,
});

/** What a recent birth lacks, as payload path and message. */
export function lackingOfBirth(
  certificate: z.output<ReturnType<typeof birthCertificate>>,
  yearRegistered: number,
  today: CalendarDate,
): { path: string[]; message: string }[] {
  if (!isRecent(yearRegistered, today)) return [];
  const answers = {
    place: certificate.PlaceOfBirth,
    day: certificate.DateOfBirth.Day,
    month: certificate.DateOfBirth.Month,
    motherForename: certificate.MotherForename,
    motherMaidenName: certificate.MotherMaidenName,
    motherSurname: certificate.MotherSurname,
  };
  return partsOfRecentBirth
    .filter((part) => isNotKnown(answers[part]))
    .map((part) => ({ path: paths[part], message: recentBirthMessages[part] }));
}

const deathCertificate = (today: CalendarDate) =>
  z.object({
    /** Joined again from forename and surname. */
    DeceasedName: ignored,
    DeathSurname: deathAnswers.surname,
    DeathForename: deathAnswers.forename,
    DateOfDeath: payloadDate(today),
    PlaceOfDeath: deathAnswers.place,
    AgeAtDeath: deathAnswers.age,
    /** The same answer under a second name; the plural one counts. */
    MotherForename: ignored,
    MotherForenames: deathAnswers.motherForenames,
    MotherSurname: deathAnswers.motherSurname,
    FatherForename: ignored,
    FatherForenames: deathAnswers.fatherForenames,
    FatherSurname: deathAnswers.fatherSurname,
    Occupation: deathAnswers.occupation,
    MaritalStatus: deathAnswers.maritalStatus,
    gender: deathAnswers.gender,
    NumberOfCopies: ignored,
  });

const deathEvent = z.object({
  EventRegistrationLocation: deathAnswers.registrationLocation,
  EventType: z.literal("Death"),
  GROReferenceKnown: deathAnswers.groReferenceKnown,
});

const falseUnlessGiven = z
  .boolean()
  .nullish()
  .transform((answer) => answer ?? false);

/** The parts of a variant that only a death has. */
export const deathRequest = (today: CalendarDate) => ({
  certificateType: z.literal("Death"),
  certificateDetails: deathCertificate(today),
  eventDetails: deathEvent,
  gro,
  applyingForOwn: falseUnlessGiven,
  adopted: falseUnlessGiven,
});

/** Why a certificate registered there cannot be ordered here, or undefined when it can. */
export const cannotOrderHere = (location: RegistrationLocation): string | undefined =>
  otherOfficeFor(location)?.advice;
