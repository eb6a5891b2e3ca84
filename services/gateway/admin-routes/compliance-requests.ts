import { z } from "zod";
import { id, instant, staffId } from "../../../domain/fields.ts";
import { dataClass, purgeRule, revealReason } from "../../../domain/order/vocabulary.ts";
import { ticketPurgeRule, ticketRevealReason } from "../../../domain/ticket/vocabulary.ts";
import { startOfDay } from "../../../projections/figures.ts";
import type { RegisterCursor } from "../../../projections/register-queries.ts";
import { afterPlace, endOfDay, listDay, perPage, placeText } from "./list-parameters.ts";

const place = z.tuple([instant, id]).transform(([at, eventId]): RegisterCursor => ({ at, eventId }));

/** A place in a register as it stands in an address. */
export const cursorOf = ({ at, eventId }: RegisterCursor): string => placeText([at, eventId]);

/** Days in London, both included, and where another page ended. */
const page = z.object({
  from: listDay.transform((day) => day && startOfDay(day)),
  to: listDay.transform((day) => day && endOfDay(day)),
  limit: perPage,
  after: afterPlace(place),
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
