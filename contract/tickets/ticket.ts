import * as z from "zod/mini";
import * as field from "../../domain/fields.ts";
import { required } from "../../domain/forms/answers.ts";
import { parseOrderNumber } from "../../domain/numbers.ts";
import { phases } from "../../domain/order/phases.ts";
import { orderStatuses } from "../../domain/order/status.ts";
import { probeResult } from "../../domain/order/vocabulary.ts";
import { clockRules } from "../../domain/ticket/clocks.ts";
import {
  authenticationResult,
  author,
  inboxAssignees,
  inboxCategories,
  inboxOrders,
  inboxStatuses,
  mailContent,
  mailSender,
  originalRevealReason,
  otherChannel,
  purgedTicketKind,
  statusAfterReply,
  ticketCategory,
  ticketPurgeRule,
  ticketStatus,
} from "../../domain/ticket/vocabulary.ts";
import { answers, creates, file, get, post, staff } from "../request.ts";
import { afterPlace, givenInstant, perPage } from "../shapes.ts";
import { attachmentShown, attachmentTypes } from "./conversation.ts";

const clockShown = z
  .object({ rule: z.enum(clockRules), dueOn: field.date, metOn: z.nullable(field.date) })
  .register(z.globalRegistry, { id: "StatutoryClock" });

const state = {
  id: z.string(),
  ticketNumber: field.ticketNumber,
  status: ticketStatus,
  since: field.instant,
  revision: z.int(),
  assignee: z.nullable(z.string()),
  clock: z.nullable(clockShown),
  acknowledgement: z.object({
    by: z.nullable(field.date),
    state: z.enum(["owed", "sent", "undeliverable", "otherwise"]),
    needed: z.boolean(),
  }),
  /** Why mails do not go to its address; null if they do. */
  mailStop: z.nullable(z.enum(["unreachable", "unwanted"])),
};

/** Answers every action on a ticket. */
export const ticketStateAnswer = z.object(state).register(z.globalRegistry, { id: "TicketState" });

/** How a message came by email. `from` is the address that it names, which proves nothing; null once destroyed. */
const emailArrival = z.object({
  from: z.nullable(z.string()),
  sender: mailSender,
  authentication: z.nullable(
    z.object({ spf: authenticationResult, dkim: authenticationResult, dmarc: authenticationResult }),
  ),
});

const written = { id: z.string(), at: field.instant, text: z.nullable(z.string()) };

const orderOfTicket = z.object({
  id: field.id,
  orderNumber: field.orderNumber,
  status: z.enum(orderStatuses),
  phase: z.enum(phases),
  items: z.array(z.string()),
  totalPence: z.int(),
  createdAt: field.instant,
  despatchBy: z.nullable(field.date),
});

const ticketPurge = z.object({
  purgedAt: field.instant,
  destroyed: z.array(purgedTicketKind),
  rule: ticketPurgeRule,
  records: field.count,
  keyFingerprint: field.keyFingerprint,
  probe: probeResult,
});

/** Who or what caused an entry; chooses its icon on the page. */
const historyKind = z.enum(["customer", "staff", "mail", "privacy"]);

export type TicketHistoryKind = z.output<typeof historyKind>;

/** Newest first. */
export const ticketHistoryShown = z.array(
  z.object({
    id: z.string(),
    at: field.instant,
    kind: historyKind,
    text: z.string(),
    actor: z.object({ kind: z.string(), id: z.nullable(z.string()) }),
  }),
);

export const wholeTicketAnswer = z
  .object({
    ...state,
    category: ticketCategory,
    openedAt: field.instant,
    today: field.date,
    contact: z.nullable(z.object({ name: z.string(), email: z.string() })),
    customerId: z.nullable(z.string()),
    subject: z.nullable(z.string()),
    conversation: z.array(
      z.discriminatedUnion("kind", [
        z.object({
          ...written,
          kind: z.literal("message"),
          author,
          staffId: z.nullable(z.string()),
          /** How it came by email; null for the page. */
          email: z.nullable(emailArrival),
          automatic: z.boolean(),
          /** Earlier messages and the signature, as an email quotes them. */
          quoted: z.string(),
          attachments: z.array(attachmentShown),
        }),
        z.object({ ...written, kind: z.literal("note"), author: z.literal("staff"), staffId: z.string() }),
      ]),
    ),
    mailContent,
    /** Whether files are scanned for malware before they are taken. */
    filesAreScanned: z.boolean(),
    statedOrderNumber: z.nullable(z.string()),
    order: z.nullable(orderOfTicket),
    purge: z.nullable(ticketPurge),
    history: ticketHistoryShown,
    assignable: z.array(z.string()),
    people: z.record(z.string(), z.string()),
  })
  .register(z.globalRegistry, {
    id: "WholeTicket",
    description: "A whole ticket; the access is recorded. Null fields were destroyed",
  });

