import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { OnBehalf } from "../command-bus.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { Desk } from "../orders/dependencies.ts";
import type { RecordKind } from "../vault/vault.ts";
import type { TicketTold } from "./tickets.ts";
import { typedInTicket } from "./typed-in-ticket.ts";

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

const write = (
  desk: Desk,
  { ticketId, text, key, by }: Writing,
  kind: RecordKind,
  commandOf: (ref: string) => TicketCommand,
): Promise<TicketTold> =>
  desk.tickets.tell({
    ticketId,
    by,
    ...typedInTicket(desk, {
      subject: ticketId,
      commandId: clientCommandId(desk.deriveId, desk.newId, key),
      repeatable: key !== undefined,
      body: { text },
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal(kind, "contact", { text })),
    }),
  });
