const london = "Europe/London";

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: london,
});
// A calendar day has no time zone; read as UTC, it stays the same day.
const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `21 Nov 2026, 14:32` in London, from a time in UTC. */
export const shortMoment = (instant: string): string => moment.format(new Date(instant));

/** `10 Dec 2026`, from `2026-12-10`. */
export const shortDay = (date: string): string => day.format(new Date(date));
