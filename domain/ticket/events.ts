import { z } from "zod";
import { eventSchema, versionOne } from "../decider.ts";
import * as field from "../fields.ts";
import { mailBounce, mailOf, undeliverableMail } from "../mailbox.ts";
import { purgeStart } from "../open-work.ts";
import { probeResult, purgeFailureCode } from "../order/vocabulary.ts";
import { mailArrival, messageParts, onlyText } from "./message-parts.ts";
import * as word from "./vocabulary.ts";

/**
 * Every fact of a ticket. Past tense, never changed; a new shape gets a new schema version. There is no free text: who
 * wrote, the subject and every message are sealed in the vault, and events name the records.
 */

/** Version 1 of a message came from the page, as text alone. */
const fromPage = <Data extends object>(data: Data) => ({ ...data, ...onlyText });

/** The schema of each event's data, with the version that is written today. */
export const ticketEventSchemas = {
  TicketOpened: {
    version: 2,
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...fromPage(data), automatic: false }) },
    data: z.strictObject({
      ticketId: field.id,
      ticketNumber: field.ticketNumber,
      category: word.ticketCategory,
      /** The order it is about as the customer says: unverified. */
      orderNumber: field.orderNumber.nullable(),
      contactRef: field.vaultReference,
      messageRef: field.vaultReference,
      /** The last day on which the law lets us acknowledge a data protection complaint; null for all else. */
      acknowledgeBy: field.date.nullable(),
      ...messageParts,
      /** A machine sent it: the ticket is closed, and owes no mail. */
      automatic: z.boolean(),
    }),
  },
  TicketReplied: {
    version: 2,
    upcasts: { 1: fromPage },
    data: z.strictObject({
      author: word.author,
      /** Null when the customer wrote. */
      staffId: field.staffId.nullable(),
      messageRef: field.vaultReference,
      ...messageParts,
    }),
  },
  /** A machine answered for the customer: an absence, a confirmation of receipt. Nothing follows from it. */
  AutomaticReplyReceived: versionOne(
    z.strictObject({ messageRef: field.vaultReference, ...messageParts, mail: mailArrival }),
  ),
  TicketNoted: versionOne(z.strictObject({ staffId: field.staffId, noteRef: field.vaultReference })),
  TicketAssigned: versionOne(z.strictObject({ assignee: field.staffId.nullable() })),
  TicketStatusChanged: versionOne(z.strictObject({ status: word.ticketStatus, reason: word.statusReason })),
  /** Staff say what it is about. `acknowledgeBy` as in TicketOpened, counted from the same day. */
  TicketCategorised: versionOne(
    z.strictObject({ category: word.ticketCategory, acknowledgeBy: field.date.nullable() }),
  ),
  /** The order is the customer's: they hold it, or staff say so. */
  TicketLinkedToOrder: versionOne(z.strictObject({ orderId: field.id })),
  /** Links of earlier generations open the ticket no longer. */
  TicketLinkReplaced: versionOne(z.strictObject({ generation: field.ordinal })),
  /** What mails about our answers say from now on; the private link alone until then. */
  MailContentChosen: versionOne(z.strictObject({ content: word.mailContent })),
  /** A complaint that no mail reached was acknowledged by other means. */
  TicketAcknowledged: versionOne(z.strictObject({ staffId: field.staffId, channel: word.otherChannel })),
  /** A member of staff revealed the texts. */
  PersonalDataRevealed: versionOne(
    z.strictObject({ staffId: field.staffId, reason: word.ticketRevealReason }),
  ),
  /** A member of staff opened a mail as it came. */
  OriginalRevealed: versionOne(
    z.strictObject({ staffId: field.staffId, messageId: field.id, reason: word.originalRevealReason }),
  ),
  ErasureRequested: versionOne(z.strictObject({})),
  MailSent: versionOne(mailOf(word.ticketMailTemplate)),
  MailUndeliverable: undeliverableMail(word.ticketMailTemplate),
  /** A mail that was sent came back, or was reported as unwanted. */
  MailBounced: versionOne(mailBounce(word.ticketMailTemplate)),
  /** What is about to be purged, named before any key is erased. */
  TicketPurgeStarted: versionOne(purgeStart(word.ticketPurgeRule, word.purgedTicketKind)),
  TicketPurged: {
    version: 2,
    /** Version 1 named no event that started the purge. */
    upcasts: { 1: <Data extends object>(data: Data) => ({ ...data, startedBy: null }) },
    data: z.strictObject({
      /** The event that started it; null for purges from before events started them. */
      startedBy: field.id.nullable(),
      destroyed: z.array(word.purgedTicketKind).min(1),
      rule: word.ticketPurgeRule,
      keyFingerprint: field.keyFingerprint,
      probe: probeResult,
      records: field.count,
    }),
  },
  PurgeFailed: versionOne(z.strictObject({ code: purgeFailureCode, attempt: field.ordinal })),
};

export type TicketEventType = keyof typeof ticketEventSchemas;

export type TicketEventData<Type extends TicketEventType> = z.infer<
  (typeof ticketEventSchemas)[Type]["data"]
>;

export type TicketEvent = {
  [Type in TicketEventType]: { readonly type: Type; readonly data: TicketEventData<Type> };
}[TicketEventType];

/** Parses an event of the log. */
export const ticketEventSchema = eventSchema<TicketEvent>(ticketEventSchemas);

const ticketStreamPrefix = "ticket-";

export const ticketStream = (ticketId: string): string => `${ticketStreamPrefix}${ticketId}`;

/** The id of the ticket whose stream this is, or undefined when it is another kind of stream. */
export function ticketIdOf(stream: string): string | undefined {
  if (!stream.startsWith(ticketStreamPrefix)) return undefined;
  const ticketId = stream.slice(ticketStreamPrefix.length);
  return field.id.safeParse(ticketId).success ? ticketId : undefined;
}
