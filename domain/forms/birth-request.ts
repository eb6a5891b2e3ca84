import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { isNotKnown } from "./answers.ts";
import { birthAnswers } from "../certificates/birth.ts";
import { payloadDate } from "./event-date.ts";
import { isRecent, partsOfRecentBirth, recentBirthMessages } from "./recent-birth.ts";
import { gro, ignored } from "./request-answers.ts";

/** A birth's certificateDetails and eventDetails as the server takes them: section 3's keys, the form's rules and messages. */

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
