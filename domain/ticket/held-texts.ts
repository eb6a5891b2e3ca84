import { z } from "zod";
import type { Held } from "../order/personal-data/held-data.ts";
import type { Order } from "../order/state.ts";
import type { TaskSettings } from "../order/tasks/task.ts";
import { ticketOwed } from "./owed.ts";
import type { Ticket } from "./state.ts";
import type { TicketPurgeRule } from "./vocabulary.ts";

/** What the vault's records of a ticket hold. They were validated when they were sealed. */

/** Who opened a ticket, and what they called it: version 1. */
export const ticketContactRecord = z.object({ name: z.string(), email: z.string(), subject: z.string() });
export type TicketContactRecord = z.output<typeof ticketContactRecord>;

/** A message or a note: version 1. All but the text is of customers' messages. */
export const ticketTextRecord = z.object({
  text: z.string(),
  /** Earlier messages and the signature, as a mail quotes them. */
  quoted: z.string().default(""),
  /** The address that a mail names as its sender. */
  from: z.string().nullable().default(null),
  /** In the order of the message's attachments. */
  fileNames: z.array(z.string()).default([]),
});

export type TicketTextRecord = z.output<typeof ticketTextRecord>;

/** An email address in the form in which two are compared: capitals do not matter. */
export const comparableEmail = (email: string): string => email.trim().normalize("NFC").toLowerCase();

/** What was written in a ticket, as long as it is held, and which rule purges it when; see `heldOf` of orders. */
export function heldTexts(
  ticket: Ticket,
  order: Order | undefined,
  settings: TaskSettings,
): Held<TicketPurgeRule> {
  const { purgedAt, receipt } = ticket.purge;
  if (purgedAt !== null && receipt !== null) return { state: "destroyed", at: purgedAt, rule: receipt.rule };
  const task = ticketOwed(ticket, order, settings).find(({ kind }) => kind === "purge");
  if (task?.kind !== "purge") return { state: "needed", for: "conversation" };
  const waitsForMail = ticket.erasureRequestedAt !== null && task.rule === "retention";
  return waitsForMail
    ? { state: "needed", for: "mail" }
    : { state: "due", until: task.dueAt, rule: task.rule };
}

/** What would be held if the customer asked for erasure now. */
export const heldTextsAfterErasure = (
  ticket: Ticket,
  order: Order | undefined,
  now: string,
  settings: TaskSettings,
): Held<TicketPurgeRule> =>
  heldTexts({ ...ticket, erasureRequestedAt: ticket.erasureRequestedAt ?? now }, order, settings);
