import * as z from "zod/mini";
import { type CalendarDate, daysAfter } from "../domain/calendar-date.ts";
import { wholeNumber } from "../domain/forms/answers.ts";
import { startOfDay } from "../domain/promise/london-time.ts";
import type { Schema } from "./request.ts";

/** How many lines a page of a list has: 1 to 200. */
export const perPage = z.optional(wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200"));

/** A day in London that a list begins or ends with. The year 0 is none to the database, and after 9999 there are no more digits. */
export const listDay = z.optional(
  z.iso
    .date("Use a date such as 2026-11-21")
    .check(z.refine((day) => day >= "1900" && day < "3000", "Use a date such as 2026-11-21")),
);

/** When a list that ends with a day ends: at the beginning of the next in London. */
export const endOfDay = (day: CalendarDate): string => startOfDay(daysAfter(day, 1));

/** A place in a list as it stands in an address: opaque to its holder. */
export const placeText = (place: readonly (string | number)[]): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(place))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The place again; undefined where the text is none of this list. */
export function placeIn<Place>(text: string, schema: Schema<Place>): Place | undefined {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return z.safeParse(schema, JSON.parse(json)).data;
  } catch {
    // Text that is no JSON is no place.
    return undefined;
  }
}

/** The parameter that says after which place a page begins. @returns a schema that refuses what is no place of this list */
export const afterPlace = <Place>(schema: Schema<Place>) =>
  z.optional(
    z.pipe(
      z.string().check(z.maxLength(300)),
      z.transform((text, context) => {
        const place = placeIn(text, schema);
        if (place !== undefined) return place;
        const message = "Use the `next` of a page of the same list";
        context.issues.push({ code: "custom", message, input: text });
        return z.NEVER;
      }),
    ),
  );
