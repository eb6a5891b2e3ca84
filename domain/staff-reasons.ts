import { z } from "zod";

/** Why somebody who works here did something: a closed list, kept with the event. What they would say beyond it is a note. */
export const staffReason = z.enum([
  "customerAsked",
  "groPhoned",
  "groWrote",
  "groWebsite",
  "automationDown",
  "detailsWrong",
  "complaint",
  "goodwill",
  "ourMistake",
  "suspectedFraud",
  "lawRequires",
  "other",
]);
export type StaffReason = z.infer<typeof staffReason>;
