import { type Held, heldOf } from "../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../domain/order/personal-data/held-words.ts";
import { statusOf } from "../../domain/order/status.ts";
import type { PurgeRule } from "../../domain/order/vocabulary.ts";
import type { Company } from "../../domain/settings/company.ts";
import { categoryLabel } from "../../domain/ticket/categories.ts";
import { heldTexts } from "../../domain/ticket/held-texts.ts";
import { ticketStatusOf } from "../../domain/ticket/phases.ts";
import type { TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";
import { shortMoment } from "../orders/staff/page/moments.ts";
import { presentMails, presentPayments } from "../orders/staff/page/panels.ts";
import type { RevealedApplication, RevealedContact } from "../orders/staff/reveal-personal-data.ts";
import { lookAtOrder, lookAtTicket, occurrenceOf } from "./occurrences.ts";
import type { Seen } from "./present-customer.ts";
import { noticeOf } from "./processing-notice.ts";
import type { OrderAccount, SubjectAccess, TicketAccount } from "./subject-access.ts";

export type Made = Seen & { readonly controller: Company };

/**
 * Everything held about one person, for them to keep or take elsewhere (UK GDPR articles 15 and 20). Accesses by staff
 * are listed with time, subject and reason; the names of staff are their own personal data and are left out.
 */
export const presentSubjectAccess = ({ madeAt, orders, tickets, more }: SubjectAccess, made: Made) => ({
  madeAt,
  complete: !more,
  madeBy: made.controller.tradingName,
  notice: noticeOf(made.controller),
  orders: orders.map((account) => presentOrder(account, made)),
  conversations: tickets.map((account) => presentConversation(account, made)),
});

function presentOrder({ order, contact, application, history }: OrderAccount, { retention }: Made) {
  const { variant } = order;
  return {
    orderNumber: order.orderNumber,
    reference: order.reference,
    status: statusOf(order.phase),
    createdAt: order.createdAt,
    ordered: variant && {
      certificateType: variant.certificateType,
      copies: variant.copies,
      serviceLevel: variant.serviceLevel,
      totalPence: variant.totalPence,
    },
    agreedTo: {
      terms: order.terms && { version: order.terms.version, at: order.terms.acceptedAt },
      beginning: order.consent && { version: order.consent.version, at: order.consent.acceptedAt },
    },
    contact: contact && presentContact(contact),
    contactHeld: sentence(heldOf(order, "contact", retention)),
    application: application && presentApplication(application),
    applicationHeld: sentence(heldOf(order, "application", retention)),
    payments: presentPayments(order),
    mails: presentMails(history, order).map(({ template, result, at }) => ({ what: template, result, at })),
    looks: history.flatMap(lookAtOrder),
    history: history.map(({ event, metadata }) => occurrenceOf(event, metadata)),
  };
}

const presentContact = ({ contact, groReferences, notes, bankTransfers }: RevealedContact) => ({
  name: contact.contactFullName,
  company: contact.companyName,
  email: contact.email,
  address: {
    line1: contact.contactAddress.Address1,
    line2: contact.contactAddress.Address2,
    town: contact.contactAddress.Town,
    county: contact.contactAddress.County,
    postcode: contact.contactAddress.PostCode,
    country: contact.contactAddress.Country,
  },
  phone: { daytime: contact.contactPhone.Daytime, evening: contact.contactPhone.Evening },
  groOrderReferences: groReferences,
  bankTransfers,
  notes: notes.map(({ text }) => text),
});

/** Every answer, as sent to the GRO. */
const presentApplication = ({ application, signature }: RevealedApplication) => ({
  answers: application,
  signature,
});

function presentConversation({ whole, linked, history }: TicketAccount, { retention }: Made) {
  const { ticket, contact, messages, notes } = whole;
  return {
    ticketNumber: ticket.ticketNumber,
    about: categoryLabel(ticket.category),
    status: ticketStatusOf(ticket.phase),
    openedAt: ticket.openedAt,
    name: contact?.name ?? null,
    email: contact?.email ?? null,
    subject: contact?.subject ?? null,
    messages: messages.map(({ author, at, text }) => ({ from: author === "staff" ? "us" : "you", at, text })),
    notes: notes.map(({ at, text }) => ({ at, text })),
    held: sentence(heldTexts(ticket, linked, retention)),
    looks: history.flatMap(lookAtTicket),
  };
}

const sentence = (held: Held<PurgeRule | TicketPurgeRule>): string => heldSentence(held, shortMoment);
