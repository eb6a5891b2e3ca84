import { parseTicketNumber } from "../../domain/numbers.ts";
import { ticketEventSchema, ticketEventSchemas, ticketIdOf } from "../../domain/ticket/events.ts";
import { evolveTicket } from "../../domain/ticket/evolve.ts";
import { ticketStatusOf } from "../../domain/ticket/phases.ts";
import {
  absentTicket,
  type Ticket,
  type TicketMessage,
  ticketExists,
  writtenMessages,
} from "../../domain/ticket/state.ts";
import type { Author, MailContent, TicketCategory, TicketStatus } from "../../domain/ticket/vocabulary.ts";
import type { StoredEvent } from "../../infra/event-store/event-store.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { answersBy } from "../answers-by.ts";
import { eventReader, type Projection } from "../runner/projection.ts";

/** A message of a conversation; its text is in the vault, under `ref`, until purged. */
export type LookedUpMessage = {
  readonly messageId: string;
  readonly author: Author;
  readonly at: string;
  readonly ref: string | null;
  readonly byMail: boolean;
  readonly automatic: boolean;
  readonly attachments: TicketMessage["attachments"];
};

/** The support page's view of a ticket, without its texts. Times are ISO 8601 in UTC. No personal data. */
export type TicketLookup = {
  readonly ticketId: string;
  readonly ticketNumber: string;
  readonly category: TicketCategory;
  readonly status: TicketStatus;
  readonly openedAt: string;
  /** When the customer could last see a change. */
  readonly updatedAt: string;
  /** As given by the customer, unchecked. */
  readonly orderNumber: string | null;
  /** Of its private link. */
  readonly linkGeneration: number;
  /** The vault record of name, email address and subject; null once purged. */
  readonly contactRef: string | null;
  /** What the mail about an answer says. */
  readonly mailContent: MailContent;
  /** Oldest first, without staff notes. */
  readonly messages: readonly LookedUpMessage[];
  /** When all texts were purged; null before. */
  readonly purgedAt: string | null;
};

/** The read model behind the support page. */
export const ticketLookup: Projection<Ticket> = {
  name: "ticket-lookup",
  version: 7,
  keyOf: ticketIdOf,
  table: {
    name: "tickets",
    columns: { ticket_number: "text", answer: "jsonb" },
    indexes: [{ unique: true, on: "(ticket_number)" }],
    row: (ticket) => ({ ticket_number: ticket.ticketNumber, answer: lookupOf(ticket) }),
  },
  fold: foldTicket,
};

export function lookupOf(ticket: Ticket): TicketLookup {
  const lastWritten = writtenMessages(ticket).at(-1)?.at ?? ticket.openedAt;
  return {
    ticketId: ticket.ticketId,
    ticketNumber: ticket.ticketNumber,
    category: ticket.category,
    status: ticketStatusOf(ticket.phase),
    openedAt: ticket.openedAt,
    updatedAt: lastWritten > ticket.phaseSince ? lastWritten : ticket.phaseSince,
    orderNumber: ticket.orderNumber,
    linkGeneration: ticket.linkGeneration,
    contactRef: ticket.contactRef,
    mailContent: ticket.mailContent,
    messages: ticket.messages.map(lookedUp),
    purgedAt: ticket.purge.purgedAt,
  };
}

const lookedUp = ({ messageId, author, at, ref, automatic, mail, attachments }: TicketMessage) => ({
  ...{ messageId, author, at, ref, automatic, attachments },
  byMail: mail !== null,
});

export type TicketQueries = {
  /** By the ticket number, however it was typed; undefined for an unknown ticket. */
  lookUpTicket(ticketNumber: string): Promise<TicketLookup | undefined>;
};

type AnswerRow = { readonly key: string; readonly ticket_number: string; readonly answer: TicketLookup };

export function ticketLookupQueries(pool: Pool): TicketQueries {
  const answers = {
    projection: ticketLookup,
    columns: ["key", "ticket_number", "answer"] as const,
    read: ({ answer }: AnswerRow) => answer,
  };
  const byNumber = answersBy(pool, answers, "ticket-by-number", "ticket_number");
  return {
    async lookUpTicket(typed) {
      const ticketNumber = parseTicketNumber(typed);
      return ticketNumber === undefined ? undefined : byNumber(ticketNumber);
    },
  };
}

const readTicketEvent = eventReader(ticketEventSchemas, ticketEventSchema);

/** The ticket after an event. @throws when the event is not understood, or comes before TicketOpened */
export function foldTicket(ticket: Ticket | undefined, stored: StoredEvent): Ticket {
  const { event, recorded } = readTicketEvent(stored);
  const folded = evolveTicket(ticket ?? absentTicket, event, recorded);
  if (!ticketExists(folded)) throw new Error(`There is no ticket after ${event.type}.`);
  return folded;
}
