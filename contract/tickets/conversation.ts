import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { required } from "../../domain/forms/answers.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { parseOrderNumber, parseTicketNumber } from "../../domain/numbers.ts";
import { author, ticketCategory, ticketStatus } from "../../domain/ticket/vocabulary.ts";
import { answers, creates, post } from "../request.ts";

export const ticketLinkAnswer = z
  .object({ ticketNumber: field.ticketNumber, link: z.string() })
  .register(z.globalRegistry, { id: "TicketLink" });

/** The conversation as its customer sees it. */
export const ticketAnswer = z
  .object({
    ticketNumber: field.ticketNumber,
    category: ticketCategory,
    status: ticketStatus,
    subject: z.nullable(z.string()),
    createdAt: field.instant,
    lastUpdated: field.instant,
    orderNumber: z.nullable(z.string()),
    messages: z.array(z.object({ id: z.string(), author, text: z.string(), timestamp: field.instant })),
    deletedAt: z.nullable(field.instant),
  })
  .register(z.globalRegistry, { id: "Ticket" });

const message = required("Message is required", 5_000);

const statedOrderNumber = z.pipe(
  z.nullish(z.string().check(z.trim(), z.maxLength(60, "Use 60 characters or fewer"))),
  z.transform((typed, context) => {
    if (!typed) return null;
    const orderNumber = parseOrderNumber(typed);
    if (orderNumber !== undefined) return orderNumber;
    context.issues.push({
      code: "custom",
      message: "Check the order number, or leave it blank",
      input: typed,
    });
    return z.NEVER;
  }),
);

/** Also checks the contact form. */
export const openTicketRequest = z.object({
  name: required("Name is required", 100),
  email,
  category: z.enum(ticketCategory.enum, "Choose what your message is about"),
  subject: required("Subject is required", 150),
  message,
  orderNumber: statedOrderNumber,
});
export type OpenTicketRequest = z.output<typeof openTicketRequest>;

/** Also checks the form that finds a conversation. A malformed number becomes "", which matches no ticket. */
export const ticketCredentials = z.object({
  ticketNumber: required("Ticket number is required", 60).transform(
    (typed) => parseTicketNumber(typed) ?? "",
  ),
  email,
});

const byKey = z.object({
  key: z
    .string("Key is required")
    .check(z.trim(), z.minLength(1, "Key is required"), z.maxLength(120, "Use the complete link")),
});

/** Opens a ticket: the key of its private link, or its number with its customer's email address. */
export type TicketCredentials =
  | { readonly key: string }
  | { readonly ticketNumber: string; readonly email: string };

/** Not a union: when both alternatives are incomplete, a union's errors name no field. */
const ticketAccessRequest = z.pipe(
  z.looseObject({}),
  z.transform((body, context): TicketCredentials => {
    const parsed = z.safeParse("key" in body ? byKey : ticketCredentials, body);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      context.issues.push({ code: "custom", path: [...path], message, input: body });
    }
    return z.NEVER;
  }),
);

/** Also checks the reply form. */
export const replyAnswer = z.object({ message });

const replyRequest = z.intersection(ticketAccessRequest, replyAnswer);

export const openTicket = post("/api/tickets", {
  summary: "Write to us",
  from: "anyone",
  limit: "contact",
  body: openTicketRequest,
  answers: creates(ticketLinkAnswer),
  refuses: ["idempotency-key-reused"],
});

// Requests that a number and an address open share one limit: guessing gains nothing by switching between them.

export const viewTicket = post("/api/tickets/view", {
  summary: "A conversation, by its link, or by its number and email address",
  from: "anyone",
  limit: "guesses",
  body: ticketAccessRequest,
  answers: answers(ticketAnswer),
  refuses: ["not-found"],
});

export const replyInTicket = post("/api/tickets/replies", {
  summary: "Reply in a conversation",
  from: "anyone",
  limit: "lookups",
  body: replyRequest,
  answers: creates(ticketAnswer),
  refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
});

export const replaceTicketLink = post("/api/tickets/link", {
  summary: "Replace the private link of a conversation",
  from: "anyone",
  limit: "links",
  body: ticketAccessRequest,
  answers: answers(ticketLinkAnswer),
  refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
});

export type TicketView = z.output<typeof ticketAnswer>;
export type TicketLink = z.output<typeof ticketLinkAnswer>;
