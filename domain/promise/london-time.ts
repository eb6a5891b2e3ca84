import type { CalendarDate } from "../calendar-date.ts";
import type { Instant } from "../instant.ts";

const london = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  hourCycle: "h23",
});

/** The day and the hour (0 to 23) that a clock in London shows at a moment, summer time included. */
export function londonTime(at: Instant): { date: CalendarDate; hour: number } {
  const parts = new Map(london.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`,
    hour: Number(parts.get("hour")),
  };
}

/** The day in London at a moment: the `today` of forms and promises. */
export const londonDate = (at: Instant): CalendarDate => londonTime(at).date;

/** When a day begins in London: at midnight in UTC, or an hour before it in summer. */
export function startOfDay(date: CalendarDate): string {
  const midnight = Date.parse(`${date}T00:00:00.000Z`);
  const summer = new Date(midnight - 3_600_000).toISOString();
  return londonDate(summer) === date ? summer : new Date(midnight).toISOString();
}
