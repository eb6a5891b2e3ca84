import * as acts from "../../../contract/tickets/acts.ts";
import * as inbox from "../../../contract/tickets/inbox.ts";
import * as contract from "../../../contract/tickets/ticket.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import type { StaffMember } from "../../gateway/guards/authorize.ts";
import type { HandlerDependencies } from "../../gateway/parts.ts";
import { staffRoute } from "../../gateway/routing/route.ts";
import { lookIntoTicket, type WholeTicket } from "../read-ticket.ts";
import { noteOnTicket, replyToTicket } from "../write-in-ticket.ts";
import { inboxRequest } from "./inbox-request.ts";
import { assigneesIn, presentTicketList } from "./present-inbox.ts";
import { presentTicketState, presentWholeTicket, type TicketPage } from "./present-ticket.ts";
import { staffIn } from "./present-ticket-history.ts";
import { assignableBy, ticketIdOf, ticketWriting, workerOf } from "./ticket-writing.ts";

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
export const replyAsStaff = staffRoute(acts.replyToCustomer, (dependencies) => async (call) => {
  const { message, next } = call.body;
  const writing = await ticketWriting(dependencies, call, "reply");
  const { ticket, position } = await replyToTicket(dependencies.deps, { ...writing, text: message, next });
  return { body: presentTicketState(ticket), position };
});

/** Never shown to customers. */
export const noteAsStaff = staffRoute(acts.noteOnTicket, (dependencies) => async (call) => {
  const writing = await ticketWriting(dependencies, call, "note");
  const { ticket, position } = await noteOnTicket(dependencies.deps, { ...writing, text: call.body.note });
  return { body: presentTicketState(ticket), position };
});
