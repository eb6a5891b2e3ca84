import { z } from "zod";
import type { CalendarDate } from "../calendar-date.ts";
import { adoptionAnswers } from "../certificates/adoption.ts";
import { payloadDate } from "./event-date.ts";
import { possiblePayloadDate } from "./possible-date.ts";
import { booleanOr, gro, ignored } from "./request-answers.ts";

/** An adoption's certificateDetails and eventDetails as the server takes them: the form's rules and messages. */

const adoptionCertificate = (today: CalendarDate) =>
  z.object({
    AdoptiveSurname: adoptionAnswers.surname,
    AdoptiveForenames: adoptionAnswers.forenames,
    gender: adoptionAnswers.gender,
    DateOfBirth: payloadDate(today),
    AdoptiveParent1Surname: adoptionAnswers.parent1Surname,
    AdoptiveParent1Forenames: adoptionAnswers.parent1Forenames,
    AdoptiveParent2Surname: adoptionAnswers.parent2Surname,
    AdoptiveParent2Forenames: adoptionAnswers.parent2Forenames,
    DateOfOrder: possiblePayloadDate(today),
    Court: adoptionAnswers.court,
    NumberOfCopies: ignored,
  });

const adoptionEvent = z.object({
  EventRegistrationLocation: adoptionAnswers.registrationLocation,
  EventType: z.literal("Adoption"),
  GROReferenceKnown: adoptionAnswers.groReferenceKnown,
});

/** The parts of a variant that only an adoption has. */
export const adoptionRequest = (today: CalendarDate) => ({
  certificateType: z.literal("Adoption"),
  certificateDetails: adoptionCertificate(today),
  eventDetails: adoptionEvent,
  gro,
  applyingForOwn: booleanOr(false),
  adopted: booleanOr(true),
});
