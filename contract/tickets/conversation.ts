import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { required } from "../../domain/forms/answers.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { parseOrderNumber, parseTicketNumber } from "../../domain/numbers.ts";
import { mostAttachmentBytes, mostAttachments } from "../../domain/ticket/message-parts.ts";
import {
  attachmentType,
  author,
  mailContent,
  ticketCategory,
  ticketStatus,
} from "../../domain/ticket/vocabulary.ts";
import { answers, creates, file, post } from "../request.ts";

/** A file that came with a message. */
export const attachmentShown = z
  .object({ name: z.string(), type: attachmentType, bytes: field.count })
  .register(z.globalRegistry, { id: "Attachment" });

/** Media types of attachments, told by their content. */
export const attachmentTypes = {
  png: "image/png",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  pdf: "application/pdf",
  text: "text/plain",
} as const satisfies Record<z.output<typeof attachmentType>, string>;

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
    messages: z.array(
      z.object({
        id: z.string(),
        author,
        text: z.string(),
        timestamp: field.instant,
        byEmail: z.boolean(),
        /** A machine sent it: an absence, a confirmation of receipt. */
        automatic: z.boolean(),
        /** Earlier messages and the signature, as an email quotes them. */
        quoted: z.string(),
        attachments: z.array(attachmentShown),
      }),
    ),
    mailContent,
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

/** Characters of base64 that so many bytes take. */
const encoded = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const attachedFile = z.object({
  name: z.string().check(z.maxLength(255, "File names can have 255 characters")),
  /** The file, in base64. */
  content: z.base64("Each file must be in base64"),
});

const attachments = z.optional(
  z.array(attachedFile).check(
    z.maxLength(mostAttachments, `Attach ${mostAttachments} files or fewer`),
    z.refine(
      (files) => files.reduce((sum, { content }) => sum + content.length, 0) <= encoded(mostAttachmentBytes),
      "The files are larger than 10 MB in total",
    ),
  ),
);

/** Bytes of the largest body with attachments: base64, names and the message. */
const withAttachments = encoded(mostAttachmentBytes) + 128 * 1024;

/** Also checks the contact form. */
export const openTicketForm = z.object({
  name: required("Name is required", 100),
  email,
  category: z.enum(ticketCategory.enum, "Choose what your message is about"),
  subject: required("Subject is required", 150),
  message,
  orderNumber: statedOrderNumber,
  /** What the email about our answer says: that there is one, or its text too. */
  mailContent: z._default(mailContent, "link"),
});

export const openTicketRequest = z.extend(openTicketForm, { attachments });
export type OpenTicketAnswers = z.output<typeof openTicketForm>;

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

const replyRequest = z.intersection(ticketAccessRequest, z.extend(replyAnswer, { attachments }));

export const openTicket = post("/api/tickets", {
  summary: "Write to us",
  from: "anyone",
  limit: "contact",
  body: openTicketRequest,
  mostBytes: withAttachments,
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
  mostBytes: withAttachments,
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

export const downloadAttachment = post("/api/tickets/attachments", {
  summary: "A file that came with a message",
  from: "anyone",
  limit: "guesses",
  body: z.intersection(
    ticketAccessRequest,
    z.object({
      messageId: field.id,
      /** Its place among the message's attachments, from 0. */
      place: z.int().check(z.minimum(0), z.maximum(mostAttachments)),
    }),
  ),
  answers: file(...Object.values(attachmentTypes)),
  refuses: ["not-found"],
});

export const chooseMailContent = post("/api/tickets/mail-content", {
  summary: "Choose what emails about our answers say",
  from: "anyone",
  limit: "lookups",
  body: z.intersection(ticketAccessRequest, z.object({ content: mailContent })),
  answers: answers(ticketAnswer),
  refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
});

export type TicketView = z.output<typeof ticketAnswer>;
export type TicketLink = z.output<typeof ticketLinkAnswer>;
