import { openTicketForm } from "../../contract/tickets/conversation.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { OnBehalf } from "../../services/command-bus.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import type { MailMessage } from "../../services/tickets/write-in-ticket.ts";
import { fingerprintKeyId } from "../../services/vault/stream-fingerprint.ts";

/** For tests of tickets: people, forms and the passage of time. */

export const staff: OnBehalf = { actor: { kind: "staff", id: "staff_1" }, correlationId: "a-request" };
export const writer: OnBehalf = { actor: { kind: "customer", id: "a-writer" }, correlationId: "a-request" };

export const ticketRequest = (changes: Record<string, unknown> = {}) =>
  openTicketForm.parse({
    name: "Siân Rhys",
    email: "sian.rhys@post.example",
    category: "question",
    subject: "Weekend post",
    message: "Do certificates arrive on Saturdays?",
    ...changes,
  });

/** A mail with a file, from the customer's own address. */
export const mailMessage = (changes: Partial<MailMessage> = {}): MailMessage => ({
  commandId: "mail-0a",
  text: "Please hurry",
  quoted: "On Monday you wrote: …",
  automatic: false,
  sender: "known",
  from: "sian.rhys@post.example",
  authentication: { spf: "pass", dkim: "pass", dmarc: "none" },
  attachments: [{ name: "Birth 1871.pdf", type: "pdf", bytes: Buffer.from("%PDF-1.7 a file") }],
  original: Buffer.from("From: Siân\r\n\r\nPlease hurry"),
  ...changes,
});

/** Closes a ticket and purges its texts, as the policies do a year later. */
export async function purgeTicketNow(deps: OrderDependencies, ticketId: string): Promise<Position> {
  const command = { type: "ChangeTicketStatus", data: { status: "Closed", reason: "staffChoice" } } as const;
  await deps.tickets.execute({ ticketId, commandId: deps.newId(), by: staff, command });
  const started = await execute(deps, ticketId, { type: "StartTicketPurge", data: { rule: "retention" } });
  const { startedBy = "", records = [] } = started.ticket.purge.open ?? {};
  const refs = [...records.map(({ ref }) => ref), fingerprintKeyId(deps.deriveId, ticketId)];
  const { keyFingerprint, probe } = await deps.vault.destroy(refs);
  const receipt = { keyFingerprint, probe, records: refs.length };
  const { position } = await execute(deps, ticketId, {
    type: "PurgeTicket",
    data: { outcome: "purged", startedBy, destroyed: ["ticketContact", "ticketMessage"], ...receipt },
  });
  return position;
}

const execute = (deps: OrderDependencies, ticketId: string, command: TicketCommand) =>
  deps.tickets.execute({
    ticketId,
    commandId: deps.newId(),
    by: { actor: { kind: "system", id: "policies" }, correlationId: "a-request" },
    command,
  });
