import { heldOf } from "../../domain/order/personal-data/held-data.ts";
import { heldSentence } from "../../domain/order/personal-data/held-words.ts";
import type { Refund } from "../../domain/order/state.ts";
import { statusOf } from "../../domain/order/status.ts";
import type { DisputeOutcome } from "../../domain/order/vocabulary.ts";
import { formatPounds } from "../../domain/pricing/money.ts";
import { heldTexts } from "../../domain/ticket/held-texts.ts";
import { ticketStatusOf } from "../../domain/ticket/phases.ts";
import { categoryLabel } from "../../domain/ticket/vocabulary.ts";
import type { Json } from "../../infra/json.ts";
import { applicationSections, contactSections } from "../documents/application-form.ts";
import { shortMoment } from "../documents/dates.ts";
import type { PrintedDocument, PrintedFact, PrintedSection } from "../documents/print-pdf.ts";
import { presentMails } from "../orders/staff/page/panels.ts";
import {
  type DraftAccount,
  type LookAt,
  lookAtDraft,
  lookAtOrder,
  lookAtTicket,
  type Made,
  noticeOf,
  type Occurrence,
  type OrderAccount,
  occurrenceOf,
  type SubjectAccess,
  type TicketAccount,
} from "./subject-access.ts";

/** Everything held about one person as a readable document, with the same content as the JSON file. */
export function subjectAccessDocument(access: SubjectAccess, made: Made): PrintedDocument {
  const { tradingName } = made.controller;
  return {
    title: "What we hold about you",
    lead: [
      `Everything that ${tradingName} holds under your email address on ${shortMoment(access.madeAt)}. This document was made to answer your request, and we keep no copy.`,
      ...(access.more ? ["There is too much data for one document: ask us for the rest."] : []),
    ],
    sections: [
      { heading: "About this data", paragraphs: noticeOf(made.controller) },
      ...access.orders.flatMap((account) => orderSections(account, made)),
      ...access.tickets.flatMap((account) => conversationSections(account, made)),
      ...access.drafts.flatMap(draftSections),
    ],
    footer: `${tradingName} · what we hold about you`,
    author: tradingName,
    madeAt: new Date(access.madeAt),
  };
}

function orderSections(account: OrderAccount, { retention }: Made): PrintedSection[] {
  const { order, contact, application, question, history } = account;
  const about = (heading: string) => `Order ${order.orderNumber}: ${heading}`;
  const titled = (sections: readonly PrintedSection[]) =>
    sections.map((section) => ({ ...section, heading: about(section.heading) }));
  return [
    { heading: `Order ${order.orderNumber}`, facts: orderFacts(account) },
    ...titled(contact ? contactSections(contact.contact, "customer") : []),
    {
      heading: about("contact data"),
      paragraphs: [heldSentence(heldOf(order, "contact", retention), shortMoment)],
      facts: contact
        ? [
            ...contact.groReferences.map((value) => ({ name: "The GRO’s reference", value })),
            ...contact.bankTransfers.map((value) => ({ name: "Reference of a bank transfer to you", value })),
            ...contact.notes.map(({ text }) => ({ name: "Our note", value: text })),
          ]
        : [],
    },
    ...titled(
      application ? applicationSections(application.application, application.signature ?? undefined) : [],
    ),
    ...(question
      ? [{ heading: about("question of the General Register Office"), paragraphs: [question] }]
      : []),
    {
      heading: about("application data"),
      paragraphs: [heldSentence(heldOf(order, "application", retention), shortMoment)],
    },
    listed(about("payments"), paymentFacts(account), "No payments."),
    listed(
      about("mails"),
      presentMails(history, order).map(({ template, result, at }) => ({
        name: shortMoment(at),
        value: `${template}, ${mailWords[result]}`,
      })),
      "No emails were sent.",
    ),
    looksSection(about("who looked"), history.flatMap(lookAtOrder)),
    listed(
      about("history"),
      history.map(({ event, metadata }) => factOf(occurrenceOf(event, metadata))),
      "",
    ),
  ];
}

const mailWords = {
  sent: "sent",
  undeliverable: "could not be delivered",
  returned: "sent, and returned by your mail server",
  unwanted: "reported as spam from your address",
  owed: "still to be sent",
} as const;

function orderFacts({ order }: OrderAccount): PrintedFact[] {
  const { variant, terms, consent } = order;
  return [
    { name: "Placed", value: shortMoment(order.createdAt) },
    { name: "Status", value: statusOf(order.phase) },
    ...(variant
      ? [
          { name: "Ordered", value: `${variant.certificateType} certificate × ${variant.copies}` },
          { name: "Price", value: formatPounds(variant.totalPence) },
        ]
      : []),
    ...(terms
      ? [{ name: "Terms agreed to", value: `version ${terms.version}, ${shortMoment(terms.acceptedAt)}` }]
      : []),
    ...(consent
      ? [
          {
            name: "Asked us to start",
            value: `version ${consent.version}, ${shortMoment(consent.acceptedAt)}`,
          },
        ]
      : []),
  ];
}

