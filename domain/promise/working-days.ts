import type { CalendarDate } from "../calendar-date.ts";
import { bankHolidays } from "./bank-holidays.ts";

const noon = (date: CalendarDate): Date => new Date(`${date}T12:00:00Z`);

const dayAfter = (date: CalendarDate): CalendarDate =>
  new Date(noon(date).getTime() + 86_400_000).toISOString().slice(0, 10);

/** True on Monday to Friday but for the bank holidays of England and Wales. */
export function isWorkingDay(date: CalendarDate): boolean {
  const weekday = noon(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays.has(date);
}

/** The first working day after a date. */
export function nextWorkingDay(date: CalendarDate): CalendarDate {
  const next = dayAfter(date);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** So many working days after a date. */
export function addWorkingDays(date: CalendarDate, days: number): CalendarDate {
  return days === 0 ? date : addWorkingDays(nextWorkingDay(date), days - 1);
}
