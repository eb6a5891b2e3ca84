import { ticketContactRecord, ticketTextRecord } from "../../domain/ticket/sealed-texts.ts";
import type { LookedUpMessage, TicketLookup } from "../../projections/tickets/ticket-lookup.ts";
import { openIfThere, type Vault } from "../vault/vault.ts";

/**
 * The texts of a ticket. Destroyed ones are left out; the read model may learn of a destruction a moment after the
 * vault.
 */
export type Conversation = {
  /** Null once it was destroyed. */
  readonly subject: string | null;
  /** Oldest first. */
  readonly messages: readonly (LookedUpMessage & { readonly text: string })[];
};

/** Opens the texts of a ticket, to be shown and not kept. */
export async function openConversation(
  vault: Vault,
  { contactRef, messages }: Pick<TicketLookup, "contactRef" | "messages">,
): Promise<Conversation> {
  const [contact, texts] = await Promise.all([
    openIfThere(vault, contactRef, ticketContactRecord),
    Promise.all(messages.map(({ ref }) => openIfThere(vault, ref, ticketTextRecord))),
  ]);
  return {
    subject: contact?.subject ?? null,
    messages: messages.flatMap((message, at) => {
      const text = texts[at]?.text;
      return text === undefined ? [] : [{ ...message, text }];
    }),
  };
}
