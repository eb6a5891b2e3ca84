import * as z from "zod/mini";
import * as field from "../domain/fields.ts";
import { probeResult, purgedKind, purgeRule } from "../domain/order/vocabulary.ts";
import { purgedTicketKind, ticketPurgeRule } from "../domain/ticket/vocabulary.ts";

/** Shapes that several answers share. Moments are ISO 8601 in UTC. */

export const anyRule = z.enum([...purgeRule.options, ...ticketPurgeRule.options]);

export const anyDestroyed = z.enum([...purgedKind.options, ...purgedTicketKind.options]);

/** Pounds, as a number with two decimals at the most. */
export const pounds = z.number();

/** The promise of an order: the day it was received, and the day it is despatched by. */
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
    description: "What was destroyed, when, by which rule, and how that was checked",
  });
