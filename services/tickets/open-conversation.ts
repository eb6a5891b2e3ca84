import { ticketContactRecord, ticketTextRecord } from "../../domain/ticket/sealed-texts.ts";
import type { LookedUpMessage, TicketLookup } from "../../projections/ticket-lookup.ts";
import { openIfThere, type Vault } from "../vault/vault.ts";

/** What was typed in a ticket. What was destroyed, which the read model may learn a moment later than the vault, is left out. */
export type Conversation = {
  /** Null once it was destroyed. */
  readonly subject: string | null;
  /** Oldest first. */
  readonly messages: readonly (LookedUpMessage & { readonly text: string })[];
};

/** Opens the texts of a ticket for the moment in which they are shown. */
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
