import { z } from "zod";
import * as field from "../fields.ts";
import { mailBounce, sentMail } from "../mailbox.ts";
import { purgeOutcome } from "../open-work.ts";
import { mailArrival, messageParts } from "./message-parts.ts";
import * as word from "./vocabulary.ts";

/** Every request a ticket understands. What a person typed is sealed before: a command carries its vault reference. */

/**
 * The revision of the ticket that the sender saw. When it has changed since, the command is refused, and the
 * sender decides anew. Given by staff, by a purge, and by a closing for silence.
 */
const seen = field.count.exactOptional();

/**
 * Which private link admitted the sender, counted from 1. When it has been replaced since, the command is refused: it
 * opens nothing any more.
 */
const linkGeneration = field.ordinal.exactOptional();

/** The schema of each command's data. Who replies, notes or asks stands in the command's metadata. */
const ticketCommandSchemas = {
  OpenTicket: z.strictObject({
    ticketId: field.id,
    ticketNumber: field.ticketNumber,
    category: word.ticketCategory,
    orderNumber: field.orderNumber.nullable(),
    /** The order, where the customer showed that it is theirs. */
    heldOrderId: field.id.nullable(),
    contactRef: field.vaultReference,
    messageRef: field.vaultReference,
    ...messageParts,
    automatic: z.boolean(),
    mailContent: word.mailContent,
  }),
  ReplyToTicket: z.strictObject({
    messageRef: field.vaultReference,
    /** Of a customer's message: staff attach nothing. */
    ...messageParts,
    seen,
    linkGeneration,
    /** What the ticket does after a reply of staff: it waits for the customer by default. */
    next: word.statusAfterReply.exactOptional(),
  }),
  FileAutomaticReply: z.strictObject({
    messageRef: field.vaultReference,
    ...messageParts,
    mail: mailArrival,
  }),
  NoteOnTicket: z.strictObject({ noteRef: field.vaultReference, seen }),
  AssignTicket: z.strictObject({ assignee: field.staffId.nullable(), seen }),
  ChangeTicketStatus: z.strictObject({ status: word.ticketStatus, reason: word.statusReason, seen }),
  CategoriseTicket: z.strictObject({ category: word.ticketCategory, seen }),
  LinkTicketToOrder: z.strictObject({ orderId: field.id, seen }),
  ReplaceTicketLink: z.strictObject({ seen, linkGeneration }),
  ChooseMailContent: z.strictObject({ content: word.mailContent, linkGeneration }),
  AcknowledgeTicket: z.strictObject({ channel: word.otherChannel, seen }),
  RevealPersonalData: z.strictObject({ reason: word.ticketRevealReason }),
  RevealOriginal: z.strictObject({ messageId: field.id, reason: word.originalRevealReason }),
  RequestErasure: z.strictObject({}),
  RecordTicketMail: sentMail(word.ticketMailTemplate),
  RecordBounce: mailBounce(word.ticketMailTemplate),
  /** Recorded before any key is erased; refused when the ticket was changed since, or the rule does not hold. */
  StartTicketPurge: z.strictObject({ rule: word.ticketPurgeRule, seen }),
  /** The outcome of the purge that an event started. */
  PurgeTicket: purgeOutcome(word.purgedTicketKind),
};

export type TicketCommandType = keyof typeof ticketCommandSchemas;

export type TicketCommandData<Type extends TicketCommandType> = z.infer<(typeof ticketCommandSchemas)[Type]>;

export type TicketCommand = {
  [Type in TicketCommandType]: { readonly type: Type; readonly data: TicketCommandData<Type> };
}[TicketCommandType];
