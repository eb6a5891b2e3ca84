import * as z from "zod/mini";
import * as field from "../domain/fields.ts";
import { probeResult, purgedKind, purgeRule } from "../domain/order/vocabulary.ts";
import { draftDestructionRule, mostLinkedDrafts, purgedDraftKind } from "../domain/saved-draft/vocabulary.ts";
import { purgedTicketKind, ticketPurgeRule } from "../domain/ticket/vocabulary.ts";

/** Shapes that several requests or answers share. Times are ISO 8601 in UTC. */

/** Of orders and tickets. */
export const customerRule = z.enum([...new Set([...purgeRule.options, ...ticketPurgeRule.options])]);

export const anyRule = z.enum([...customerRule.options, ...draftDestructionRule.options]);

export const anyDestroyed = z.enum([
  ...purgedKind.options,
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

const yearMs = 366 * 86_400_000;

/** When something happened outside, within the last year. Promises, deadlines and purges count from it. */
export const past = (now: () => Date) =>
  field.instant
    .refine((at) => Date.parse(at) <= now().getTime() + 60_000, "This is in the future")
    .refine((at) => Date.parse(at) >= now().getTime() - yearMs, "This is more than a year ago");

/** 256 random bits in base64url, made by the browser. The server keeps their SHA-256 alone once the mail has left. */
export const draftKey = z.string("Key is required").check(z.regex(/^[\w-]{43}$/, "Use the complete link"));

/** Those that the tab saved or opened last. Keys that open nothing are passed over. */
export const draftKeys = z
  .array(draftKey, "Use a list of keys")
  .check(z.maxLength(mostLinkedDrafts, `Use ${mostLinkedDrafts} keys or fewer`));
