import { ticketEventSchema, ticketEventSchemas } from "../domain/ticket/events.ts";
import { evolveTicket } from "../domain/ticket/evolve.ts";
import { absentTicket, type Ticket, ticketExists } from "../domain/ticket/state.ts";
import type { StoredEvent } from "../infra/event-store/event-store.ts";
import { eventReader } from "./runner/read-event.ts";

const readTicketEvent = eventReader(ticketEventSchemas, ticketEventSchema);

/** The ticket after one more event of its stream. @throws when the event is not understood, or comes before TicketOpened */
export function foldTicket(ticket: Ticket | undefined, stored: StoredEvent): Ticket {
  const { event, recorded } = readTicketEvent(stored);
  const folded = evolveTicket(ticket ?? absentTicket, event, recorded);
  if (!ticketExists(folded)) throw new Error(`There is no ticket after ${event.type}.`);
  return folded;
}
