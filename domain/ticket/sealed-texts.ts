import { z } from "zod";

/** What the vault's records of a ticket hold, for whoever opens one. They were validated when they were sealed. */

/** Who opened a ticket, and what they called it: version 1. */
export const ticketContactRecord = z.object({ name: z.string(), email: z.string(), subject: z.string() });
export type TicketContactRecord = z.output<typeof ticketContactRecord>;

/** A message or a note: version 1. */
export const ticketTextRecord = z.object({ text: z.string() });

/** An email address as two of them are compared: nobody remembers how they capitalised theirs. */
export const comparableEmail = (email: string): string => email.trim().normalize("NFC").toLowerCase();
