import type { ActorKind } from "../../domain/decider.ts";
import type { ContactRecord } from "../../domain/forms/sealed-records.ts";
import type { OrderEvent } from "../../domain/order/events.ts";
import { type Held, heldOf } from "../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../domain/order/personal-data/held-words.ts";
import { questionOf } from "../../domain/order/personal-data/vault-records.ts";
import type { Order } from "../../domain/order/state.ts";
import { statusOf } from "../../domain/order/status.ts";
import type { PurgeRule } from "../../domain/order/vocabulary.ts";
import { draftRecord } from "../../domain/saved-draft/sealed-records.ts";
import type { SavedDraft } from "../../domain/saved-draft/state.ts";
import { type Company, contactLines, registrationLines } from "../../domain/settings/company.ts";
import { heldTexts } from "../../domain/ticket/held-texts.ts";
import { ticketStatusOf } from "../../domain/ticket/phases.ts";
import { categoryLabel, type TicketPurgeRule } from "../../domain/ticket/vocabulary.ts";
import type { Json } from "../../infra/json.ts";
import { shortMoment } from "../documents/dates.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf, PastEvent, ReadOrderHistory } from "../orders/orders.ts";
import { words } from "../orders/staff/page/code-words.ts";
import { wordsOf } from "../orders/staff/page/event-words.ts";
import { presentMails, presentPayments } from "../orders/staff/page/panels.ts";
import {
  PersonalDataDestroyed,
  type RevealedApplication,
  type RevealedContact,
  revealApplication,
  revealContact,
  revealQuestion,
} from "../orders/staff/reveal-personal-data.ts";
import { lookIntoTicket, type PastTicketEvent, type WholeTicket } from "../tickets/tickets.ts";
import { openIfThere } from "../vault/vault.ts";
import type { Customer } from "./customer.ts";
import type { Seen } from "./present-customer.ts";

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
  /** The text of a question of the GRO that waits for an answer. */
  readonly question: string | null;
  readonly history: readonly PastEvent[];
};

export type TicketAccount = {
  readonly whole: WholeTicket;
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
  const [contact, application, question] = [
    vault.contact && (await unlessDestroyed(() => revealContact(deps, orderId, "subjectAccess", looker))),
    vault.application &&
      (await unlessDestroyed(() => revealApplication(deps, orderId, "subjectAccess", looker))),
    questionOf(vault) &&
      (await unlessDestroyed(() => revealQuestion(deps, orderId, "subjectAccess", looker))),
  ];
  return { contact: contact || null, application: application || null, question: question || null };
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

export type Made = Seen & { readonly controller: Company };

/**
 * Everything held about one person, for them to keep or take elsewhere (UK GDPR articles 15 and 20). Accesses by staff
 * are listed with time, subject and reason; the names of staff are their own personal data and are left out.
 */
export const presentSubjectAccess = (
  { madeAt, orders, tickets, drafts, more }: SubjectAccess,
  made: Made,
) => ({
  madeAt,
  complete: !more,
  madeBy: made.controller.tradingName,
  notice: noticeOf(made.controller),
  orders: orders.map((account) => presentOrder(account, made)),
  conversations: tickets.map((account) => presentConversation(account, made)),
  unfinishedOrders: drafts.map(({ draft: { savedAt, expiresAt, end, reveals }, answers }) => ({
    savedAt,
    keptUntil: end?.at ?? expiresAt,
    answers,
    looks: reveals.map(lookAtDraft),
  })),
});

function presentOrder({ order, contact, application, question, history }: OrderAccount, { retention }: Made) {
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
    ...(question && { questionOfTheGro: question }),
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
  address: presentAddress(contact.contactAddress),
  phone: { daytime: contact.contactPhone.Daytime, evening: contact.contactPhone.Evening },
  groOrderReferences: groReferences,
  bankTransfers,
  notes: notes.map(({ text }) => text),
  ...(contact.recipient && {
    certificatePostedTo: {
      name: contact.recipient.fullName,
      address: presentAddress(contact.recipient.address),
    },
  }),
  ...(contact.customerReference && { yourReference: contact.customerReference }),
});

const presentAddress = (address: ContactRecord["contactAddress"]) => ({
  line1: address.Address1,
  line2: address.Address2,
  town: address.Town,
  county: address.County,
  postcode: address.PostCode,
  country: address.Country,
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
    messages: messages.map(({ author, at, text, quoted, mail, automatic, files }) => ({
      ...{ from: author === "staff" ? "us" : "you", at, text },
      ...(mail && { byEmail: true, quoted, automatic }),
      ...(files.length > 0 && { files: files.map(({ name, type, bytes }) => ({ name, type, bytes })) }),
    })),
    notes: notes.map(({ at, text }) => ({ at, text })),
    held: sentence(heldTexts(ticket, linked, retention)),
    looks: history.flatMap(lookAtTicket),
  };
}

const sentence = (held: Held<PurgeRule | TicketPurgeRule>): string => heldSentence(held, shortMoment);

/** An event, described to the person concerned. */
export type Occurrence = { readonly at: string; readonly what: string; readonly detail: string | null };

/** An access by staff: when, to what, why. */
export type LookAt = { readonly at: string; readonly what: string; readonly why: string };

const actorKinds: Readonly<Record<string, ActorKind>> = {
  customer: "customer",
  staff: "staff",
  system: "system",
  provider: "provider",
};

export function occurrenceOf(
  event: OrderEvent,
  { at, actor }: { readonly at: string; readonly actor: { readonly kind: string } },
): Occurrence {
  const { title, detail } = wordsOf(event, actorKinds[actor.kind] ?? "system");
  return { at, what: title, detail };
}

export const lookAtOrder = ({ event, metadata: { at } }: PastEvent): LookAt[] =>
  event.type === "PersonalDataRevealed"
    ? [{ at, what: words.dataClass[event.data.dataClass], why: words.reveal[event.data.reason] }]
    : [];

export const lookAtTicket = ({ event, at }: PastTicketEvent): LookAt[] =>
  event.type === "PersonalDataRevealed"
    ? [{ at, what: "the conversation", why: words.reveal[event.data.reason] }]
    : event.type === "OriginalRevealed"
      ? [{ at, what: "your email as it came", why: words.reveal[event.data.reason] }]
      : [];

/** The information that UK GDPR article 15(1) requires with the data. */
export const noticeOf = (controller: Company): readonly string[] => [
  `${controller.tradingName} holds this data to carry out your orders and to answer you, under its contract with you and where the law requires it.`,
  "All of it came from you, except payments (from the payment provider), the General Register Office’s reference and answers, and our own notes.",
  "We shared it with the General Register Office, the payment provider (amounts and order ids; only it has your card details) and our email provider. We do not sell it, and we make no automated decisions about you.",
  "We delete the details in your application within minutes of submission. Each section says what we hold, until when, and which rule then deletes it.",
  `You can ask us to correct or erase it, object to its use, restrict its use, or take it elsewhere: email ${controller.supportEmail} or write to us on our support page.`,
  [
    `${[controller.tradingName, ...contactLines(controller)].join(", ")}.`,
    ...registrationLines(controller),
  ].join(" "),
  "You can complain to the Information Commissioner’s Office (ico.org.uk).",
];

export const lookAtDraft = ({ at, reason }: SavedDraft["reveals"][number]): LookAt => ({
  at,
  what: "the saved answers",
  why: words.reveal[reason],
});
