import * as z from "zod/mini";
import { type CalendarDate, daysAfter } from "../domain/calendar-date.ts";
import * as field from "../domain/fields.ts";
import { wholeNumber } from "../domain/forms/answers.ts";
import {
  probeResult,
  purgedKind,
  purgeRule,
  questionClosed,
  questionPurged,
} from "../domain/order/vocabulary.ts";
import { startOfDay } from "../domain/promise/london-time.ts";
import { draftDestructionRule, mostLinkedDrafts, purgedDraftKind } from "../domain/saved-draft/vocabulary.ts";
import { purgedTicketKind, ticketPurgeRule } from "../domain/ticket/vocabulary.ts";
import type { Schema } from "./request.ts";

/** Shapes that several requests or answers share. Times are ISO 8601 in UTC. */

/** Of orders and tickets. */
export const customerRule = z.enum([...new Set([...purgeRule.options, ...ticketPurgeRule.options])]);

export const anyRule = z.enum([...customerRule.options, questionClosed, ...draftDestructionRule.options]);

export const anyDestroyed = z.enum([
  ...purgedKind.options,
  questionPurged,
  ...purgedTicketKind.options,
  ...purgedDraftKind.options,
]);

/** Pounds, as a number with at most two decimals. */
export const pounds = z.number();

/** An order's promise: the day it was received, and the latest day of despatch. */
export const promiseShown = z.object({ receivedOn: field.date, despatchBy: field.date });

/** The receipt of a destruction. */
export const receiptShown = z
  .object({
    destroyed: z.array(purgedKind),
    records: field.count,
    at: field.instant,
    secondsAfterSubmission: z.nullable(z.number()),
    rule: purgeRule,
    probe: probeResult,
    keyFingerprint: field.keyFingerprint,
  })
  .register(z.globalRegistry, {
    id: "DeletionReceipt",
    description: "What was destroyed, when, under which rule, and how that was checked",
  });

/** Other orders that are paid for and may be for the same certificate, newest first. Shown to staff alone. */
export const duplicatesShown = z.array(
  z
    .object({ id: field.id, orderNumber: field.orderNumber, paidAt: field.instant })
    .register(z.globalRegistry, { id: "PossibleDuplicate" }),
);
export type PossibleDuplicates = z.output<typeof duplicatesShown>;

/** A moment in a request: in the one form that we print. What was recorded or is reported may have others. */
export const givenInstant = z.iso
  .datetime({ precision: 3, error: "Use a moment in UTC with milliseconds: 2026-11-21T09:30:00.000Z" })
  .check(
    z.refine((at) => field.instant.safeParse(at).success, {
      error: "Use a moment of this century",
      abort: true,
    }),
  );

const yearMs = 366 * 86_400_000;

/** When something happened outside, within the last year. Promises, deadlines and purges count from it. */
export const past = (now: () => Date) =>
  givenInstant.check(
    z.refine((at) => Date.parse(at) <= now().getTime() + 60_000, "This is in the future"),
    z.refine((at) => Date.parse(at) >= now().getTime() - yearMs, "This is more than a year ago"),
  );

/** 256 random bits in base64url, made by the browser. The server keeps their SHA-256 alone once the mail has left. */
export const draftKey = z.string("Key is required").check(z.regex(/^[\w-]{43}$/, "Use the complete link"));

/** Those that the tab saved or opened last. Keys that open nothing are passed over. */
export const draftKeys = z
  .array(draftKey, "Use a list of keys")
  .check(z.maxLength(mostLinkedDrafts, `Use ${mostLinkedDrafts} keys or fewer`));

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
