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
 * Opens a ticket: seals the sender's details and the message, then appends. All ids derive from the client's key, so a
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
