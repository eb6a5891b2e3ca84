import { z } from "zod";
import { type CalendarDate, daysAfter } from "../../../domain/calendar-date.ts";
import { wholeNumber } from "../../../domain/forms/answers.ts";
import { startOfDay } from "../../../projections/figures.ts";

/** How many lines a page of a list has: 1 to 200. */
export const perPage = wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200").optional();

/** A day in London that a list begins or ends with. The year 0 is none to the database, and after 9999 there are no more digits. */
export const listDay = z.iso
  .date("Use a date such as 2026-11-21")
  .refine((day) => day >= "1900" && day < "3000", "Use a date such as 2026-11-21")
  .optional();

/** When a list that ends with a day ends: at the beginning of the next in London. */
export const endOfDay = (day: CalendarDate): string => startOfDay(daysAfter(day, 1));

/** A place in a list as it stands in an address: opaque to whoever holds it. */
export const placeText = (place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(place)).toString("base64url");

/** The place again; undefined where the text is none of this list. */
export function placeIn<Place>(text: string, schema: z.ZodType<Place>): Place | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8"))).data;
  } catch {
    // Text that is no JSON is no place.
    return undefined;
  }
}

/** The parameter that says after which place a page begins. @returns a schema that refuses what is no place of this list */
export const afterPlace = <Place>(schema: z.ZodType<Place>) =>
  z
    .string()
    .max(300)
    .transform((text, context) => {
      const place = placeIn(text, schema);
      if (place !== undefined) return place;
      context.addIssue({ code: "custom", message: "Use the `next` of a page of the same list" });
      return z.NEVER;
    })
    .optional();
