import { londonDate } from "../../../domain/promise/london-time.ts";
import type { StaffNote, StaffReply } from "../../../domain/ticket/staff-requests.ts";
import { lookIntoTicket } from "../../tickets/look-into-ticket.ts";
import { noteOnTicket, replyToTicket } from "../../tickets/write-in-ticket.ts";
import { presentTicketState, presentWholeTicket } from "../admin-presenters/ticket.ts";
import { inboxQuery, inboxRequest, presentTicketList } from "../admin-presenters/ticket-list.ts";
import { validate } from "../guards/validate.ts";
import type { Parts } from "../parts.ts";
import type { Answer, StaffCall } from "../route.ts";
import { ticketIdOf } from "./find-ticket.ts";
import { assignableBy } from "./ticket-assignees.ts";
import { ticketWriting, workerOf } from "./ticket-writing.ts";

/** GET /api/admin/tickets */
export const listTickets =
  ({ queries, desk }: Parts) =>
  async ({ request, by }: StaffCall): Promise<Answer> => {
    const today = londonDate(desk.now().toISOString());
    const wanted = inboxRequest(validate(inboxQuery, request.query), by.userId);
    const [page, counts] = await Promise.all([
      queries.listTickets(wanted),
      queries.countTickets(by.userId, today),
    ]);
    return { body: presentTicketList(page, counts, today) };
  };

/** POST /api/admin/tickets/{ticketNumber}/open: one look, which the log remembers. */
export const openTicketForStaff =
  (parts: Parts) =>
  async (call: StaffCall): Promise<Answer> => {
    const { desk, queries } = parts;
    const whole = await lookIntoTicket(desk, await ticketIdOf(parts, call), "ticket", workerOf(call));
    const { ticket, position } = whole;
    const [history, order] = await Promise.all([
      desk.tickets.history(ticket.ticketId),
      ticket.linkedOrder && queries.getOrder(ticket.linkedOrder.orderId),
    ]);
    const today = londonDate(desk.now().toISOString());
    const assignable = assignableBy(parts, call.by);
    return {
      body: presentWholeTicket({ whole, history, order: order ?? null, assignable, today }),
      position,
    };
  };

/** POST /api/admin/tickets/{ticketNumber}/reply: the customer gets a mail and reads it behind their link. */
export const replyAsStaff =
  (parts: Parts) =>
  async (call: StaffCall<StaffReply>): Promise<Answer> => {
    const { message, next } = call.body;
    const writing = await ticketWriting(parts, call, "reply");
    const { ticket, position } = await replyToTicket(parts.desk, { ...writing, text: message, next });
    return { status: 201, body: presentTicketState(ticket), position };
  };

/** POST /api/admin/tickets/{ticketNumber}/note: no customer ever sees it. */
export const noteAsStaff =
  (parts: Parts) =>
  async (call: StaffCall<StaffNote>): Promise<Answer> => {
    const writing = await ticketWriting(parts, call, "note");
    const { ticket, position } = await noteOnTicket(parts.desk, { ...writing, text: call.body.note });
    return { status: 201, body: presentTicketState(ticket), position };
  };
