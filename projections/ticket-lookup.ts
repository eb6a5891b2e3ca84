import { parseTicketNumber } from "../domain/numbers.ts";
import { ticketEventSchema, ticketEventSchemas, ticketIdOf } from "../domain/ticket/events.ts";
import { evolveTicket } from "../domain/ticket/evolve.ts";
import { ticketStatusOf } from "../domain/ticket/phases.ts";
import { absentTicket, type Ticket, ticketExists } from "../domain/ticket/state.ts";
import type { Author, TicketCategory, TicketStatus } from "../domain/ticket/vocabulary.ts";
import type { StoredEvent } from "../infra/event-store/event-store.ts";
import type { Pool } from "../infra/postgres/pool.ts";
import { answersBy } from "./answers-by.ts";
import type { Projection } from "./runner/projection.ts";
import { eventReader } from "./runner/read-event.ts";

/** A message of a conversation; its text is in the vault, under `ref`, until it is destroyed. */
export type LookedUpMessage = {
  readonly messageId: string;
  readonly author: Author;
  readonly at: string;
  readonly ref: string | null;
};

/** What the support page shows of a ticket, but for what was typed. Moments are ISO 8601 in UTC. Nothing in it is personal data. */
export type TicketLookup = {
  readonly ticketId: string;
  readonly ticketNumber: string;
  readonly category: TicketCategory;
  readonly status: TicketStatus;
  readonly openedAt: string;
  /** When the customer could last see a change. */
  readonly updatedAt: string;
  /** As the customer named it, unchecked. */
  readonly orderNumber: string | null;
  /** Of the private link that opens it. */
  readonly linkGeneration: number;
  /** The vault's record of name, email address and subject; null once it was destroyed. */
  readonly contactRef: string | null;
  /** Oldest first; the notes of staff are none of them. */
  readonly messages: readonly LookedUpMessage[];
  /** When all that was written was destroyed; null before. */
  readonly purgedAt: string | null;
};

/** The read model behind the support page. */
export const ticketLookup: Projection<Ticket> = {
  name: "ticket-lookup",
  version: 3,
  keyOf: ticketIdOf,
  table: {
    name: "tickets",
    columns: { ticket_number: "text", answer: "jsonb" },
    indexes: [{ unique: true, on: "(ticket_number)" }],
    row: (ticket) => ({ ticket_number: ticket.ticketNumber, answer: lookupOf(ticket) }),
  },
  fold: foldTicket,
};

/** What the support page shows of a ticket as it stands. */
export function lookupOf(ticket: Ticket): TicketLookup {
  const lastWritten = ticket.messages.at(-1)?.at ?? ticket.openedAt;
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
    messages: ticket.messages.map(({ messageId, author, at, ref }) => ({ messageId, author, at, ref })),
    purgedAt: ticket.purge.purgedAt,
  };
}

export type TicketQueries = {
  /** Undefined when there is no such ticket. */
  getTicket(ticketId: string): Promise<TicketLookup | undefined>;
  /** By the ticket number as somebody typed it. */
  lookUpTicket(ticketNumber: string): Promise<TicketLookup | undefined>;
};

/** Queries of the support page. */
export function ticketLookupQueries(pool: Pool): TicketQueries {
  const byNumber = answersBy<TicketLookup>(pool, ticketLookup, "ticket-by-number", "ticket_number");
  return {
    getTicket: answersBy<TicketLookup>(pool, ticketLookup, "ticket-by-id", "key"),
    async lookUpTicket(typed) {
      const ticketNumber = parseTicketNumber(typed);
      return ticketNumber === undefined ? undefined : byNumber(ticketNumber);
    },
  };
}

const readTicketEvent = eventReader(ticketEventSchemas, ticketEventSchema);

/** The ticket after one more event of its stream. @throws when the event is not understood, or comes before TicketOpened */
export function foldTicket(ticket: Ticket | undefined, stored: StoredEvent): Ticket {
  const { event, recorded } = readTicketEvent(stored);
  const folded = evolveTicket(ticket ?? absentTicket, event, recorded);
  if (!ticketExists(folded)) throw new Error(`There is no ticket after ${event.type}.`);
  return folded;
}
