import type { Order } from "../../domain/order/state.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { SavedDraft } from "../../domain/saved-draft/state.ts";
import type { Ticket } from "../../domain/ticket/state.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { subjectIfKnown } from "../policies/subject.ts";
import type { Customers, Finder, FoundSubject, TermKind } from "../vault/finding.ts";

type CustomersParts = {
  readonly deps: OrderDependencies;
  readonly finder: Finder & Customers;
  readonly retention: TaskSettings;
};

/** A ticket, and the order it is linked to. */
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
