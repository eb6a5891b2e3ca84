import { z } from "zod";
import * as field from "../fields.ts";
import { mailBounce, sentMail } from "../mailbox.ts";
import { purgeOutcome } from "../open-work.ts";
import * as word from "./vocabulary.ts";

/** Every request a ticket understands. What a person typed is sealed before: a command carries its vault reference. */

/**
 * The revision of the ticket that the sender saw. When it has changed since, the command is refused, and the
 * sender decides anew. Given by staff, and by a purge.
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
  }),
  ReplyToTicket: z.strictObject({
    messageRef: field.vaultReference,
    seen,
    linkGeneration,
    /** What the ticket does after a reply of staff: it waits for the customer by default. */
    next: word.statusAfterReply.exactOptional(),
  }),
  NoteOnTicket: z.strictObject({ noteRef: field.vaultReference, seen }),
  AssignTicket: z.strictObject({ assignee: field.staffId.nullable(), seen }),
  ChangeTicketStatus: z.strictObject({ status: word.ticketStatus, reason: word.statusReason, seen }),
  LinkTicketToOrder: z.strictObject({ orderId: field.id, seen }),
  ReplaceTicketLink: z.strictObject({ seen, linkGeneration }),
  AcknowledgeTicket: z.strictObject({ channel: word.otherChannel, seen }),
  RevealPersonalData: z.strictObject({ reason: word.ticketRevealReason }),
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
