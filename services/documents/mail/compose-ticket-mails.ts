import type { Company } from "../../../domain/settings/company.ts";
import type { TicketContactRecord } from "../../../domain/ticket/held-texts.ts";
import { daysUntilSilence } from "../../../domain/ticket/owed.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import { categoryLabel, type TicketMailTemplate } from "../../../domain/ticket/vocabulary.ts";
import type { ReturnTo } from "../../correspondence/return-address.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { writtenDate, writtenMoment } from "../dates.ts";
import {
  addressMail,
  button,
  composerOf,
  facts,
  greetingOf,
  heading,
  type Letter,
  list,
  paragraph,
  type Template,
} from "./letter.ts";

type MailFacts = {
  ticket: Ticket;
  occasion: TicketOccasion;
  company: Company;
  about: string;
  answer: string | undefined;
};

const templates: Readonly<Record<TicketMailTemplate, Template<MailFacts>>> = {
  ticketOpened: {
    version: 2,
    write: ({ ticket, occasion, company, about }) =>
      ticketOpened(
        {
          ...occasion,
          // Automatic mail may have opened the ticket before.
          receivedAt: ticket.messages.find(({ messageId }) => messageId === about)?.at ?? ticket.openedAt,
          category: categoryLabel(ticket.category),
          acknowledgeBy: ticket.acknowledgement.by,
        },
        company,
      ),
  },
  ticketAnswered: {
    version: 3,
    write: ({ ticket, occasion, company, about, answer: text }) => {
      const answer = ticket.messages.find(({ messageId }) => messageId === about);
      if (!answer) throw new Error("A mail announces an answer that the ticket does not have.");
      return ticketAnswered({ ...occasion, answeredAt: answer.at, daysUntilSilence, text }, company);
    },
  },
  ticketLink: { version: 2, write: ({ occasion, company }) => ticketLink(occasion, company) },
};

/** Writes the mails of tickets from their state and the contact record. */
export function composeTicketMails(parts: {
  /** Read for each mail. */
  company: () => Company;
  /** The link that opens a ticket without signing in. */
  linkTo: (ticketId: string, generation: number) => string;
  returnTo: ReturnTo;
}): TicketMails {
  const write = ({ ticket, contact, template, about, answer }: TicketMailOccasion): Mail | undefined => {
    if (!contact) return undefined;
    const company = parts.company();
    const occasion: TicketOccasion = {
      name: greetingOf(contact.name),
      ticketNumber: ticket.ticketNumber,
      link: parts.linkTo(ticket.ticketId, ticket.linkGeneration),
    };
    const letter = templates[template].write({ ticket, occasion, company, about, answer });
    const messageId = `${template}.${about}`;
    const thread = { kind: "ticket", id: ticket.ticketId } as const;
    return addressMail(letter, {
      to: contact.email,
      name: occasion.name,
      reference: { name: "Ticket", value: ticket.ticketNumber },
      company,
      messageId,
      thread,
      returnTo: parts.returnTo({ subject: thread, messageId, generation: ticket.linkGeneration }),
    });
  };
  return composerOf(templates, write);
}

/** The event of a mail; `contact` is undefined once the record was purged. */
type TicketMailOccasion = {
  ticket: Ticket;
  contact: TicketContactRecord | undefined;
  template: TicketMailTemplate;
  about: string;
  /** The answer's text, where the customer chose to have it by mail; undefined: a link. */
  answer?: string | undefined;
};

export interface TicketMails {
  /** `mail` is undefined without a recipient. */
  compose(occasion: TicketMailOccasion): { templateVersion: number; mail: Mail | undefined };
}

/** Content of every mail about a ticket; only the name is personal. */
type TicketOccasion = {
  name: string;
  ticketNumber: string;
  link: string;
};

/** How to return to the conversation, in each of these mails. */
const comingBack = (supportEmail: string) =>
  paragraph(
    `Anyone with the link can open your conversation, so please do not forward this email. You can also open it with the ticket number and your email address. For anything else, email ${supportEmail}.`,
  );

const dataProtection = (acknowledgeBy: string) => [
  heading("Your data protection complaint"),
  paragraph(
    `This email acknowledges your complaint, which the law requires us to do by ${writtenDate(acknowledgeBy)}.`,
  ),
  list(
    "We will look into it without undue delay, keep you informed, and tell you the outcome in this conversation.",
    "You can complain to the Information Commissioner (ico.org.uk) at any time, even while we are looking into it.",
  ),
];

type TicketOpenedValues = TicketOccasion & {
  receivedAt: string;
  /** `A question before I order`. */
  category: string;
  /** Statutory deadline for acknowledging a data protection complaint. */
  acknowledgeBy: string | null;
};

const ticketOpened = (values: TicketOpenedValues, { supportEmail }: { supportEmail: string }): Letter => ({
  subject: "We have received your message",
  blocks: [
    paragraph(
      "Thank you for writing to us. A person will read your message, and we’ll email you when they have replied.",
    ),
    facts(
      { name: "Ticket number", value: values.ticketNumber },
      { name: "About", value: values.category },
      { name: "Received", value: writtenMoment(values.receivedAt) },
    ),
    ...(values.acknowledgeBy === null ? [] : dataProtection(values.acknowledgeBy)),
    button("Open your conversation", values.link),
    comingBack(supportEmail),
    paragraph(
      "If you did not write to us, someone gave your address by mistake and you can ignore this email.",
    ),
  ],
});

type TicketAnsweredValues = TicketOccasion & {
  answeredAt: string;
  daysUntilSilence: number;
  text: string | undefined;
};

/** The reply in full, for a customer who chose that. */
const fullReply = ({ text = "", answeredAt, link }: TicketAnsweredValues) => [
  paragraph(`We replied to your message on ${writtenMoment(answeredAt)}:`),
  ...text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => paragraph(line)),
  button("Open your conversation", link),
  paragraph(
    "This email has our reply because you chose that. On the page of your conversation you can choose to be sent only a link.",
  ),
];

const announcedReply = ({ answeredAt, link }: TicketAnsweredValues) => [
  paragraph(
    `We replied to your message on ${writtenMoment(answeredAt)}. You can read our reply, and respond, here:`,
  ),
  button("Read our reply", link),
];

/** Tells of a reply, whose text stays behind the link unless the customer chose otherwise. */
const ticketAnswered = (
  values: TicketAnsweredValues,
  { supportEmail }: { supportEmail: string },
): Letter => ({
  subject: "We have replied to your message",
  blocks: [
    ...(values.text === undefined ? announcedReply(values) : fullReply(values)),
    paragraph(
      `If we do not hear from you for ${values.daysUntilSilence} days, we’ll assume that all is well and close the conversation. Replying reopens it.`,
    ),
    comingBack(supportEmail),
  ],
});

const ticketLink = (values: TicketOccasion, { supportEmail }: { supportEmail: string }): Letter => ({
  subject: "Your new private link",
  blocks: [
    paragraph("You have a new private link to your conversation. Earlier links no longer work."),
    button("Open your conversation", values.link),
    comingBack(supportEmail),
  ],
});
