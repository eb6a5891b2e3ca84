import { createHash } from "node:crypto";
import type { OpenTicketRequest } from "../../contract/tickets/conversation.ts";
import { ticketNumberOf } from "../../domain/numbers.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { TicketState } from "../../domain/ticket/state.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import type { OnBehalf } from "../command-bus.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { type Typed, type TypedCommand, typedCommand } from "../orders/personal-data.ts";
import type { DeriveId, RecordKind } from "../vault/vault.ts";
import type { TicketResult } from "./tickets.ts";

/**
 * Opens a ticket, with the sender's details and the message sealed. All ids derive from the client's key, so a
 * repeat, however late, is the same ticket.
 * @param heldOrderId the order named in the request, if the caller proved to hold it
 * @throws CommandReused for another body under the same key, and for any body once the ticket is purged: with nothing
 * left to compare, the key alone must not open it
 */
export async function openTicket(
  deps: OrderDependencies,
  request: OpenTicketRequest,
  heldOrderId: string | null,
  key: ClientKey | undefined,
  correlationId: string,
): Promise<TicketResult> {
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const ticketId = deps.deriveId("ticket", commandId);
  const { name, email, subject, message, category, orderNumber } = request;
  const ticketNumber = numberOf(deps.deriveId, ticketId);
  const commandOf = (contactRef: string, messageRef: string): TicketCommand => ({
    type: "OpenTicket",
    data: { ticketId, ticketNumber, category, orderNumber, heldOrderId, contactRef, messageRef },
  });
  return deps.tickets.execute({
    ticketId,
    by: { actor: { kind: "customer", id: ticketId }, correlationId },
    ...typedInTicket(deps, {
      subject: ticketId,
      commandId,
      repeatable: key !== undefined,
      isFirst: true,
      // The fingerprint leaves out whether the browser holds the order: a repeat may come without its cookie.
      body: request,
      draft: commandOf(unsealed, unsealed),
      command: async (seal) => {
        const [contactRef, messageRef] = await Promise.all([
          seal("ticketContact", "contact", { name, email, subject }),
          seal("ticketMessage", "contact", { text: message }),
        ]);
        return commandOf(contactRef, messageRef);
      },
    }),
  });
}

/** Deterministic for an id, and unpredictable without the installation's secret. */
function numberOf(deriveId: DeriveId, ticketId: string): string {
  const bytes = createHash("sha256").update(deriveId("ticket-number", ticketId)).digest();
  return ticketNumberOf(bytes.readBigUInt64BE(0));
}

/**
 * Prepares a command with text typed in a ticket. Its `fingerprint` throws CommandReused once the ticket is purged:
 * with nothing left to compare, an `Idempotency-Key` alone must not open it.
 */
function typedInTicket(
  deps: OrderDependencies,
  typed: Typed<TicketState, TicketCommand>,
): TypedCommand<TicketState, TicketCommand> {
  const command = typedCommand(deps, typed);
  return {
    ...command,
    fingerprint: async () => {
      const fingerprint = await command.fingerprint();
      if (typed.repeatable && fingerprint === null) throw new CommandReused(typed.commandId);
      return fingerprint;
    },
  };
}

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
type Reply = Writing & {
  readonly next?: "Waiting" | "Closed";
  /** The private link that admitted a customer, if any. */
  readonly linkGeneration?: number;
};

/**
 * Adds a message by the customer or by staff, according to `by`.
 * @throws Refused `ticket-purged`, `answer-pending` when a customer must wait for an answer before writing more,
 * `changed-meanwhile`; CommandReused
 */
export const replyToTicket = (deps: OrderDependencies, reply: Reply): Promise<TicketResult> =>
  write(deps, reply, "ticketMessage", (messageRef) => ({
    type: "ReplyToTicket",
    data: {
      messageRef,
      ...(reply.next && { next: reply.next }),
      ...(reply.linkGeneration !== undefined && { linkGeneration: reply.linkGeneration }),
      ...seenIn(reply),
    },
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
