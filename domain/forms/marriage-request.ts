import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { payloadDate } from "./event-date.ts";
import { lacksBothSurnames, marriageAnswers, surnameNeeded } from "../certificates/marriage.ts";
import { booleanOr, gro, ignored } from "./request-answers.ts";

/** A marriage's certificateDetails and eventDetails as the server takes them: the form's rules and messages. */

const marriageCertificate = (today: CalendarDate) =>
  z.object({
    Spouse1Surname: marriageAnswers.spouse1Surname,
    Spouse1Forenames: marriageAnswers.spouse1Forenames,
    Spouse2Surname: marriageAnswers.spouse2Surname,
    Spouse2Forenames: marriageAnswers.spouse2Forenames,
    DateOfMarriage: payloadDate(today),
    PlaceOfMarriage: marriageAnswers.place,
    RegistrationDistrict: marriageAnswers.registrationDistrict,
    NumberOfCopies: ignored,
  });

const marriageEvent = z.object({
  EventRegistrationLocation: marriageAnswers.registrationLocation,
  EventType: z.literal("Marriage"),
  GROReferenceKnown: marriageAnswers.groReferenceKnown,
});

/** The parts of a variant that only a marriage has. */
export const marriageRequest = (today: CalendarDate) => ({
  certificateType: z.literal("Marriage"),
  certificateDetails: marriageCertificate(today),
  eventDetails: marriageEvent,
  gro,
  applyingForOwn: booleanOr(false),
  adopted: booleanOr(false),
});

/** What a marriage lacks to be looked for, as payload path and message. */
export const lackingOfMarriage = (
  certificate: z.output<ReturnType<typeof marriageCertificate>>,
): { path: string[]; message: string }[] =>
  lacksBothSurnames(certificate.Spouse1Surname, certificate.Spouse2Surname)
    ? [{ path: ["certificateDetails", "Spouse2Surname"], message: surnameNeeded }]
    : [];
