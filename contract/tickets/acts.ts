import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { required } from "../../domain/forms/answers.ts";
import { parseOrderNumber } from "../../domain/numbers.ts";
import { otherChannel, statusAfterReply, ticketStatus } from "../../domain/ticket/vocabulary.ts";
import { answers, creates, post } from "../request.ts";
import { staff } from "../roles.ts";
import { ticketStateAnswer } from "./ticket.ts";

/** The revision the page showed; a ticket that has changed since is a conflict. */
const expectedRevision = field.count;

const common = {
  from: staff,
  limit: "commands",
  refuses: ["not-found", "forbidden-in-phase", "changed-meanwhile", "idempotency-key-reused"],
} as const;

export const replyToCustomer = post("/api/admin/tickets/{ticketNumber}/reply", {
  ...common,
  summary: "Reply to a customer",
  body: z.object({
    message: required("Write your reply", 10_000),
    next: z.enum(statusAfterReply.enum, "Choose what happens next"),
    expectedRevision,
  }),
  answers: creates(ticketStateAnswer),
});

export const noteOnTicket = post("/api/admin/tickets/{ticketNumber}/note", {
  ...common,
  summary: "Add a note to a ticket",
  body: z.object({ note: required("Write your note", 10_000), expectedRevision }),
  answers: creates(ticketStateAnswer),
});

/** Null unassigns. */
export const assignTicket = post("/api/admin/tickets/{ticketNumber}/assign", {
  ...common,
  summary: "Assign or unassign a ticket",
  body: z.object({ assignee: z.nullable(field.staffId), expectedRevision }),
  answers: answers(ticketStateAnswer),
});

export const changeTicketStatus = post("/api/admin/tickets/{ticketNumber}/status", {
  ...common,
  summary: "Change a ticket's status",
  body: z.object({ status: z.enum(ticketStatus.enum, "There is no such status"), expectedRevision }),
  answers: answers(ticketStateAnswer),
});

const typedOrderNumber = required("Order number is required", 60).transform((typed, context) => {
  const orderNumber = parseOrderNumber(typed);
  if (orderNumber !== undefined) return orderNumber;
  context.addIssue({ code: "custom", message: "Enter a valid order number" });
  return z.NEVER;
});

export const linkTicket = post("/api/admin/tickets/{ticketNumber}/link", {
  ...common,
  summary: "Link a ticket to an order",
  body: z.object({ orderNumber: typedOrderNumber, expectedRevision }),
  answers: answers(ticketStateAnswer),
});

export const replaceLinkAsStaff = post("/api/admin/tickets/{ticketNumber}/replace-link", {
  ...common,
  summary: "Replace a ticket's private link",
  body: z.object({ expectedRevision }),
  answers: answers(ticketStateAnswer),
});

export const acknowledgeTicket = post("/api/admin/tickets/{ticketNumber}/acknowledge", {
  ...common,
  summary: "Record an acknowledgement by letter or telephone",
  body: z.object({ channel: z.enum(otherChannel.enum, "Choose how"), expectedRevision }),
  answers: answers(ticketStateAnswer),
});
