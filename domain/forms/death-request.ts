import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { deathAnswers } from "../certificates/death.ts";
import { payloadDate } from "./event-date.ts";
import { booleanOr, gro, ignored } from "./request-answers.ts";

/** A death's certificateDetails and eventDetails as the server takes them: section 3's keys, the form's rules and messages. */

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

/** The parts of a variant that only a death has. */
export const deathRequest = (today: CalendarDate) => ({
  certificateType: z.literal("Death"),
  certificateDetails: deathCertificate(today),
  eventDetails: deathEvent,
  gro,
  applyingForOwn: booleanOr(false),
  adopted: booleanOr(false),
});
