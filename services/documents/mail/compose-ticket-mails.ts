import type { Company } from "../../../domain/settings/company.ts";
import type { TicketContactRecord } from "../../../domain/ticket/held-texts.ts";
import { daysUntilSilence } from "../../../domain/ticket/owed.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import { categoryLabel, type TicketMailTemplate } from "../../../domain/ticket/vocabulary.ts";
import type { Mail } from "../../providers/smtp/mailer.ts";
import { addressMail, composerOf, type Template } from "./address-mail.ts";
import { type TicketOccasion, ticketAnswered, ticketLink, ticketOpened } from "./templates/tickets.ts";

type MailFacts = { ticket: Ticket; occasion: TicketOccasion; company: Company; about: string };

const templates: Readonly<Record<TicketMailTemplate, Template<MailFacts>>> = {
  ticketOpened: {
    version: 2,
    write: ({ ticket, occasion, company }) =>
      ticketOpened(
        {
          ...occasion,
          openedAt: ticket.openedAt,
          category: categoryLabel(ticket.category),
          acknowledgeBy: ticket.acknowledgement.by,
        },
        company,
      ),
  },
  ticketAnswered: {
    version: 2,
    write: ({ ticket, occasion, company, about }) => {
      const answer = ticket.messages.find(({ messageId }) => messageId === about);
      if (!answer) throw new Error("A mail announces an answer that the ticket does not have.");
      return ticketAnswered({ ...occasion, answeredAt: answer.at, daysUntilSilence }, company);
    },
  },
  ticketLink: { version: 2, write: ({ occasion, company }) => ticketLink(occasion, company) },
};

/** Matches names, and rejects advertisements for other sites. */
const looksLikeName = /^[^\d@/:<>\n\r\t]{1,60}$/;
const holdsDomain = /\.\p{L}{2,}/u;

/** Anyone can have this mail sent to any address, so the greeting includes nothing except a name. */
const greetingOf = (name: string): string =>
  looksLikeName.test(name) && !holdsDomain.test(name) ? name : "customer";

/** Writes the mails of tickets from their state and the contact record. */
export function composeTicketMails(parts: {
  /** Read for each mail. */
  company: () => Company;
  /** The link that opens a ticket without signing in. */
  linkTo: (ticketId: string, generation: number) => string;
}): TicketMails {
  const write = ({ ticket, contact, template, about }: TicketMailOccasion): Mail | undefined => {
    if (!contact) return undefined;
    const company = parts.company();
    const occasion: TicketOccasion = {
      name: greetingOf(contact.name),
      ticketNumber: ticket.ticketNumber,
      link: parts.linkTo(ticket.ticketId, ticket.linkGeneration),
    };
    const letter = templates[template].write({ ticket, occasion, company, about });
    return addressMail(letter, {
      to: contact.email,
      name: occasion.name,
      reference: { name: "Ticket", value: ticket.ticketNumber },
      company,
      messageId: `${template}.${about}`,
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
};

export interface TicketMails {
  /** `mail` is undefined without a recipient. */
  compose(occasion: TicketMailOccasion): { templateVersion: number; mail: Mail | undefined };
}
