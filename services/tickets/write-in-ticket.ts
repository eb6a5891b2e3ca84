import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { OnBehalf } from "../command-bus.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { RecordKind } from "../vault/vault.ts";
import type { TicketResult } from "./tickets.ts";
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
export const replyToTicket = (deps: OrderDependencies, reply: Reply): Promise<TicketResult> =>
  write(deps, reply, "ticketMessage", (messageRef) => ({
    type: "ReplyToTicket",
    data: { messageRef, ...(reply.next && { next: reply.next }), ...seenIn(reply) },
  }));

/** Adds a note that only staff see. @throws Refused `ticket-purged`, `staff-only`, `changed-meanwhile`; CommandReused */
export const noteOnTicket = (deps: OrderDependencies, writing: Writing): Promise<TicketResult> =>
  write(deps, writing, "ticketNote", (noteRef) => ({
    type: "NoteOnTicket",
    data: { noteRef, ...seenIn(writing) },
  }));

const seenIn = ({ seen }: Writing) => (seen === undefined ? {} : { seen });

const write = (
  deps: OrderDependencies,
  { ticketId, text, key, by }: Writing,
  kind: RecordKind,
  commandOf: (ref: string) => TicketCommand,
): Promise<TicketResult> =>
  deps.tickets.execute({
    ticketId,
    by,
    ...typedInTicket(deps, {
      subject: ticketId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: { text },
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal(kind, "contact", { text })),
    }),
  });
