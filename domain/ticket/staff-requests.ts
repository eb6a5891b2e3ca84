import { z } from "zod";
import * as field from "../fields.ts";
import { required } from "../forms/answers.ts";
import { parseOrderNumber } from "../numbers.ts";
import { otherChannel, statusAfterReply, ticketStatus } from "./vocabulary.ts";

/** The forms of the back office's ticket page, and the bodies that its calls take. */

/** The ticket's revision that was on the page: what somebody changed since is a conflict. */
const expectedRevision = field.count;

/** POST …/reply: what the customer gets, and what the ticket does then. */
export const staffReply = z.object({
  message: required("Write your reply", 10_000),
  next: z.enum(statusAfterReply.enum, "Choose what happens next"),
  expectedRevision,
});
export type StaffReply = z.output<typeof staffReply>;

/** POST …/note: what staff tell each other. */
export const staffNote = z.object({ note: required("Write your note", 10_000), expectedRevision });
export type StaffNote = z.output<typeof staffNote>;

/** POST …/assign: to somebody by their user id, or to nobody. */
export const assignRequest = z.object({ assignee: field.staffId.nullable(), expectedRevision });
export type AssignRequest = z.output<typeof assignRequest>;

/** POST …/status */
export const ticketStatusRequest = z.object({
  status: z.enum(ticketStatus.enum, "There is no such status"),
  expectedRevision,
});
export type TicketStatusRequest = z.output<typeof ticketStatusRequest>;

/** POST …/link: to an order, by its number as somebody typed it. */
export const linkTicketRequest = z.object({
  orderNumber: required("Order number is required", 60).transform((typed, context) => {
    const orderNumber = parseOrderNumber(typed);
    if (orderNumber !== undefined) return orderNumber;
    context.addIssue({ code: "custom", message: "Enter a valid order number" });
    return z.NEVER;
  }),
  expectedRevision,
});
export type LinkTicketRequest = z.output<typeof linkTicketRequest>;

/** POST …/acknowledge: by letter or telephone, where no mail arrived. */
export const acknowledgeRequest = z.object({
  channel: z.enum(otherChannel.enum, "Choose how"),
  expectedRevision,
});
export type AcknowledgeRequest = z.output<typeof acknowledgeRequest>;

/** POST …/replace-link */
export const seenRequest = z.object({ expectedRevision });
export type SeenRequest = z.output<typeof seenRequest>;
