import { type CalendarDate, daysAfter } from "../calendar-date.ts";

/**
 * Bank holidays of England and Wales, substitute days included. Source: GOV.UK, bank holidays, and its rules for later
 * years. After the last year only weekends are skipped: extend the list before then.
 */
const bankHolidays: ReadonlySet<CalendarDate> = new Set([
  ...[
    "2025-01-01",
    "2025-04-18",
    "2025-04-21",
    "2025-05-05",
    "2025-05-26",
    "2025-08-25",
    "2025-12-25",
    "2025-12-26",
  ],
  ...[
    "2026-01-01",
    "2026-04-03",
    "2026-04-06",
    "2026-05-04",
    "2026-05-25",
    "2026-08-31",
    "2026-12-25",
    "2026-12-28",
  ],
  ...[
    "2027-01-01",
    "2027-03-26",
    "2027-03-29",
    "2027-05-03",
    "2027-05-31",
    "2027-08-30",
    "2027-12-27",
    "2027-12-28",
  ],
  ...[
    "2028-01-03",
    "2028-04-14",
    "2028-04-17",
    "2028-05-01",
    "2028-05-29",
    "2028-08-28",
    "2028-12-25",
    "2028-12-26",
  ],
  ...[
    "2029-01-01",
    "2029-03-30",
    "2029-04-02",
    "2029-05-07",
    "2029-05-28",
    "2029-08-27",
    "2029-12-25",
    "2029-12-26",
  ],
  ...[
    "2030-01-01",
    "2030-04-19",
    "2030-04-22",
    "2030-05-06",
    "2030-05-27",
    "2030-08-26",
    "2030-12-25",
    "2030-12-26",
  ],
]);

/** True on Monday to Friday but for the bank holidays of England and Wales. */
export function isWorkingDay(date: CalendarDate): boolean {
  const weekday = new Date(date).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !bankHolidays.has(date);
}

export function nextWorkingDay(date: CalendarDate): CalendarDate {
  const next = daysAfter(date, 1);
  return isWorkingDay(next) ? next : nextWorkingDay(next);
}

/** So many working days after a date. */
export function addWorkingDays(date: CalendarDate, days: number): CalendarDate {
  return days === 0 ? date : addWorkingDays(nextWorkingDay(date), days - 1);
}
