import {
  acknowledgeRequest,
  assignRequest,
  linkTicketRequest,
  seenRequest,
  staffNote,
  staffReply,
  ticketStatusRequest,
} from "../../../domain/ticket/staff-requests.ts";
import {
  acknowledgeTicket,
  assignTicket,
  changeTicketStatus,
  linkTicketToOrder,
  replaceLinkAsStaff,
} from "../admin-handlers/ticket-changes.ts";
import { listTickets, noteAsStaff, openTicketForStaff, replyAsStaff } from "../admin-handlers/tickets.ts";
import { ticketStateAnswer, wholeTicketAnswer } from "../admin-presenters/ticket.ts";
import { ticketListAnswer } from "../admin-presenters/ticket-list.ts";
import { answers, creates } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";
import { inboxQuery } from "./inbox-request.ts";

const staff = ["staff", "manager"] as const;
const refuses = ["not-found", "forbidden-in-phase", "changed-meanwhile", "idempotency-key-reused"] as const;
const ticket = "/api/admin/tickets/{ticketNumber}";

/** The inbox, a ticket, and what can be done with it. */
export const ticketRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/tickets", staff, {
    summary: "The inbox",
    limit: "reads",
    query: inboxQuery,
    answers: answers(ticketListAnswer),
    handle: listTickets(parts),
  }),
  forRoles("POST", `${ticket}/open`, staff, {
    summary: "Read a conversation; the look is recorded",
    limit: "reads",
    body: noBody,
    answers: answers(wholeTicketAnswer),
    refuses: ["not-found"],
    handle: openTicketForStaff(parts),
  }),
  forRoles("POST", `${ticket}/reply`, staff, {
    summary: "Answer a customer",
    limit: "commands",
    body: staffReply,
    answers: creates(ticketStateAnswer),
    refuses,
    handle: replyAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/note`, staff, {
    summary: "Note something on a ticket",
    limit: "commands",
    body: staffNote,
    answers: creates(ticketStateAnswer),
    refuses,
    handle: noteAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/assign`, staff, {
    summary: "Give a ticket to somebody, or back",
    limit: "commands",
    body: assignRequest,
    answers: answers(ticketStateAnswer),
    refuses,
    handle: assignTicket(parts),
  }),
  forRoles("POST", `${ticket}/status`, staff, {
    summary: "Change a ticket's status",
    limit: "commands",
    body: ticketStatusRequest,
    answers: answers(ticketStateAnswer),
    refuses,
    handle: changeTicketStatus(parts),
  }),
  forRoles("POST", `${ticket}/link`, staff, {
    summary: "Link a ticket to an order",
    limit: "commands",
    body: linkTicketRequest,
    answers: answers(ticketStateAnswer),
    refuses,
    handle: linkTicketToOrder(parts),
  }),
  forRoles("POST", `${ticket}/replace-link`, staff, {
    summary: "Replace a ticket's private link",
    limit: "commands",
    body: seenRequest,
    answers: answers(ticketStateAnswer),
    refuses,
    handle: replaceLinkAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/acknowledge`, staff, {
    summary: "Record an acknowledgement by other means than mail",
    limit: "commands",
    body: acknowledgeRequest,
    answers: answers(ticketStateAnswer),
    refuses,
    handle: acknowledgeTicket(parts),
  }),
];
