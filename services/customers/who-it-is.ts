import { contactRecord } from "../../domain/forms/sealed-records.ts";
import type { RevealReason } from "../../domain/order/vocabulary.ts";
import { personOfDraft } from "../../domain/saved-draft/sealed-records.ts";
import { ticketContactRecord } from "../../domain/ticket/held-texts.ts";
import type { TicketRevealReason } from "../../domain/ticket/vocabulary.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { type RevealedContact, revealContact } from "../orders/staff/reveal-personal-data.ts";
import { openIfThere } from "../vault/vault.ts";
import type { Customer } from "./customer.ts";

/** Name and email address; mask them unless the access is recorded. */
export type NameAndEmail = { readonly name: string; readonly email: string };

/** A customer's identity from the newest record that can be opened; undefined if none can. For masking only. */
export async function nameAndEmailOf(
  { vault }: OrderDependencies,
  { orders, tickets, drafts }: Customer,
): Promise<NameAndEmail | undefined> {
  for (const order of orders) {
    const contact = await openIfThere(vault, order.vault.contact, contactRecord);
    if (contact) return { name: contact.contactFullName, email: contact.email };
  }
  for (const { ticket } of tickets) {
    const contact = await openIfThere(vault, ticket.contactRef, ticketContactRecord);
    if (contact) return { name: contact.name, email: contact.email };
  }
  for (const { draftRef } of drafts) {
    const person = await openIfThere(vault, draftRef, personOfDraft);
    if (person) return { name: person.name, email: person.email };
  }
  return undefined;
}

/** A revealed identity, with its source. */
export type RevealedCustomer = {
  readonly position: Position;
  readonly from: { readonly kind: "order" | "ticket" | "draft"; readonly number: string | null };
  readonly person: RevealedContact["contact"] | NameAndEmail;
};

/**
 * Reveals a customer's identity: the contact data of their newest order, else of their newest ticket or
 * saved draft. Opening a single
 * record keeps the log to one access. Undefined when nothing can be opened any more.
 */
export async function revealCustomer(
  deps: OrderDependencies,
  { orders, tickets, drafts }: Customer,
  reason: RevealReason,
  by: OnBehalf,
): Promise<RevealedCustomer | undefined> {
  const order = orders.find(({ vault }) => vault.contact !== null);
  if (order) {
    const looker = { by: { userId: by.actor.id }, correlationId: by.correlationId };
    const { data, position } = await revealContact(deps, order.orderId, reason, looker);
    return { position, from: { kind: "order", number: order.orderNumber }, person: data.contact };
  }
  const found = tickets.find(({ ticket }) => ticket.contactRef !== null);
  if (!found) return revealDraft(deps, drafts, reason, by);
  const { ticketId, ticketNumber, contactRef } = found.ticket;
  const command = { type: "RevealPersonalData", data: { reason: asTicketReason(reason) } } as const;
  const { position } = await deps.tickets.execute({ ticketId, commandId: deps.newId(), by, command });
  const contact = await openIfThere(deps.vault, contactRef, ticketContactRecord);
  return (
    contact && {
      position,
      from: { kind: "ticket", number: ticketNumber },
      person: { name: contact.name, email: contact.email },
    }
  );
}

async function revealDraft(
  deps: OrderDependencies,
  drafts: Customer["drafts"],
  reason: RevealReason,
  by: OnBehalf,
): Promise<RevealedCustomer | undefined> {
  const found = drafts.find(({ draftRef }) => draftRef !== null);
  if (!found) return undefined;
  const { draftId, draftRef } = found;
  const command = { type: "RevealPersonalData", data: { reason } } as const;
  await deps.drafts.execute({ draftId, commandId: deps.newId(), by, command });
  const person = await openIfThere(deps.vault, draftRef, personOfDraft);
  const position = await deps.orders.head();
  return (
    person && {
      position,
      from: { kind: "draft", number: null },
      person: { name: person.name, email: person.email },
    }
  );
}

/** Tickets have fewer reasons: all but the customer's legal rights become answering them. */
const asTicketReason = (reason: RevealReason): TicketRevealReason =>
  reason === "subjectAccess" || reason === "erasureRequest" ? reason : "ticket";
