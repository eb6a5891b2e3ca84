import * as z from "zod/mini";
import { type CalendarDate, daysAfter } from "../domain/calendar-date.ts";
import { wholeNumber } from "../domain/forms/answers.ts";
import { startOfDay } from "../domain/promise/london-time.ts";
import type { Schema } from "./request.ts";

/** How many lines a page of a list has: 1 to 200. */
export const perPage = z.optional(wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200"));

/** First or last day of a list, in London. Postgres has no year 0, and ISO dates end with the year 9999. */
export const listDay = z.optional(
  z.iso
    .date("Use a date such as 2026-11-21")
    .check(z.refine((day) => day >= "1900" && day < "3000", "Use a date such as 2026-11-21")),
);

/** Exclusive end of a list whose last day is given: midnight in London. */
export const endOfDay = (day: CalendarDate): string => startOfDay(daysAfter(day, 1));

/** Encodes a place in a list for a URL; opaque to clients. */
export const placeText = (place: readonly (string | number)[]): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(place))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Decodes a place; undefined if the text is not a place in this list. */
export function placeIn<Place>(text: string, schema: Schema<Place>): Place | undefined {
  try {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const json = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
    return z.safeParse(schema, JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Schema of the `after` parameter; refuses text that is not a place in this list. */
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
