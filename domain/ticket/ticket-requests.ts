import { z } from "zod";
import { required } from "../forms/answers.ts";
import { email } from "../forms/personal-details.ts";
import { parseOrderNumber, parseTicketNumber } from "../numbers.ts";
import { ticketCategory } from "./vocabulary.ts";

/** The forms of the support pages, and the bodies that their calls take. */

const message = required("Message is required", 5_000);

const statedOrderNumber = z
  .string()
  .trim()
  .max(60, "Use 60 characters or fewer")
  .nullish()
  .transform((typed, context) => {
    if (!typed) return null;
    const orderNumber = parseOrderNumber(typed);
    if (orderNumber !== undefined) return orderNumber;
    context.addIssue({ code: "custom", message: "Check the order number, or leave it blank" });
    return z.NEVER;
  });

/** POST /api/tickets, and the contact form. */
export const openTicketRequest = z.object({
  name: required("Name is required", 100),
  email,
  category: z.enum(ticketCategory.enum, "Choose what your message is about"),
  subject: required("Subject is required", 150),
  message,
  orderNumber: statedOrderNumber,
});
export type OpenTicketRequest = z.output<typeof openTicketRequest>;

/** The form that finds a conversation by number and email address. A number that can be none is found nowhere. */
export const ticketCredentials = z.object({
  ticketNumber: required("Ticket number is required", 60).transform(
    (typed) => parseTicketNumber(typed) ?? "",
  ),
  email,
});

/** The key of a private link. */
const key = z.string("Key is required").trim().min(1, "Key is required").max(120, "Use the complete link");

/** Who asks for a ticket: whoever holds its private link, or knows its number and its customer's email address. */
export type TicketCredentials =
  | { readonly key: string }
  | { readonly ticketNumber: string; readonly email: string };

const byKey = z.object({ key });

/** POST /api/tickets/view and /link. Not a union: where neither pair is whole, its errors would name no field. */
export const ticketAccessRequest = z.looseObject({}).transform((body, context): TicketCredentials => {
  const parsed = ("key" in body ? byKey : ticketCredentials).safeParse(body);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    context.addIssue({ code: "custom", path: [...path], message });
  }
  return z.NEVER;
});

/** What a reply says. */
export const replyAnswer = z.object({ message });

/** POST /api/tickets/replies */
export const replyRequest = z.intersection(ticketAccessRequest, replyAnswer);
export type ReplyRequest = z.output<typeof replyRequest>;
