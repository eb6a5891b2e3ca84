/** A calendar day as ISO text, `2026-11-21`; string order is date order. */
export type CalendarDate = string;

export const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
export type MonthName = (typeof months)[number];

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

export function daysIn(month: MonthName, year: number): number {
  if (month === "February" && isLeap(year)) return 29;
  return lengths[months.indexOf(month)] ?? 31;
}

export function calendarDate(year: number, month: MonthName, day: number): CalendarDate {
  const two = (number: number) => String(number).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(months.indexOf(month) + 1)}-${two(day)}`;
}

const dayMs = 86_400_000;
// Noon avoids shifts by clock changes.
const noonOf = (date: CalendarDate): number => Date.parse(`${date}T12:00:00Z`);

/** Adds days, or subtracts if negative. */
export const daysAfter = (date: CalendarDate, days: number): CalendarDate =>
  new Date(noonOf(date) + days * dayMs).toISOString().slice(0, 10);

/** Days from the first to the second; negative if the second is earlier. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  Math.round((noonOf(to) - noonOf(from)) / dayMs);

export const yearOf = (date: CalendarDate): number => Number(date.slice(0, 4));
