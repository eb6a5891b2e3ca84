import { type CalendarDate, daysAfter } from "../calendar-date.ts";
import { bankHolidays } from "./bank-holidays.ts";

/** True on Monday to Friday but for the bank holidays of England and Wales. */
export function isWorkingDay(date: CalendarDate): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays.has(date);
}

/** The first working day after a date. */
export function nextWorkingDay(date: CalendarDate): CalendarDate {
  const next = daysAfter(date, 1);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** So many working days after a date. */
export function addWorkingDays(date: CalendarDate, days: number): CalendarDate {
  return days === 0 ? date : addWorkingDays(nextWorkingDay(date), days - 1);
}
