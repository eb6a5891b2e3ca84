import type { Presented, Read } from "../../../contract/request.ts";
import { placeText } from "../../../contract/shapes.ts";
import type { ticketListAnswer } from "../../../contract/tickets/ticket.ts";
import * as inbox from "../../../contract/tickets/ticket.ts";
import * as contract from "../../../contract/tickets/ticket.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import type {
  TicketCounts,
  TicketListCursor,
  TicketListPage,
  TicketListRequest,
} from "../../../projections/tickets/ticket-list-queries.ts";
import type { StaffMember } from "../../gateway/guards/identify.ts";
import type { HandlerDependencies } from "../../gateway/parts.ts";
import { staffRoute } from "../../gateway/routing/route.ts";
import { lookIntoTicket, type WholeTicket } from "../tickets.ts";
import { noteOnTicket, replyToTicket } from "../write-in-ticket.ts";
import {
  type NameOf,
  presentPeople,
  presentTicketState,
  presentWholeTicket,
  staffIn,
  type TicketPage,
} from "./present-ticket.ts";
import { assignableBy, ticketIdOf, ticketWriting, workerOf } from "./ticket-changes.ts";

export const listTickets = staffRoute(
  inbox.listTickets,
  ({ queries, deps, directory }) =>
    async ({ body, by }) => {
      const today = londonDate(deps.now().toISOString());
      const wanted = inboxRequest(body, by.userId);
      const [page, counts] = await Promise.all([
        queries.listTickets(wanted),
        queries.countTickets(by.userId, today),
      ]);
      const nameOf = await directory.namesOf(assigneesIn(page.tickets));
      return { body: presentTicketList(page, counts, { nameOf, today }) };
    },
);

/** Records the access in the log. */
export const openTicketForStaff = staffRoute(contract.openTicketAsStaff, (dependencies) => async (call) => {
  const { deps } = dependencies;
  const whole = await lookIntoTicket(deps, await ticketIdOf(dependencies, call), "ticket", workerOf(call));
  const page = await ticketPage(dependencies, whole, call.by);
  return { body: presentWholeTicket(page), position: whole.position };
});

/** The data of a ticket's page apart from its texts. */
async function ticketPage(
  { deps, queries, directory, settings, finder }: HandlerDependencies,
  whole: WholeTicket,
  by: StaffMember,
): Promise<TicketPage> {
  const { ticketId, linkedOrder } = whole.ticket;
  const [history, order, customers] = await Promise.all([
    deps.tickets.history(ticketId),
    linkedOrder && queries.getOrder(linkedOrder.orderId),
    finder.customersOf([ticketId]),
  ]);
  const assignable = assignableBy({ settings }, by);
  const nameOf = await directory.namesOf([...staffIn(history), ...assignable]);
  const today = londonDate(deps.now().toISOString());
  const customerId = customers.get(ticketId) ?? null;
  return { whole, history, order: order ?? null, customerId, assignable, nameOf, today };
}

/** The customer receives an email and reads the reply behind their link. */
export const replyAsStaff = staffRoute(contract.replyToCustomer, (dependencies) => async (call) => {
  const { message, next } = call.body;
  const writing = await ticketWriting(dependencies, call, "reply");
  const { ticket, position } = await replyToTicket(dependencies.deps, { ...writing, text: message, next });
  return { body: presentTicketState(ticket), position };
});

/** Never shown to customers. */
export const noteAsStaff = staffRoute(contract.noteOnTicket, (dependencies) => async (call) => {
  const writing = await ticketWriting(dependencies, call, "note");
  const { ticket, position } = await noteOnTicket(dependencies.deps, { ...writing, text: call.body.note });
  return { body: presentTicketState(ticket), position };
});

/** User ids of the assignees. */
const assigneesIn = (tickets: TicketListPage["tickets"]): readonly string[] => [
  ...new Set(tickets.flatMap(({ assignee }) => assignee ?? [])),
];

/** The inbox, without personal data or message texts. `today` is London's, for the days left. */
function presentTicketList(
  { tickets, next }: TicketListPage,
  counts: TicketCounts,
  { nameOf, today }: { nameOf: NameOf; today: string },
): Presented<typeof ticketListAnswer> {
  return {
    today,
    counts: {
      open: counts.open,
      waiting: counts.waiting,
      due: counts.due,
      late: counts.late,
      unreached: counts.unreached,
    },
    tickets: tickets.map((ticket) => ({
      ticketNumber: ticket.ticketNumber,
      category: ticket.category,
      status: ticket.status,
      since: ticket.since,
      openedAt: ticket.openedAt,
      assignee: ticket.assignee,
      messages: ticket.messages,
      notes: ticket.notes,
      lastMessage: { author: ticket.lastMessage.author, at: ticket.lastMessage.at },
      orderNumber: ticket.orderNumber,
      linked: ticket.orderId !== null,
      clock: ticket.clock && {
        rule: ticket.clock.rule,
        dueOn: ticket.clock.dueOn,
        metOn: ticket.clock.metOn,
      },
      needsOtherAcknowledgement: ticket.needsOtherAcknowledgement,
      deletedAt: ticket.purgedAt,
    })),
    people: presentPeople(assigneesIn(tickets), nameOf),
    next: next && cursorOf(next),
  };
}

/** A place in the inbox, encoded for a URL. */
const cursorOf = ({ at, ticketId }: TicketListCursor): string => placeText([at, ticketId]);

/** The requested list; `mine` depends on the caller. */
function inboxRequest(
  { assignee, ...query }: Read<typeof inbox.listTickets>,
  userId: string,
): TicketListRequest {
  if (assignee === undefined) return query;
  return { ...query, assignee: assignee === "mine" ? userId : null };
}
