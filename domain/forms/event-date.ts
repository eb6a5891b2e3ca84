import { z } from "zod";
import { type CalendarDate, calendarDate, daysIn, type MonthName, months, yearOf } from "../calendar-date.ts";
import { choice, notKnown, orNothing, orNotKnown, wholeNumber } from "./answers.ts";
import type { Question } from "./question.ts";

/** The first year of civil registration in England and Wales. */
export const firstRegisteredYear = 1837;

const dayMessage = "Day is required";
const monthMessage = "Month is required";
const yearMessage = "Year is required";
const pastMessage = "The date must be in the past";

/** 1 to 31, as typed. */
const dayNumber = wholeNumber({ least: 1, most: 31 }, dayMessage);
const monthName = choice(months, monthMessage);
const day = orNotKnown(dayNumber);
const month = orNotKnown(monthName);
const year = wholeNumber({ least: 1000, most: 9999 }, yearMessage, "Enter a year with 4 digits, like 1925");

/** A year, with the form's own message. */
export const yearNamed = (message: string) =>
  wholeNumber({ least: 1000, most: 9999 }, message, "Enter a year with 4 digits, like 1925");

/** Day and month are null where they are not known. */
interface EventDate {
  readonly day: number | null;
  readonly month: MonthName | null;
  readonly year: number;
}

/** The error in a complete date: its day does not exist, or it is in the future. */
function dateProblem(
  { day, month, year }: EventDate,
  today: CalendarDate,
): { part: "day" | "year"; message: string } | undefined {
  if (month === null) return year > yearOf(today) ? { part: "year", message: pastMessage } : undefined;
  const last = daysIn(month, year);
  if (day !== null && day > last) return { part: "day", message: `${month} ${year} has only ${last} days` };
  return calendarDate(year, month, day ?? 1) > today ? { part: "year", message: pastMessage } : undefined;
}

/** A date as the forms ask for it: three answers, in the past, its day within its month. */
const eventDate = (today: CalendarDate) =>
  z.object({ day, month, year }).superRefine((date, context) => {
    const problem = dateProblem(date, today);
    if (problem) context.addIssue({ code: "custom", path: [problem.part], message: problem.message });
  });

/** The same date as section 3's payloads have it. */
const payloadDate = (today: CalendarDate) =>
  z.object({ Day: day, Month: month, Year: year }).superRefine((date, context) => {
    const problem = dateProblem({ day: date.Day, month: date.Month, year: date.Year }, today);
    if (!problem) return;
    const part = problem.part === "day" ? "Day" : "Year";
    context.addIssue({ code: "custom", path: [part], message: problem.message });
  });

/** An optional or partial date; unknown parts are null. */
interface PossibleDate {
  readonly day: number | null;
  readonly month: MonthName | null;
  readonly year: number | null;
}

const notGiven: PossibleDate = { day: null, month: null, year: null };

/** The error in it: a day or month without a year, or any error of a complete date. */
function problemOf({ day, month, year }: PossibleDate, today: CalendarDate) {
  if (year !== null) return dateProblem({ day, month, year }, today);
  if (day === null && month === null) return undefined;
  return { part: "year" as const, message: "Year is required" };
}

const parts = { day: orNothing(dayNumber), month: orNothing(monthName), year: orNothing(year) };

/** An optional date as the forms ask for it. */
const possibleDate = (today: CalendarDate) =>
  z
    .object(parts)
    .superRefine((date, context) => {
      const problem = problemOf(date, today);
      if (problem) context.addIssue({ code: "custom", path: [problem.part], message: problem.message });
    })
    .nullish()
    .transform((date): PossibleDate => date ?? notGiven);

/** The same date as payloads have it. */
const possiblePayloadDate = (today: CalendarDate) =>
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

/** Both schemas of a date, the form's and the payload's, and the answer that stands for a null part. */
export interface DateRule {
  readonly form: (today: CalendarDate) => z.ZodType;
  readonly payload: (today: CalendarDate) => z.ZodType;
  readonly unknownPart: string;
}
export const dateAsked = { form: eventDate, payload: payloadDate, unknownPart: notKnown } as const;
/** The same for an optional date. */
export const optionalDate = {
  form: possibleDate,
  payload: possiblePayloadDate,
  unknownPart: "",
} as const;

/** The year in a typed answer; undefined if it is not a whole number. */
export function typedYear(answer: unknown): number | undefined {
  const number = typeof answer === "number" ? answer : Number(String(answer ?? "").trim() || Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}

/** Questions a year before civil registration, or in the future. */
export function questionYear(field: string, year: unknown, today: CalendarDate): Question | undefined {
  const number = typedYear(year);
  if (number === undefined) return undefined;
  if (number < firstRegisteredYear) {
    return { field, message: `Registration began in ${firstRegisteredYear}. Is ${number} right?` };
  }
  return number > yearOf(today)
    ? { field, message: `${number} is in the future. Is that right?` }
    : undefined;
}
