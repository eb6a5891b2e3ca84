import type { TicketCommandData } from "../../../domain/ticket/commands.ts";
import { ticketContactRecord, ticketTextRecord } from "../../../domain/ticket/held-texts.ts";
import type { TicketTask } from "../../../domain/ticket/owed.ts";
import type { Ticket, TicketPurge } from "../../../domain/ticket/state.ts";
import { type PurgedTicketKind, purgedTicketKind } from "../../../domain/ticket/vocabulary.ts";
import type { OnBehalf } from "../../command-bus.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { fingerprintKeyId } from "../../vault/stream-fingerprint.ts";
import { openIfThere } from "../../vault/vault.ts";
import { destroyStarted, finishPurge } from "../purging/purge.ts";
import { namedByTicket } from "../subject.ts";
import type { Outcome, TaskDependencies } from "../task-dependencies.ts";
import { sendComposed } from "../tasks/mail.ts";

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

/** Refused when the ticket changed since the task was found due: the customer may have written. */
async function close(
  { deps }: TaskDependencies,
  { ticket, by, commandId }: OwedTicketTask<"close">,
): Promise<Outcome> {
  const { ticketId, revision } = ticket;
  await deps.tickets.execute({
    ticketId,
    commandId,
    by,
    command: { type: "ChangeTicketStatus", data: { status: "Closed", reason: "silence", seen: revision } },
  });
  return "done";
}

/** Sends one mail and records the result, as for orders. @throws MailUnavailable: the task is tried again */
async function mailAboutTicket(
  parts: TaskDependencies,
  { ticket, task, by, commandId }: OwedTicketTask<"mail">,
): Promise<Outcome> {
  const { deps, ticketMails } = parts;
  const { ticketId, contactRef } = ticket;
  const { template, about } = task;
  const record = (data: TicketCommandData<"RecordTicketMail">) =>
    deps.tickets.execute({ ticketId, commandId, by, command: { type: "RecordTicketMail", data } });
  if (task.stop) {
    const { templateVersion } = ticketMails.compose({ ticket, contact: undefined, template, about });
    await record({ template, templateVersion, about, result: task.stop });
    return "done";
  }
  const data = await sendComposed(parts, ticketId, task, async () => {
    const contact = await openIfThere(deps.vault, contactRef, ticketContactRecord);
    const answer = await answerToMail(deps, ticket, task);
    return ticketMails.compose({ ticket, contact, template, about, answer });
  });
  if (data) await record(data);
  return "done";
}

/** The text of the answer that a mail tells of, where the customer chose to have it by mail. */
async function answerToMail(
  { vault }: OrderDependencies,
  { mailContent, messages }: Ticket,
  { template, about }: OwedTicketTask<"mail">["task"],
): Promise<string | undefined> {
  if (template !== "ticketAnswered" || mailContent !== "text") return undefined;
  const answer = messages.find(({ messageId }) => messageId === about);
  return (await openIfThere(vault, answer?.ref ?? null, ticketTextRecord))?.text;
}

type OwedTicketTask<Kind extends TicketTask["kind"]> = {
  ticket: Ticket;
  task: Extract<TicketTask, { kind: Kind }>;
  by: OnBehalf;
  commandId: string;
};

type Open = NonNullable<TicketPurge["open"]>;

/** Purges everything written in a ticket, and records the receipt or the failure; see the purge of orders. */
async function purgeTicket(
  { deps, now, log }: TaskDependencies,
  owed: OwedTicketTask<"purge">,
): Promise<Outcome> {
  const { ticket, task, by, commandId } = owed;
  const { ticketId } = ticket;
  const open = ticket.purge.open ?? (await start(deps, owed));
  if (!open) return "done"; // It has ended meanwhile.
  const type = "PurgeTicket";
  return finishPurge(
    { now, log },
    {
      ...{ task, commandId, startedBy: open.startedBy, about: { ticketId } },
      destroy: () => destroy(deps, ticketId, open),
      record: (commandId, data) => deps.tickets.execute({ ticketId, commandId, by, command: { type, data } }),
    },
  );
}

/** Refused when the ticket changed since the task was found due: the rule depends on the order linked at that time. */
async function start(
  { tickets }: OrderDependencies,
  { ticket, task, by, commandId }: OwedTicketTask<"purge">,
): Promise<Open | undefined> {
  const { ticketId, revision } = ticket;
  const result = await tickets.execute({
    ticketId,
    commandId: `${commandId}-start-${task.rule}-at-${revision}`,
    by,
    command: { type: "StartTicketPurge", data: { rule: task.rule, seen: revision } },
  });
  return result.ticket.purge.open;
}

async function destroy(
  { tickets, vault, deriveId }: OrderDependencies,
  ticketId: string,
  { startedBy, records }: Open,
): Promise<TicketCommandData<"PurgeTicket">> {
  const keyRef = fingerprintKeyId(deriveId, ticketId);
  const { kinds, keyFingerprint, probe } = await destroyStarted(
    vault,
    { subjectId: ticketId, dataClass: "contact", records, keyRef },
    async () => {
      const { ticket } = await tickets.load(ticketId);
      return ticket.purge.open?.startedBy === startedBy ? namedByTicket(ticket) : undefined;
    },
  );
  const hadKey = kinds.includes("fingerprintKey");
  return {
    outcome: "purged",
    startedBy,
    destroyed: destroyedKinds(records, hadKey),
    keyFingerprint,
    probe,
    records: records.length + (hadKey ? 1 : 0),
  };
}

const destroyedKinds = (records: Open["records"], hadKey: boolean): PurgedTicketKind[] =>
  purgedTicketKind.options.filter((kind) =>
    kind === "fingerprintKey" ? hadKey : records.some((record) => record.kind === kind),
  );
