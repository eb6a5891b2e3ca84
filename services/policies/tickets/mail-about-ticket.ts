import { ticketContactRecord } from "../../../domain/ticket/sealed-texts.ts";
import { openIfThere } from "../../vault/open-if-there.ts";
import type { DutyParts, Outcome } from "../task-dependencies.ts";
import { send } from "../tasks/mail.ts";
import type { TicketErrand } from "./perform-ticket-task.ts";

/** Sends one mail and records what came of it, as an order's are. @throws MailUnavailable: the job tries again */
export async function mailAboutTicket(
  { desk, mailer, ticketMails }: DutyParts,
  { ticket, duty, by, commandId }: TicketErrand<"mail">,
): Promise<Outcome> {
  const { template, about } = duty;
  const contact = await openIfThere(desk.vault, ticket.contactRef, ticketContactRecord);
  const { templateVersion, mail } = ticketMails.compose({ ticket, contact, template, about });
  const result = mail ? await send(mailer, mail) : "undeliverable";
  const data = { template, templateVersion, about, result };
  const command = { type: "RecordTicketMail" as const, data };
  await desk.tickets.tell({ ticketId: ticket.ticketId, commandId, by, command });
  return "told";
}
