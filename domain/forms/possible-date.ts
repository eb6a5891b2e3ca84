import { z } from "zod";
import type { CalendarDate, MonthName } from "../calendar-date.ts";
import { orNothing } from "./answers.ts";
import { dateProblem, dayNumber, monthName, year } from "./event-date.ts";

/** A date that may be left out, or known in part: what is not known is null. */
export interface PossibleDate {
  readonly day: number | null;
  readonly month: MonthName | null;
  readonly year: number | null;
}

const notGiven: PossibleDate = { day: null, month: null, year: null };

/** What is wrong with it: a day or month without a year, or what is wrong with any date. */
function problemOf({ day, month, year }: PossibleDate, today: CalendarDate) {
  if (year !== null) return dateProblem({ day, month, year }, today);
  if (day === null && month === null) return undefined;
  return { part: "year" as const, message: "Year is required" };
}

const parts = { day: orNothing(dayNumber), month: orNothing(monthName), year: orNothing(year) };

/** A date as the forms ask for it, which may be left out. */
export const possibleDate = (today: CalendarDate) =>
  z
    .object(parts)
    .superRefine((date, context) => {
      const problem = problemOf(date, today);
      if (problem) context.addIssue({ code: "custom", path: [problem.part], message: problem.message });
    })
    .nullish()
    .transform((date): PossibleDate => date ?? notGiven);

/** The same date as payloads have it. */
export const possiblePayloadDate = (today: CalendarDate) =>
  z
    .object({ Day: parts.day, Month: parts.month, Year: parts.year })
    .superRefine((date, context) => {
      const problem = problemOf({ day: date.Day, month: date.Month, year: date.Year }, today);
      if (!problem) return;
      const part = problem.part === "day" ? "Day" : "Year";
      context.addIssue({ code: "custom", path: [part], message: problem.message });
    })
    .nullish()
    .transform((date) => date ?? { Day: null, Month: null, Year: null });
