import { z } from "zod";

/** What the vault's records of a ticket hold. They were validated when they were sealed. */

/** Who opened a ticket, and what they called it: version 1. */
export const ticketContactRecord = z.object({ name: z.string(), email: z.string(), subject: z.string() });
export type TicketContactRecord = z.output<typeof ticketContactRecord>;

/** A message or a note: version 1. */
export const ticketTextRecord = z.object({ text: z.string() });

/** An email address in the form in which two are compared: capitals do not matter. */
export const comparableEmail = (email: string): string => email.trim().normalize("NFC").toLowerCase();
