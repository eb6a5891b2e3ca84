import { type CalendarDate, yearOf } from "../calendar-date.ts";

/** The GRO asks more of a birth registered in the last 50 years. Source: its notes on applications, August 2022. */
export const recentYears = 50;

/** True when a registration of that year needs place, date and parents' names: 'I don't know' is no answer then. */
export const isRecent = (yearRegistered: number, today: CalendarDate): boolean =>
  yearRegistered >= yearOf(today) - recentYears;

/** The answers a recent birth needs. The father's names stay optional: a register may have none. */
export const partsOfRecentBirth = [
  "place",
  "day",
  "month",
  "motherForename",
  "motherMaidenName",
  "motherSurname",
] as const;
export type PartOfRecentBirth = (typeof partsOfRecentBirth)[number];

export const recentBirthMessages: Readonly<Record<PartOfRecentBirth, string>> = {
  place: "Births registered in the last 50 years need the place of birth",
  day: "Births registered in the last 50 years need the day of birth",
  month: "Births registered in the last 50 years need the month of birth",
  motherForename: "Births registered in the last 50 years need the mother's forename",
  motherMaidenName: "Births registered in the last 50 years need the mother's maiden name",
  motherSurname: "Births registered in the last 50 years need the mother's surname",
};