const refundWords: Readonly<Record<Refund["status"], string>> = {
  pending: "in progress",
  issued: "made",
  failed: "failed",
};

const disputeWords: Readonly<Record<DisputeOutcome | "open", string>> = {
  open: "still open",
  won: "decided in our favour",
  lost: "decided in your favour",
  warningClosed: "inquiry closed, no money taken",
};

const paymentFacts = ({ order }: OrderAccount): PrintedFact[] => [
  ...order.payments.map(({ at, amountPence }) => ({
    name: shortMoment(at),
    value: `${formatPounds(amountPence)} paid`,
  })),
  ...order.refunds.map(({ at, amountPence, status }) => ({
    name: shortMoment(at),
    value: `refund of ${formatPounds(amountPence)}: ${refundWords[status]}`,
  })),
  ...order.disputes.map(({ openedAt, amountPence, outcome }) => ({
    name: shortMoment(openedAt),
    value: `${formatPounds(amountPence)} disputed at your bank: ${disputeWords[outcome ?? "open"]}`,
  })),
];

function conversationSections(
  { whole, linked, history }: TicketAccount,
  { retention }: Made,
): PrintedSection[] {
  const { ticket, contact, messages, notes } = whole;
  const about = `Conversation ${ticket.ticketNumber}`;
  const textOf = (text: string | null): string => text ?? "destroyed";
  return [
    {
      heading: about,
      paragraphs: [heldSentence(heldTexts(ticket, linked, retention), shortMoment)],
      facts: [
        { name: "About", value: categoryLabel(ticket.category) },
        { name: "Opened", value: shortMoment(ticket.openedAt) },
        { name: "Status", value: ticketStatusOf(ticket.phase) },
        ...(contact
          ? [
              { name: "Name", value: contact.name },
              { name: "Email", value: contact.email },
              { name: "Subject", value: contact.subject },
            ]
          : []),
        ...messages.map((message) => ({
          name: `${howItCame(message)}, ${shortMoment(message.at)}`,
          value: [textOf(message.text), message.quoted, ...message.files.map(({ name }) => `File: ${name}`)]
            .filter((part) => part !== "")
            .join("\n"),
        })),
        ...notes.map(({ at, text }) => ({ name: `Our note, ${shortMoment(at)}`, value: textOf(text) })),
      ],
    },
    looksSection(`${about}: who has read it`, history.flatMap(lookAtTicket)),
  ];
}

function howItCame({ author, automatic, mail }: TicketAccount["whole"]["messages"][number]): string {
  if (automatic) return "An automatic reply came";
  return `${author === "staff" ? "We" : "You"} wrote${mail ? " by email" : ""}`;
}

function draftSections({ draft, answers }: DraftAccount): PrintedSection[] {
  const { savedAt, expiresAt, end, reveals } = draft;
  const about = `Unfinished order, saved ${shortMoment(savedAt)}`;
  const kept = end
    ? `It ended ${shortMoment(end.at)}.`
    : `We delete it ${shortMoment(expiresAt)} at the latest.`;
  return [
    { heading: about, paragraphs: [kept], facts: answers === null ? [] : answerFacts(answers) },
    looksSection(`${about}: who has read it`, reveals.map(lookAtDraft)),
  ];
}

/** Each answer that was given, under its name in the form: "Others, 1, death, occupation". */
function answerFacts(answer: Json, names: readonly string[] = []): PrintedFact[] {
  if (answer === null || answer === "" || answer === undefined) return [];
  if (typeof answer !== "object") return [{ name: nameOf(names), value: String(answer) }];
  const parts = Array.isArray(answer)
    ? answer.map((part, index) => [String(index + 1), part] as const)
    : Object.entries(answer);
  return parts.flatMap(([name, part]) => answerFacts(part, [...names, name]));
}

function nameOf(names: readonly string[]): string {
  const words = names.map((name) => name.replaceAll(/([A-Z])/g, " $1").toLowerCase()).join(", ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const looksSection = (heading: string, looks: readonly LookAt[]): PrintedSection =>
  listed(
    heading,
    looks.map(({ at, what, why }) => ({
      name: shortMoment(at),
      value: `A member of staff read ${what}: ${why}`,
    })),
    "No access by staff.",
  );

const factOf = ({ at, what, detail }: Occurrence): PrintedFact => ({
  name: shortMoment(at),
  value: detail === null ? what : `${what}: ${detail}`,
});

const listed = (heading: string, facts: readonly PrintedFact[], nothing: string): PrintedSection =>
  facts.length > 0 || nothing === "" ? { heading, facts } : { heading, paragraphs: [nothing] };
