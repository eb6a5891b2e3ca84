import type { CalendarDate } from "../calendar-date.ts";
import type { Instant } from "../instant.ts";
import { londonTime } from "./london-time.ts";
import { addWorkingDays, isWorkingDay, nextWorkingDay } from "./working-days.ts";

/**
 * What reaches the GRO before this hour in London on a working day counts for that day. Source: SI 2016/911, regulation
 * 2.
 */
export const cutOffHour = 16;

/** Working days from receipt to despatch. Source: the terms, section 1 of the commission. */
export const despatchWorkingDays = { standard: 15, priority: 1 } as const;

/** Working days of processing as they are advertised: '7-10' and '1-3'. */
export const processingWorkingDays = {
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
