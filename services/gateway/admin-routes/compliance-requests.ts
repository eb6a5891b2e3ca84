import { z } from "zod";
import { id, staffId } from "../../../domain/fields.ts";
import { wholeNumber } from "../../../domain/forms/answers.ts";
import { dataClass, purgeRule, revealReason } from "../../../domain/order/vocabulary.ts";
import { ticketPurgeRule, ticketRevealReason } from "../../../domain/ticket/vocabulary.ts";
import { startOfDay } from "../../../projections/figures.ts";
import type { RegisterCursor } from "../../../projections/register-queries.ts";

const dayMs = 86_400_000;
const date = z.iso.date("Use a date such as 2026-11-21").optional();

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + dayMs).toISOString().slice(0, 10);

const cursor = z.tuple([z.iso.datetime(), id]);

/** A place as it stands in an address: opaque to whoever holds it. */
export const cursorOf = ({ at, eventId }: RegisterCursor): string =>
  Buffer.from(JSON.stringify([at, eventId])).toString("base64url");

function placeIn(text: string): RegisterCursor | undefined {
  try {
    const parsed = cursor.safeParse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
    return parsed.success ? { at: parsed.data[0], eventId: parsed.data[1] } : undefined;
  } catch {
    // Text that is no JSON is no cursor.
    return undefined;
  }
}

/** Days in London, both included, and where another page ended. */
const page = z.object({
  from: date.transform((day) => day && startOfDay(day)),
  to: date.transform((day) => day && startOfDay(dayAfter(day))),
  limit: wholeNumber({ least: 1, most: 200 }, "Use a number from 1 to 200").optional(),
  after: z
    .string()
    .max(200)
    .transform((text, context) => {
      const place = placeIn(text);
      if (place) return place;
      context.addIssue({ code: "custom", message: "Use the `next` of a page of the same list" });
      return z.NEVER;
    })
    .optional(),
});

const rules = z.enum([...purgeRule.options, ...ticketPurgeRule.options], "There is no such rule");
const reasons = z.enum([...revealReason.options, ...ticketRevealReason.options], "There is no such reason");

/** The query of the register of purges. */
export const purgesQuery = page.extend({
  dataClass: dataClass.optional(),
  rule: rules.optional(),
  troubled: z
    .literal("1", "Use 1")
    .transform(() => true)
    .optional(),
});

/** The query of the log of looks. */
export const looksQuery = page.extend({ staffId: staffId.optional(), reason: reasons.optional() });

/** The query of an export: which register, and its filters. */
export const exportQuery = z.discriminatedUnion("register", [
  purgesQuery.extend({ register: z.literal("purges") }),
  looksQuery.extend({ register: z.literal("access") }),
]);
