import { contactRecord } from "../../domain/forms/sealed-records.ts";
import type { Order } from "../../domain/order/state.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { RevealReason } from "../../domain/order/vocabulary.ts";
import { personOfDraft } from "../../domain/saved-draft/sealed-records.ts";
import type { SavedDraft } from "../../domain/saved-draft/state.ts";
import { ticketContactRecord } from "../../domain/ticket/held-texts.ts";
import type { Ticket } from "../../domain/ticket/state.ts";
import type { TicketRevealReason } from "../../domain/ticket/vocabulary.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import { type RevealedContact, revealContact } from "../orders/staff/reveal-personal-data.ts";
import { subjectIfKnown } from "../policies/subject.ts";
import type { Customers, Finder, FoundSubject } from "../vault/blind-index.ts";
import type { TermKind } from "../vault/index-terms.ts";
import { openIfThere } from "../vault/vault.ts";

type CustomersParts = {
  readonly deps: OrderDependencies;
  readonly finder: Finder & Customers;
  readonly retention: TaskSettings;
};

export type TicketOfCustomer = { readonly ticket: Ticket; readonly linked: Order | undefined };

/** Everything of one email address, newest first. */
export type Customer = {
  readonly customerId: string;
  readonly orders: readonly Order[];
  readonly tickets: readonly TicketOfCustomer[];
  /** Unfinished orders that were saved. */
  readonly drafts: readonly SavedDraft[];
  /** Some was left out: beyond the limit, or unreadable. */
  readonly more: boolean;
};

/** Most orders and tickets on a customer's page. */
const mostOnPage = 200;
/**
 * Most orders and tickets in one subject access answer: bounds the work of a call, and is far above any real customer.
 */
export const mostInAccount = 2_000;
/** Most orders and tickets examined by a search. */
const mostFound = 40;

/**
 * A customer by id; undefined when no data of theirs is left.
 * @param unreadable leave out an unreadable order or ticket, or refuse the whole
 * @throws StreamUnreadable when refusing
 */
export async function loadCustomer(
  parts: CustomersParts,
  customerId: string,
  most = mostOnPage,
  unreadable: "left-out" | "refuses" = "left-out",
): Promise<Customer | undefined> {
  const { subjects, more } = await parts.finder.subjectsOf(customerId, most);
  if (subjects.length === 0) return undefined;
  const { fault, ...loaded } = await loadAll(parts, subjects);
  if (fault && unreadable === "refuses") throw fault;
  return { customerId, ...loaded, more: more || fault !== undefined };
}

/**
 * Customers that match a search, each with the orders and tickets it found; by email address, one at most.
 * `more`: there are further matches.
 */
export async function searchCustomers(
  parts: CustomersParts,
  kind: TermKind,
  typed: string,
): Promise<{ readonly customers: readonly Customer[]; readonly more: boolean }> {
  const { subjects, more } = await parts.finder.find(kind, typed, mostFound);
  const owners = await parts.finder.customersOf(subjects.map(({ id }) => id));
  const byOwner = Map.groupBy(subjects, ({ id }) => owners.get(id));
  const customers: Customer[] = [];
  for (const [customerId, own] of byOwner) {
    if (customerId === undefined) continue; // Erased between the two queries.
    const { fault, ...loaded } = await loadAll(parts, own);
    customers.push({ customerId, ...loaded, more: fault !== undefined });
  }
  return { customers, more };
}

async function loadAll({ deps }: CustomersParts, subjects: readonly FoundSubject[]) {
  const orders: Order[] = [];
  const tickets: TicketOfCustomer[] = [];
  const drafts: SavedDraft[] = [];
  let fault: StreamUnreadable | undefined;
  for (const { id } of subjects) {
    const subject = await subjectIfKnown(deps, id).catch((error: unknown) => {
      if (!(error instanceof StreamUnreadable)) throw error;
      fault = error;
      return undefined;
    });
    if (subject?.kind === "order") orders.push(subject.order);
    if (subject?.kind === "ticket") tickets.push({ ticket: subject.ticket, linked: subject.order });
    if (subject?.kind === "draft") drafts.push(subject.draft);
  }
  return {
    orders: orders.sort((one, other) => other.createdAt.localeCompare(one.createdAt)),
    tickets: tickets.sort((one, other) => other.ticket.openedAt.localeCompare(one.ticket.openedAt)),
    drafts: drafts.sort((one, other) => other.savedAt.localeCompare(one.savedAt)),
    fault,
  };
}

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
