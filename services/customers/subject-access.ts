import type { Order } from "../../domain/order/state.ts";
import { draftRecord } from "../../domain/saved-draft/sealed-records.ts";
import type { SavedDraft } from "../../domain/saved-draft/state.ts";
import type { Json } from "../../infra/json.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { PastEvent, ReadOrderHistory } from "../orders/staff/order-history.ts";
import {
  PersonalDataDestroyed,
  type RevealedApplication,
  type RevealedContact,
  revealApplication,
  revealContact,
} from "../orders/staff/reveal-personal-data.ts";
import { lookIntoTicket, type PastTicketEvent, type WholeTicket } from "../tickets/tickets.ts";
import { openIfThere } from "../vault/vault.ts";
import type { Customer } from "./customer.ts";

/** Everything held about one person, opened. Never stored and never logged. */
export type SubjectAccess = {
  readonly madeAt: string;
  readonly orders: readonly OrderAccount[];
  readonly tickets: readonly TicketAccount[];
  readonly drafts: readonly DraftAccount[];
  /** The answer was limited: more is held. */
  readonly more: boolean;
};

/** Data of an order. Null: destroyed, or never present. */
export type OrderAccount = {
  readonly order: Order;
  readonly contact: RevealedContact | null;
  readonly application: RevealedApplication | null;
  readonly history: readonly PastEvent[];
};

export type TicketAccount = {
  readonly whole: WholeTicket;
  /** The linked order. */
  readonly linked: Order | undefined;
  readonly history: readonly PastTicketEvent[];
};

/** An unfinished order that was saved. Null: destroyed meanwhile. */
export type DraftAccount = { readonly draft: SavedDraft; readonly answers: Json | null };

type SubjectAccessParts = {
  readonly deps: OrderDependencies;
  readonly orderHistory: ReadOrderHistory;
};

/**
 * Opens everything held about a customer. Each access is recorded with its reason before that order or ticket is
 * opened; the histories are read afterwards, and so include this very access.
 */
export async function gatherSubjectAccess(
  { deps, orderHistory }: SubjectAccessParts,
  customer: Customer,
  by: OnBehalf,
): Promise<SubjectAccess> {
  const orders: OrderAccount[] = [];
  for (const order of customer.orders) {
    const { orderId } = order;
    const opened = await openOrder(deps, order, by);
    orders.push({
      ...opened,
      history: await orderHistory(orderId),
      order: (await deps.orders.load(orderId)).order,
    });
  }
  const tickets: TicketAccount[] = [];
  for (const { ticket, linked } of customer.tickets) {
    const whole = await lookIntoTicket(deps, ticket.ticketId, "subjectAccess", by);
    tickets.push({ whole, linked, history: await deps.tickets.history(ticket.ticketId) });
  }
  const drafts: DraftAccount[] = [];
  for (const draft of customer.drafts) drafts.push(await openDraft(deps, draft, by));
  return { madeAt: deps.now().toISOString(), orders, tickets, drafts, more: customer.more };
}

async function openDraft(
  { drafts, vault, newId }: OrderDependencies,
  found: SavedDraft,
  by: OnBehalf,
): Promise<DraftAccount> {
  const { draftId, draftRef } = found;
  if (draftRef === null) return { draft: found, answers: null };
  const command = { type: "RevealPersonalData", data: { reason: "subjectAccess" } } as const;
  const draft = await drafts.execute({ draftId, commandId: newId(), by, command });
  return { draft, answers: (await openIfThere(vault, draftRef, draftRecord)) ?? null };
}

async function openOrder(deps: OrderDependencies, { orderId, vault }: Order, by: OnBehalf) {
  const looker = { by: { userId: by.actor.id }, correlationId: by.correlationId };
  const [contact, application] = [
    vault.contact && (await unlessDestroyed(() => revealContact(deps, orderId, "subjectAccess", looker))),
    vault.application &&
      (await unlessDestroyed(() => revealApplication(deps, orderId, "subjectAccess", looker))),
  ];
  return { contact: contact || null, application: application || null };
}

/** A purge between finding and opening the order is no error: the data is then destroyed, and reported so. */
async function unlessDestroyed<T>(reveal: () => Promise<{ readonly data: T }>): Promise<T | null> {
  try {
    return (await reveal()).data;
  } catch (error) {
    if (error instanceof PersonalDataDestroyed) return null;
    throw error;
  }
}
