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
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

const staff = ["staff", "manager"] as const;
const ticket = "/api/admin/tickets/{ticketNumber}";

/** The inbox, a ticket, and what can be done with it. */
export const ticketRoutes = (parts: Parts): readonly Route[] => [
  forRoles("GET", "/api/admin/tickets", staff, { limit: "reads", body: noBody, handle: listTickets(parts) }),
  forRoles("POST", `${ticket}/open`, staff, {
    limit: "reads",
    body: noBody,
    handle: openTicketForStaff(parts),
  }),
  forRoles("POST", `${ticket}/reply`, staff, {
    limit: "commands",
    body: staffReply,
    handle: replyAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/note`, staff, {
    limit: "commands",
    body: staffNote,
    handle: noteAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/assign`, staff, {
    limit: "commands",
    body: assignRequest,
    handle: assignTicket(parts),
  }),
  forRoles("POST", `${ticket}/status`, staff, {
    limit: "commands",
    body: ticketStatusRequest,
    handle: changeTicketStatus(parts),
  }),
  forRoles("POST", `${ticket}/link`, staff, {
    limit: "commands",
    body: linkTicketRequest,
    handle: linkTicketToOrder(parts),
  }),
  forRoles("POST", `${ticket}/replace-link`, staff, {
    limit: "commands",
    body: seenRequest,
    handle: replaceLinkAsStaff(parts),
  }),
  forRoles("POST", `${ticket}/acknowledge`, staff, {
    limit: "commands",
    body: acknowledgeRequest,
    handle: acknowledgeTicket(parts),
  }),
];