export const openTicketAsStaff = post("/api/admin/tickets/{ticketNumber}/open", {
  summary: "Read a conversation; the access is recorded",
  from: staff,
  limit: "reads",
  answers: answers(wholeTicketAnswer),
  refuses: ["not-found"],
});

/** The access is recorded, as opening the conversation is. */
export const downloadAttachmentAsStaff = get(
  "/api/admin/tickets/{ticketNumber}/messages/{messageId}/attachments/{place}",
  {
    summary: "A file that came with a message; the access is recorded",
    from: staff,
    limit: "reads",
    answers: file(...Object.values(attachmentTypes)),
    refuses: ["not-found"],
  },
);

export const openOriginal = post("/api/admin/tickets/{ticketNumber}/messages/{messageId}/original", {
  summary: "An email as it came; the access is recorded with its reason",
  from: staff,
  limit: "reads",
  body: z.object({ reason: z.enum(originalRevealReason.enum, "Choose a reason") }),
  answers: file("message/rfc822"),
  refuses: ["not-found", "forbidden-in-phase"],
});

export type OpenedTicket = z.output<typeof wholeTicketAnswer>;
export type ConversationEntry = OpenedTicket["conversation"][number];
export type TicketHistoryEntry = z.output<typeof ticketHistoryShown>[number];
export type LinkedOrder = z.output<typeof orderOfTicket>;
export type TicketReceipt = z.output<typeof ticketPurge>;

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

/** Its statutory deadline follows, counted from the day it was opened. */
export const categoriseTicket = post("/api/admin/tickets/{ticketNumber}/category", {
  ...common,
  summary: "Change what a ticket is about",
  body: z.object({ category: z.enum(ticketCategory.enum, "There is no such category"), expectedRevision }),
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

const shares = z.object({ mine: field.count, unassigned: field.count, all: field.count });

export const ticketListAnswer = z
  .object({
    today: field.date,
    counts: z.object({
      open: shares,
      waiting: shares,
      due: field.count,
      late: field.count,
      unreached: field.count,
    }),
    tickets: z.array(
      z.object({
        ticketNumber: field.ticketNumber,
        category: ticketCategory,
        status: ticketStatus,
        since: field.instant,
        openedAt: field.instant,
        assignee: z.nullable(z.string()),
        messages: field.count,
        notes: field.count,
        lastMessage: z.object({ author, at: field.instant }),
        orderNumber: z.nullable(z.string()),
        linked: z.boolean(),
        clock: z.nullable(clockShown),
        needsOtherAcknowledgement: z.boolean(),
        undelivered: z.boolean(),
        deletedAt: z.nullable(field.instant),
      }),
    ),
    people: z.record(z.string(), z.string()),
    next: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: "Inbox" });

const place = z.pipe(
  z.tuple([z.union([givenInstant, field.date]), field.id]),
  z.transform(([at, ticketId]) => ({ at, ticketId })),
);

export const listTickets = get("/api/admin/tickets", {
  summary: "The inbox",
  from: staff,
  limit: "reads",
  query: z.object({
    status: z.optional(z.enum(inboxStatuses, "There is no such status")),
    assignee: z.optional(z.enum(inboxAssignees, "Use mine or unassigned")),
    category: z.optional(z.enum(inboxCategories, "There is no such category")),
    order: z.optional(z.enum(inboxOrders, "Use longest, newest or due")),
    limit: perPage,
    after: afterPlace(place),
  }),
  answers: answers(ticketListAnswer),
});

export type Inbox = z.output<typeof ticketListAnswer>;
export type TicketLine = Inbox["tickets"][number];
