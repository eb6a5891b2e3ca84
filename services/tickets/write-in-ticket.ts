import type { TicketCommand } from "../../domain/ticket/commands.ts";
import { assertSeen, ticketForbids } from "../../domain/ticket/decide.ts";
import { isTicketGone } from "../../domain/ticket/state.ts";
import { type ClientKey, clientCommandId } from "../commands/command-ids.ts";
import type { Desk } from "../commands/desk.ts";
import { beginSealing } from "../commands/personal-data.ts";
import type { OnBehalf } from "../commands/teller.ts";
import type { RecordKind } from "../vault/vault.ts";
import type { TicketTold } from "./tickets.ts";

/** What somebody writes in a ticket, the key their browser chose for it, and who they are. */
export type Writing = {
  readonly ticketId: string;
  readonly text: string;
  readonly key: ClientKey | undefined;
  readonly by: OnBehalf;
  /** The ticket's `revision` that they saw; not given by customers. */
  readonly seen?: number;
};

/** What staff answer, and what the ticket does then: it waits for the customer unless told. */
export type Reply = Writing & { readonly next?: "Waiting" | "Closed" };

/**
 * Adds a message, of the customer or of staff as `by` says.
 * @throws Refused `ticket-purged`, or `answer-pending` when a customer has written enough for now, `changed-meanwhile`; CommandReused
 */
export const replyToTicket = (desk: Desk, reply: Reply): Promise<TicketTold> =>
  write(desk, reply, "ticketMessage", (messageRef) => ({
    type: "ReplyToTicket",
    data: { messageRef, ...(reply.next && { next: reply.next }), ...seenIn(reply) },
  }));

/** Adds a note that only staff see. @throws Refused `ticket-purged`, `staff-only`, `changed-meanwhile`; CommandReused */
export const noteOnTicket = (desk: Desk, writing: Writing): Promise<TicketTold> =>
  write(desk, writing, "ticketNote", (noteRef) => ({
    type: "NoteOnTicket",
    data: { noteRef, ...seenIn(writing) },
  }));

const seenIn = ({ seen }: Writing) => (seen === undefined ? {} : { seen });

async function write(
  desk: Desk,
  { ticketId, text, key, by, seen }: Writing,
  kind: RecordKind,
  commandOf: (ref: string) => TicketCommand,
): Promise<TicketTold> {
  const { ticket } = await desk.tickets.load(ticketId);
  // Nothing is sealed for what was destroyed; the key that would tell a repeat is gone with the rest.
  if (isTicketGone(ticket)) throw ticketForbids(ticket, "ticket-purged");
  const commandId = clientCommandId(desk.deriveId, desk.newId, key);
  const isKnown = () => desk.tickets.knows(ticketId, commandId);
  // A repeat gets its first result, however the ticket has changed since; anything else seals nothing that will be refused.
  if (key === undefined || !(await isKnown())) assertSeen(ticket, seen);
  const body = { text };
  const sealing = await beginSealing(desk, {
    subject: ticketId,
    commandId,
    repeatable: key !== undefined,
    body,
    isKnown,
  });
  const ref = await sealing.seal(kind, "contact", body);
  return desk.tickets.tell({
    ticketId,
    commandId,
    by,
    fingerprint: async () => sealing.fingerprint,
    command: commandOf(ref),
  });
}
