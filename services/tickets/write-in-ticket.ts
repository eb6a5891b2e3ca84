import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { OnBehalf } from "../command-bus.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { RecordKind } from "../vault/vault.ts";
import type { TicketResult } from "./tickets.ts";
import { typedInTicket } from "./typed-in-ticket.ts";

/** A text for a ticket, with its author and the browser's idempotency key. */
export type Writing = {
  readonly ticketId: string;
  readonly text: string;
  readonly key: ClientKey | undefined;
  readonly by: OnBehalf;
  /** The revision the author saw; customers send none. */
  readonly seen?: number;
};

/** A reply by staff, and the ticket's status afterwards: waiting for the customer by default. */
type Reply = Writing & { readonly next?: "Waiting" | "Closed" };

/**
 * Adds a message by the customer or by staff, according to `by`.
 * @throws Refused `ticket-purged`, `answer-pending` when a customer must wait for an answer before writing more,
 * `changed-meanwhile`; CommandReused
 */
export const replyToTicket = (deps: OrderDependencies, reply: Reply): Promise<TicketResult> =>
  write(deps, reply, "ticketMessage", (messageRef) => ({
    type: "ReplyToTicket",
    data: { messageRef, ...(reply.next && { next: reply.next }), ...seenIn(reply) },
  }));

/**
 * Adds a note that only staff see.
 * @throws Refused `ticket-purged`, `staff-only`, `changed-meanwhile`; CommandReused
 */
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
