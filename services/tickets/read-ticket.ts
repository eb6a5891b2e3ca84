import {
  type TicketContactRecord,
  ticketContactRecord,
  ticketTextRecord,
} from "../../domain/ticket/held-texts.ts";
import { isTicketGone, type Ticket, type TicketMessage, type TicketNote } from "../../domain/ticket/state.ts";
import type { TicketRevealReason } from "../../domain/ticket/vocabulary.ts";
import type { OnBehalf } from "../command-bus.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { openIfThere } from "../vault/vault.ts";
import type { TicketResult } from "./tickets.ts";

/** All texts of a ticket, for staff. Null: destroyed. */
export type WholeTicket = TicketResult & {
  readonly contact: TicketContactRecord | null;
  readonly messages: readonly (TicketMessage & { readonly text: string | null })[];
  readonly notes: readonly (TicketNote & { readonly text: string | null })[];
};

/**
 * Opens all texts of a ticket. The access is recorded before the first text is opened: after a crash the log may hold
 * an access that did not happen, but never lacks one that did. A destroyed ticket has no texts left.
 * @throws Refused `unknown-ticket`
 */
export async function lookIntoTicket(
  deps: OrderDependencies,
  ticketId: string,
  reason: TicketRevealReason,
  by: OnBehalf,
): Promise<WholeTicket> {
  const found = await deps.tickets.load(ticketId);
  const result = isTicketGone(found.ticket)
    ? found
    : await deps.tickets.execute({
        ticketId,
        commandId: deps.newId(),
        by,
        command: { type: "RevealPersonalData", data: { reason } },
      });
  return { ...result, ...(await textsOf(deps, result.ticket)) };
}

async function textsOf({ vault }: OrderDependencies, { contactRef, messages, notes }: Ticket) {
  const withText = async <Part extends { readonly ref: string | null }>(part: Part) => ({
    ...part,
    text: (await openIfThere(vault, part.ref, ticketTextRecord))?.text ?? null,
  });
  return {
    contact: (await openIfThere(vault, contactRef, ticketContactRecord)) ?? null,
    messages: await Promise.all(messages.map(withText)),
    notes: await Promise.all(notes.map(withText)),
  };
}
