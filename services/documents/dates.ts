import { arrivalBy, postWords } from "../../domain/promise/timetable.ts";

/** Dates in words, as mails, documents and pages of staff write them. */

const day = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const londonDay = new Intl.DateTimeFormat("en-GB", { ...day, timeZone: "Europe/London" });
const londonClock = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
// A calendar date has no time zone; formatting in UTC keeps the day.
const calendarDay = new Intl.DateTimeFormat("en-GB", { ...day, timeZone: "UTC" });

/** `Saturday 21 November 2026`, from `2026-11-21`. */
export const writtenDate = (date: string): string => calendarDay.format(new Date(date)).replace(",", "");

/** `Saturday 21 November 2026 at 09:30` in London time, from a time in UTC. */
export const writtenMoment = (instant: string): string => {
  const at = new Date(instant);
  return `${londonDay.format(at).replace(",", "")} at ${londonClock.format(at)}`;
};

/** Expected dates, from the promised day of despatch. */
export const expectedDays = (despatchBy: string): string =>
  `We expect the GRO to despatch your certificate by ${writtenDate(despatchBy)}. The post usually takes ${postWords}, so it is likely to arrive by ${writtenDate(arrivalBy(despatchBy))}.`;

const short = { day: "numeric", month: "short", year: "numeric" } as const;
const shortLondon = new Intl.DateTimeFormat("en-GB", {
  ...short,
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "Europe/London",
});
const shortCalendar = new Intl.DateTimeFormat("en-GB", { ...short, timeZone: "UTC" });

/** `21 Nov 2026, 14:32` in London, from a time in UTC. */
export const shortMoment = (instant: string): string => shortLondon.format(new Date(instant));

/** `10 Dec 2026`, from `2026-12-10`. */
export const shortDay = (date: string): string => shortCalendar.format(new Date(date));
