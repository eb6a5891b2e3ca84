import { londonDate } from "../../domain/promise/london-time.ts";

const london = "Europe/London";
const day = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  timeZone: "UTC",
});
const date = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: london,
});
const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: london,
});

/** A calendar day, 'Thursday 10 December', from ISO text. */
export const longDay = (isoDate: string): string =>
  day.format(new Date(`${isoDate.slice(0, 10)}T12:00:00Z`)).replace(",", "");

/** The London date of an instant, '20 November 2026'. */
export const londonDay = (instant: string): string => date.format(new Date(instant));

/** The London date and time of an instant, '20 Nov 2026, 14:32:09'. */
export const londonMoment = (instant: string): string => moment.format(new Date(instant));

/** The browser's clock, in one place; the domain and everything pure takes the moment as a parameter. */
export const now = (): Date => new Date();

/** The day it is in London, `2026-11-21`. */
export const todayInLondon = (): string => londonDate(now().toISOString());
