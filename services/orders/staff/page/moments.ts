const london = "Europe/London";

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: london,
});
// A day of the calendar has no zone; read as UTC it stays the day it is.
const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `21 Nov 2026, 14:32`, as a clock in London shows it, from a moment in UTC. */
export const shortMoment = (instant: string): string => moment.format(new Date(instant));

/** `10 Dec 2026`, from `2026-12-10`. */
export const shortDay = (date: string): string => day.format(new Date(date));
