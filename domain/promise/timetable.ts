import { type CalendarDate, daysAfter } from "../calendar-date.ts";
import type { Instant } from "../instant.ts";
import { londonDate, londonTime } from "./london-time.ts";

/**
 * What reaches the GRO before this hour in London on a working day counts for that day. Source: SI 2016/911, regulation
 * 2.
 */
export const cutOffHour = 16;

/** Working days from receipt to despatch. Source: the terms, section 1 of the commission. */
export const despatchWorkingDays = { standard: 15, priority: 1 } as const;

/** Working days of processing as they are advertised: '7-10' and '1-3'. */
const processingWorkingDays = {
  standard: { least: 7, most: 10 },
  priority: { least: 1, most: 3 },
} as const;

interface DespatchPromise {
  /** The working day for which the GRO counts it as received. */
  readonly receivedOn: CalendarDate;
  readonly despatchBy: CalendarDate;
}

/** The working day that a moment counts for at the GRO. */
export function receivedOn(at: Instant): CalendarDate {
  const { date, hour } = londonTime(at);
  return isWorkingDay(date) && hour < cutOffHour ? date : nextWorkingDay(date);
}

/** What is promised when the GRO is asked at that moment; an estimate until it is. */
export function promiseOf(serviceLevel: "standard" | "priority", at: Instant): DespatchPromise {
  const received = receivedOn(at);
  return { receivedOn: received, despatchBy: addWorkingDays(received, despatchWorkingDays[serviceLevel]) };
}

/** The one description of how long an order takes. Pages, mails and canned answers take their words from here. */

type ServiceLevel = "standard" | "priority";

/** Working days that the post usually needs. Our estimate: neither we nor the GRO promise it. */
const postWorkingDays = { least: 2, most: 3 } as const;

/** After so many working days without the certificate we ask the GRO. */
export const missingAfterWorkingDays = 10;

/** After so many working days an order is closed whose customer has not reported that the certificate arrived. */
export const closedAfterWorkingDays = 20;

/** What follows the despatch of a certificate. */
interface AfterDespatch {
  readonly despatchedOn: CalendarDate;
  /** When it is likely to have arrived. */
  readonly arrivalBy: CalendarDate;
  /** From this working day on the GRO can be asked to send another. */
  readonly missingFrom: CalendarDate;
  /** The order is closed when this working day begins, unless its customer reports the arrival before. */
  readonly closesOn: CalendarDate;
}

export function afterDespatch(dispatchedAt: Instant): AfterDespatch {
  const despatchedOn = londonDate(dispatchedAt);
  return {
    despatchedOn,
    arrivalBy: arrivalBy(despatchedOn),
    missingFrom: addWorkingDays(despatchedOn, missingAfterWorkingDays),
    closesOn: addWorkingDays(despatchedOn, closedAfterWorkingDays),
  };
}

/** The shortest whole time, with Priority: the working day that the GRO counts from, its despatch, and the post. */
export const fastestWorkingDays = 1 + despatchWorkingDays.priority + postWorkingDays.most;

/** The working day by which a certificate is likely to arrive that is despatched on a day. */
export const arrivalBy = (despatchBy: CalendarDate): CalendarDate =>
  addWorkingDays(despatchBy, postWorkingDays.most);

const range = ({ least, most }: { least: number; most: number }, to: string): string =>
  `${least}${to}${most}`;

/** As specified; `processingMeaning` explains it. */
export const processingWords = (level: ServiceLevel): string =>
  `Processing within ${range(processingWorkingDays[level], "-")} working days`;

export const processingMeaning =
  "Processing times are a guide to how long the GRO’s own work takes. Rely on the despatch date, which is counted from the day the GRO receives your application.";

/** When we submit, after 'We submit your application' or 'Submission:'. */
export const submissionWords = (byHand: boolean): string =>
  byHand ? "by hand after your payment" : "usually within minutes of your payment";

/** When the GRO despatches, after 'despatched' or 'Despatch:'. */
export const despatchWords: Readonly<Record<ServiceLevel, string>> = {
  standard: `about ${despatchWorkingDays.standard} working days after the GRO receives the application`,
  priority: "on the next working day after the GRO receives the application",
};

/** `2 to 3 working days`. */
export const postWords = `${range(postWorkingDays, " to ")} working days`;

export const cutOffWords = `An application that the GRO receives by ${cutOffHour}:00 on a working day counts as received that day. After that, it counts as received on the next working day.`;

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
function addWorkingDays(date: CalendarDate, days: number): CalendarDate {
  return days === 0 ? date : addWorkingDays(nextWorkingDay(date), days - 1);
}
