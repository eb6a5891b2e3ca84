import type {
  candidatesAnswer,
  customerAnswer,
  heldShown,
  orderShown,
  ticketShown,
  whoItIsAnswer,
} from "../../contract/customers/customers.ts";
import type { Presented } from "../../contract/request.ts";
import { type Held, heldAfterErasure, heldOf } from "../../domain/order/personal-data/held-data.ts";
import { type ErasureOutcome, erasureOutcome } from "../../domain/order/personal-data/held-words.ts";
import type { Order } from "../../domain/order/state.ts";
import { statusOf } from "../../domain/order/status.ts";
import type { TaskSettings } from "../../domain/order/tasks/task.ts";
import type { PurgeRule } from "../../domain/order/vocabulary.ts";
import { heldTexts, heldTextsAfterErasure } from "../../domain/ticket/held-texts.ts";
import { ticketStatusOf } from "../../domain/ticket/phases.ts";
import type { TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";
import { maskEmail, maskName } from "../orders/requests/present-orders.ts";
import type { Customer, NameAndEmail, RevealedCustomer, TicketOfCustomer } from "./customer.ts";

/** The time of the request, and the retention periods. */
export type Seen = { readonly now: string; readonly retention: TaskSettings };

/** A customer with the identity that can still be opened; presented masked. */
type Recognised = { readonly customer: Customer; readonly who: NameAndEmail | undefined };

export const presentCandidates = (
  found: readonly Recognised[],
  more: boolean,
  seen: Seen,
): Presented<typeof candidatesAnswer> => ({
  customers: found.map((recognised) => presentCustomer(recognised, seen)),
  more,
});

/** Masked. */
export const presentCustomer = (
  { customer, who }: Recognised,
  seen: Seen,
): Presented<typeof customerAnswer> => ({
  id: customer.customerId,
  name: who ? maskName(who.name) : null,
  email: who ? maskEmail(who.email) : null,
  orders: customer.orders.map((order) => presentOrder(order, seen)),
  tickets: customer.tickets.map((ticket) => presentTicket(ticket, seen)),
  drafts: customer.drafts.map(({ draftId, savedAt, expiresAt, end }) => ({
    id: draftId,
    savedAt,
    expiresAt,
    endedAt: end?.at ?? null,
  })),
  more: customer.more,
});

function presentOrder(order: Order, { now, retention }: Seen): Presented<typeof orderShown> {
  const { variant } = order;
  return {
    /** Topics of live updates. */
    id: order.orderId,
    orderNumber: order.orderNumber,
    status: statusOf(order.phase),
    createdAt: order.createdAt,
    certificateType: variant?.certificateType ?? null,
    copies: variant?.copies ?? null,
    serviceLevel: variant?.serviceLevel ?? null,
    totalPence: variant?.totalPence ?? order.quotedTotalPence,
    application: presentHeld(heldOf(order, "application", retention)),
    contact: presentHeld(heldOf(order, "contact", retention)),
    erasureRequestedAt: order.erasureRequestedAt,
    erasure: {
      application: presentOutcome(heldAfterErasure(order, "application", now, retention), now),
      contact: presentOutcome(heldAfterErasure(order, "contact", now, retention), now),
    },
  };
}

function presentTicket(
  { ticket, linked }: TicketOfCustomer,
  { now, retention }: Seen,
): Presented<typeof ticketShown> {
  return {
    id: ticket.ticketId,
    ticketNumber: ticket.ticketNumber,
    category: ticket.category,
    status: ticketStatusOf(ticket.phase),
    openedAt: ticket.openedAt,
    linkedOrderNumber: linked?.orderNumber ?? null,
    texts: presentHeld(heldTexts(ticket, linked, retention)),
    erasureRequestedAt: ticket.erasureRequestedAt,
    erasure: presentOutcome(heldTextsAfterErasure(ticket, linked, now, retention), now),
  };
}

type AnyRule = PurgeRule | TicketPurgeRule;

function presentHeld(held: Held<AnyRule>): Presented<typeof heldShown> {
  switch (held.state) {
    case "none":
      return { state: held.state };
    case "destroyed":
      return { state: held.state, at: held.at, rule: held.rule };
    case "due":
      return { state: held.state, until: held.until, rule: held.rule };
    case "needed":
      return { state: held.state, for: held.for };
  }
}

function presentOutcome(held: Held<AnyRule>, now: string): ErasureOutcome {
  const outcome = erasureOutcome(held, now);
  switch (outcome.outcome) {
    case "set":
      return { outcome: outcome.outcome, until: outcome.until, because: outcome.because };
    case "kept":
      return { outcome: outcome.outcome, because: outcome.because, ground: outcome.ground };
    default:
      return { outcome: outcome.outcome };
  }
}

/** A customer's identity, for a caller whose access was recorded. A ticket holds only name and email address. */
export function presentRevealed({ from, person }: RevealedCustomer): Presented<typeof whoItIsAnswer> {
  const contact = "contactFullName" in person ? person : null;
  return {
    from: { kind: from.kind, number: from.number },
    name: "contactFullName" in person ? person.contactFullName : person.name,
    email: person.email,
    company: contact?.companyName || null,
    address: contact && {
      line1: contact.contactAddress.Address1,
      line2: contact.contactAddress.Address2,
      town: contact.contactAddress.Town,
      county: contact.contactAddress.County,
      postcode: contact.contactAddress.PostCode,
      country: contact.contactAddress.Country,
    },
    phone: contact && { daytime: contact.contactPhone.Daytime, evening: contact.contactPhone.Evening },
  };
}
