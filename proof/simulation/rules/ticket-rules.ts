import { addDays, before, earlier, later } from "../../../domain/instant.ts";
import type { Order } from "../../../domain/order/state.ts";
import { ticketOwed } from "../../../domain/ticket/owed.ts";
import { isTicketGone, namedTicketRecords, type Ticket } from "../../../domain/ticket/state.ts";
import type { PastTicketEvent } from "../../../services/tickets/tickets.ts";
import { settings } from "../platform/product.ts";
import { mostOffMs } from "../platform/troubles.ts";
import { type Evidence, goneByMs, overdue, recordsLeft } from "./evidence.ts";

/** A ticket and its events. */
export type TicketSeen = { readonly ticket: Ticket; readonly history: readonly PastTicketEvent[] };

/** Allowed difference between the clocks of two machines. */
const toleranceMs = 2 * mostOffMs;

// What must hold of a ticket at the end, in the words of the domain.

/** @param order the one that it is linked to */
export async function brokenTicketRules(
  seen: TicketSeen,
  order: Order | undefined,
  evidence: Evidence,
): Promise<string[]> {
  return [
    ...messagesOf(seen, evidence),
    ...timeOfPurge(seen, order, evidence),
    ...(await textsOf(seen, evidence)),
    ...overdue(owedToTicket(seen, order), evidence),
  ];
}

export const owedToTicket = ({ ticket }: TicketSeen, order: Order | undefined) =>
  ticketOwed(ticket, order, settings);

function messagesOf({ ticket }: TicketSeen, { wishes }: Evidence): string[] {
  const most = 1 + wishes.of(ticket.ticketId);
  const { length } = ticket.messages;
  return length > most ? [`${length} messages, and ${most} were written`] : [];
}

function timeOfPurge(seen: TicketSeen, order: Order | undefined, evidence: Evidence): string[] {
  const since = notNeededFrom(seen, order);
  const start = seen.history.find(({ event }) => event.type === "TicketPurgeStarted");
  const isEarly = start && (!since || Date.parse(start.at) + toleranceMs < Date.parse(since));
  if (isEarly) return [`its purge began at ${start.at}, and it was needed until ${since}`];
  if (since === undefined) return [];
  const byMs = goneByMs(since, evidence);
  const { purgedAt } = seen.ticket.purge;
  const isLate = (purgedAt === null ? evidence.now.getTime() : Date.parse(purgedAt)) > byMs;
  return isLate ? [`messages needed until ${since} were purged at ${purgedAt}`] : [];
}

/** All texts are there, or all are gone. */
async function textsOf({ ticket }: TicketSeen, evidence: Evidence): Promise<string[]> {
  const { ticketId, phase } = ticket;
  const left = await recordsLeft(ticketId, "contact", evidence);
  if (phase === "Purged")
    return left.length > 0 ? [`${left.length} records of the ticket are still there`] : [];
  if (isTicketGone(ticket)) return [];
  const gone = namedTicketRecords(ticket).filter(({ ref }) => !left.includes(ref));
  return gone.length > 0 ? [`${gone.length} of its texts are needed, and gone`] : [];
}

/**
 * What customers are promised, told by the events: once the ticket is closed, or answered while closed, after a request
 * for erasure and the last mail, with the contact data of the order, or after the retention. Undefined while something
 * needs the texts.
 */
function notNeededFrom({ history }: TicketSeen, order: Order | undefined): string | undefined {
  const started = history.findIndex(({ event }) => event.type === "TicketPurgeStarted");
  const past = started < 0 ? history : history.slice(0, started);
  const last = (type: PastTicketEvent["event"]["type"]) => past.findLast(({ event }) => event.type === type);
  const turn = last("TicketStatusChanged");
  if (turn?.event.type !== "TicketStatusChanged" || turn.event.data.status !== "Closed") return undefined;
  const answer = past.findLast(
    ({ event: { type, data } }) => type === "TicketReplied" && data.author === "staff",
  );
  const [closedAt, linkedAt, erasureAt] = [
    later(turn.at, answer?.at ?? turn.at),
    last("TicketLinkedToOrder")?.at,
    last("ErasureRequested")?.at,
  ];
  const kept = addDays(closedAt, settings.contactRetentionDays);
  const goneAt = order && order.payments.length > 0 ? order.purges.contact.purgedAt : null;
  const follows = goneAt !== null && linkedAt !== undefined && before(linkedAt, goneAt);
  const withOrder = follows ? earlier(kept, later(goneAt, closedAt)) : kept;
  if (erasureAt === undefined || isMailOwed(past)) return withOrder;
  return earlier(withOrder, later(later(erasureAt, closedAt), lastMailAt(past) ?? closedAt));
}

const isMail = ({ event: { type } }: PastTicketEvent) => type === "MailSent" || type === "MailUndeliverable";

const lastMailAt = (past: readonly PastTicketEvent[]): string | undefined => past.findLast(isMail)?.at;

function isMailOwed(past: readonly PastTicketEvent[]): boolean {
  const told = new Set<string>();
  const replies: string[] = [];
  for (const { event, eventId } of past) {
    if (event.type === "TicketReplied") replies.push(eventId);
    if (!("about" in event.data)) continue;
    const { about } = event.data;
    // One that came back softly is tried again, unless there is a newer message on the page that it leads to.
    const isOutdated = replies.includes(about) && replies.at(-1) !== about;
    if (event.type === "MailBounced" && event.data.kind === "soft" && !isOutdated) told.delete(about);
    else told.add(about);
  }
  const lastLink = past.findLast(({ event }) => event.type === "TicketLinkReplaced");
  return past.some((each) => {
    const { type, data } = each.event;
    const isOccasion =
      type === "TicketOpened" || (type === "TicketReplied" && data.author === "staff") || each === lastLink;
    return isOccasion && !told.has(each.eventId);
  });
}
