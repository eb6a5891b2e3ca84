import { z } from "zod";

/** The closed lists that the events and commands of a ticket speak in. */

export const ticketCategory = z.enum([
  "order",
  "payment",
  "cancellation",
  "certificate",
  "correction",
  "question",
  "serviceComplaint",
  "dataProtectionComplaint",
  "dataRequest",
  "other",
]);

/** Open: we are to answer. Waiting: the customer is. Closed: neither, until the customer writes again. */
export const ticketStatus = z.enum(["Open", "Waiting", "Closed"]);

export const statusAfterReply = ticketStatus.extract(["Waiting", "Closed"]);

export const statusReason = z.enum([
  /** A message was written, so the other side is to answer. */
  "reply",
  "staffChoice",
  /** The customer was to answer, and for a long time did not. */
  "silence",
  /** The mail of our latest answer did not reach the customer, so we are to answer by other means. */
  "undelivered",
]);

export const author = z.enum(["customer", "staff"]);

export const ticketMailTemplate = z.enum([
  /** The acknowledgement, with number and private link. */
  "ticketOpened",
  "ticketAnswered",
  /** The private link was replaced. */
  "ticketLink",
]);

/** How a complaint was acknowledged where no mail could do it. */
export const otherChannel = z.enum(["post", "telephone"]);

/** What the mail about an answer says: that there is one, with the private link; or its text as well. */
export const mailContent = z.enum(["link", "text"]);

/** Whether a mail came from the address that is held for the customer: what staff are shown, and proof of nothing. */
export const mailSender = z.enum(["known", "other"]);

/** A result of SPF, DKIM or DMARC; `none` for all that is neither passed nor failed. */
export const authenticationResult = z.enum(["pass", "fail", "none"]);

/** What may be attached, told by its content. */
export const attachmentType = z.enum(["png", "jpeg", "gif", "webp", "heic", "pdf", "text"]);

/** Why a member of staff revealed the texts. */
export const ticketRevealReason = z.enum([
  /** To answer it. */
  "ticket",
  /** The customer asked for all that is held about them, or to have it erased. */
  "subjectAccess",
  "erasureRequest",
]);

/** Why a member of staff opened a mail as it came. */
export const originalRevealReason = z.enum([
  /** What was made of it cannot be read, or lacks something. */
  "unreadable",
  /** It may not be from the person it names. */
  "doubtfulSender",
  "subjectAccess",
  /** A court, the police or a regulator asks for it. */
  "lawRequires",
]);

export const ticketPurgeRule = z.enum([
  /** So long after closing. */
  "retention",
  /** The contact data of its order was purged. */
  "orderPurged",
  /** The customer asked for it. */
  "erasure",
]);

/** What a purge covers: the kinds of record that the vault keeps of a ticket. */
export const purgedTicketKind = z.enum([
  "ticketContact",
  "ticketMessage",
  "ticketNote",
  "ticketAttachment",
  "ticketOriginal",
  "fingerprintKey",
]);

export type TicketCategory = z.infer<typeof ticketCategory>;
export type TicketStatus = z.infer<typeof ticketStatus>;
export type StatusReason = z.infer<typeof statusReason>;
export type Author = z.infer<typeof author>;
export type TicketMailTemplate = z.infer<typeof ticketMailTemplate>;
export type TicketRevealReason = z.infer<typeof ticketRevealReason>;
export type TicketPurgeRule = z.infer<typeof ticketPurgeRule>;
export type MailContent = z.infer<typeof mailContent>;
export type AttachmentType = z.infer<typeof attachmentType>;
export type OriginalRevealReason = z.infer<typeof originalRevealReason>;
export type PurgedTicketKind = z.infer<typeof purgedTicketKind>;

/** What the inbox can be narrowed to: the values of its filters, as they stand in addresses. */
export const inboxStatuses = ticketStatus.options;
export const inboxCategories = ticketCategory.options;
/** Assignee filter: mine or unassigned; without it, all. */
export const inboxAssignees = ["mine", "unassigned"] as const;
/** Who waited longest first, the newest first, or by the law's last day, which lists only tickets that have one. */
export const inboxOrders = ["longest", "newest", "due"] as const;

/** What a ticket can be about, in the customer's words. */
interface TicketCategoryChoice {
  readonly id: TicketCategory;
  readonly label: string;
}

const labels: Readonly<Record<TicketCategory, string>> = {
  order: "An order I placed",
  payment: "A payment, or a refund on its way",
  cancellation: "Cancelling my order and getting my money back",
  certificate: "A certificate that is late, lost or wrong",
  correction: "A mistake in my application",
  question: "A question before I order",
  serviceComplaint: "A complaint about our service",
  dataProtectionComplaint: "A data protection complaint",
  dataRequest: "My personal data: see it, correct it or have it deleted",
  other: "Something else",
};

/** The same in a word or two, for those who see it all day. */
export const categoryInShort: Readonly<Record<TicketCategory, string>> = {
  order: "Order",
  payment: "Payment",
  cancellation: "Cancellation",
  certificate: "Certificate",
  correction: "Correction",
  question: "Question",
  serviceComplaint: "Service complaint",
  dataProtectionComplaint: "Data protection complaint",
  dataRequest: "Personal data",
  other: "Other",
};

export const categoryLabel = (category: TicketCategory): string => labels[category];

/** Every category, in the order in which forms offer them. */
export const ticketCategories: readonly TicketCategoryChoice[] = ticketCategory.options.map((id) => ({
  id,
  label: labels[id],
}));
