import { z } from "zod";

/**
 * The only leaf types allowed in events and commands, apart from enums, literals and booleans.
 * None can hold text typed by a person: a test walks every event schema and accepts only these.
 */

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** A uuid of ours, lower case. */
export const id = z.string().regex(new RegExp(`^${uuid}$`));
/** The uuid of a sealed record in the vault: the only way an event points at personal data. */
export const vaultReference = z.string().regex(new RegExp(`^${uuid}$`));
/** A provider's id of its own object, such as a payment intent: an opaque token, never text. */
export const providerId = z.string().regex(/^[A-Za-z0-9_-]{1,120}$/);
/** 12 random symbols of Crockford base 32 and a check symbol, in groups: see numbers.ts. */
export const orderNumber = z
  .string()
  .regex(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
/** An order number behind `T-`: see numbers.ts. */
export const ticketNumber = z
  .string()
  .regex(/^T-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{5}$/);
/** The identity provider's opaque id of a member of staff. */
export const staffId = z.string().regex(/^[A-Za-z0-9_-]{1,120}$/);
/** `REF-{year}-{number below 1000}`: a label, never a key. */
export const reference = z.string().regex(/^REF-\d{4}-\d{1,3}$/);
/** The idempotency key of one submission attempt: `order-<id>-submission-<attempt>`. */
export const submissionKey = z.string().regex(new RegExp(`^order-${uuid}-submission-\\d{1,4}$`));
/** One refund of one order, also its idempotency key at the payment provider: `order-<id>-refund-<n>`. */
export const refundId = z.string().regex(new RegExp(`^order-${uuid}-refund-\\d{1,4}$`));
/** The SHA-256 of the erased keys, in lower-case hex. */
export const keyFingerprint = z.string().regex(/^[0-9a-f]{64}$/);
/** The SHA-256, in lower-case hex, of a text stored elsewhere. */
export const textDigest = z.string().regex(/^[0-9a-f]{64}$/);
/**
 * A moment in UTC, printed again as `2026-11-21T09:30:00.000Z`, however it was written: its text may stand in keys and
 * places of lists, and a database takes fewer digits than a text can have. Events of earlier versions and the GRO's
 * automation service write it in other forms; requests may not (`givenInstant` in contract/shapes.ts). From the year
 * 2000 on: databases know no year 0, and read models would refuse an event of it.
 */
export const instant = z.iso
  .datetime()
  .refine((at) => at >= "2000", { error: "Use a moment of this century", abort: true })
  .overwrite(printedAgain);
/** A day of the calendar: `2026-11-21`. From the year 2000 on, as moments are. */
export const date = z.iso.date().refine((day) => day >= "2000", "Use a day of this century");
/** Why a mail came back, as servers say it: `5.1.1` (RFC 3463), `550` (SMTP), or nothing. */
export const bounceCode = z.string().regex(/^(?:[245]\.\d{1,3}\.\d{1,3}|[245]\d\d)?$/);
/** Integer pence, never negative. */
export const pence = z.int().min(0).max(100_000_00);
/** Full copies of one certificate: 1 to 5. */
export const copies = z.int().min(1).max(5);
/** A count, from 0. */
export const count = z.int().min(0).max(1_000_000_000);
/** An ordinal number, from 1. */
export const ordinal = z.int().min(1).max(9_999);

function printedAgain(at: string): string {
  const milliseconds = Date.parse(at);
  // The format has refused it already; a schema tells all that is wrong, and goes on.
  return Number.isNaN(milliseconds) ? at : new Date(milliseconds).toISOString();
}
