import { ticketContactRecord } from "../../../domain/ticket/held-texts.ts";
import type { TicketTask } from "../../../domain/ticket/owed.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import type { OnBehalf } from "../../command-bus.ts";
import { openIfThere } from "../../vault/vault.ts";
import type { Outcome, TaskDependencies } from "../task-dependencies.ts";
import { sendComposed } from "../tasks/mail.ts";
import { type OwedTicketTask, purgeTicket } from "./purge-ticket.ts";

export function performTicketTask(
  parts: TaskDependencies,
  ticket: Ticket,
  task: TicketTask,
  by: OnBehalf,
): Promise<Outcome> {
  const on = <Kind extends TicketTask["kind"]>(
    own: Extract<TicketTask, { kind: Kind }>,
  ): OwedTicketTask<Kind> => ({
    ticket,
    task: own,
    by,
    commandId: `duty-${ticket.ticketId}-${own.name}`,
  });
  switch (task.kind) {
    case "mail":
      return mailAboutTicket(parts, on(task));
    case "close":
      return close(parts, on(task));
    case "purge":
      return purgeTicket(parts, on(task));
    default:
      return task satisfies never;
  }
}

async function close(
  { deps }: TaskDependencies,
  { ticket, by, commandId }: OwedTicketTask<"close">,
): Promise<Outcome> {
  const { ticketId } = ticket;
  await deps.tickets.execute({
    ticketId,
    commandId,
    by,
    command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "silence" } },
  });
  return "done";
}

/** Sends one mail and records the result, as for orders. @throws MailUnavailable: the job retries */
async function mailAboutTicket(
  { deps, mailer, ticketMails }: TaskDependencies,
  { ticket, task, by, commandId }: OwedTicketTask<"mail">,
): Promise<Outcome> {
  const { template, about } = task;
  const contact = await openIfThere(deps.vault, ticket.contactRef, ticketContactRecord);
  const data = await sendComposed(mailer, ticketMails, { ticket, contact, template, about });
  const command = { type: "RecordTicketMail" as const, data };
  await deps.tickets.execute({ ticketId: ticket.ticketId, commandId, by, command });
  return "done";
}
