import { createHash } from "node:crypto";
import type { OpenTicketRequest } from "../../contract/tickets/conversation.ts";
import { ticketNumberOf } from "../../domain/numbers.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { DeriveId } from "../vault/record-ids.ts";
import type { TicketResult } from "./tickets.ts";
import { typedInTicket } from "./typed-in-ticket.ts";

/**
 * Opens a ticket: seals who wrote and what, then appends. With a client's key all ids derive from it, so that a repeat, however late,
 * is the same ticket.
 * @param heldOrderId the order that the request names, where the caller showed that they hold it
 * @throws CommandReused for another body under the same key, and for any once the ticket was purged: with nothing left to compare, the
 * key alone may not open it
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
      // Whether the browser still holds the order is not part of what was typed: a repeat may come without its cookie.
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

/** Always the same for the same id, and as random as the installation's secret: nobody can work it out from the id. */
function numberOf(deriveId: DeriveId, ticketId: string): string {
  const bytes = createHash("sha256").update(deriveId("ticket-number", ticketId)).digest();
  return ticketNumberOf(bytes.readBigUInt64BE(0));
}
