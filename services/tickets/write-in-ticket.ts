import { createHash, hash } from "node:crypto";
import type { OpenTicketAnswers } from "../../contract/tickets/conversation.ts";
import { ticketNumberOf } from "../../domain/numbers.ts";
import { unsealed } from "../../domain/order/personal-data/vault-records.ts";
import type { TicketCommand } from "../../domain/ticket/commands.ts";
import type { TicketContactRecord } from "../../domain/ticket/held-texts.ts";
import type { Attachment, MailArrival } from "../../domain/ticket/message-parts.ts";
import type { TicketState } from "../../domain/ticket/state.ts";
import type { AttachmentType, MailContent, TicketCategory } from "../../domain/ticket/vocabulary.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import type { OnBehalf } from "../command-bus.ts";
import { type ClientKey, clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { type Seal, type Typed, type TypedCommand, typedCommand } from "../orders/personal-data.ts";
import type { DeriveId } from "../vault/vault.ts";
import type { TicketResult } from "./tickets.ts";

/** The answers of the contact form, with its files. */
type TicketAnswers = OpenTicketAnswers & { readonly attachments?: readonly AttachedFile[] };

/** Of files, for comparing repeats. Nothing without files: builds that knew none compare the same. */
const digestsOf = (files: readonly AttachedFile[]) =>
  files.length === 0
    ? {}
    : { attachments: files.map(({ name, bytes }) => ({ name, digest: hash("sha256", bytes, "hex") })) };

/**
 * Opens a ticket, with the sender's details and the message sealed. All ids derive from the client's key, so a
 * repeat, however late, is the same ticket.
 * @param heldOrderId the order named in the request, if the caller proved to hold it
 * @throws CommandReused for another body under the same key, and for any body once the ticket is purged: with nothing
 * left to compare, the key alone must not open it
 */
export async function openTicket(
  deps: OrderDependencies,
  { attachments = [], ...request }: TicketAnswers,
  heldOrderId: string | null,
  key: ClientKey | undefined,
  correlationId: string,
): Promise<TicketResult> {
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const ticketId = deps.deriveId("ticket", commandId);
  const { name, email, subject, message, category, orderNumber, mailContent } = request;
  return open(deps, {
    ...{ ticketId, commandId, category, orderNumber, heldOrderId, repeatable: key !== undefined },
    by: { actor: { kind: "customer", id: ticketId }, correlationId },
    contact: { name, email, subject },
    message: { text: message, attachments },
    mail: null,
    mailContent,
    // The fingerprint leaves out whether the browser holds the order: a repeat may come without its cookie.
    body: {
      ...{ name, email, subject, message, category, orderNumber, ...digestsOf(attachments) },
      ...(mailContent === "text" && { mailContent }),
    },
  });
}

/** A mail that is a ticket's message. `commandId` derives from what came: the same mail again changes nothing. */
export type MailMessage = {
  readonly commandId: string;
  /** What its author wrote. */
  readonly text: string;
  /** Earlier messages and the signature. */
  readonly quoted: string;
  /** A machine sent it: nothing follows from it. */
  readonly automatic: boolean;
  /** Whether `from` is the address that is held for the customer. */
  readonly sender: MailArrival["sender"];
  /** The address it names as its sender. */
  readonly from: string;
  readonly authentication: MailArrival["authentication"];
  readonly attachments: readonly AttachedFile[];
  /** As it came. */
  readonly original: Uint8Array;
};

/** What a mail opens a ticket with. `ticketId` is new, or that of the same mail when it came before. */
type OpeningMail = {
  readonly ticketId: string;
  readonly contact: TicketContactRecord;
  readonly category: TicketCategory;
  readonly orderNumber: string | null;
  readonly heldOrderId: string | null;
  readonly mail: MailMessage;
  readonly by: OnBehalf;
};

/** Opens a ticket by mail. One that a machine sent opens it closed, and owes no mail. */
export const openTicketByMail = (
  deps: OrderDependencies,
  { mail, ...opening }: OpeningMail,
): Promise<TicketResult> =>
  open(deps, { ...opening, mail, message: mail, mailContent: "link", ...uncompared(mail) });

/**
 * Adds a mail to a ticket as its customer's message, or as an automatic reply. The same mail again changes nothing, also
 * once the ticket is purged.
 * @throws Refused `ticket-purged`, `answer-pending`, `too-many-messages`, `too-many-automatic-replies`
 */
export function replyByMail(
  deps: OrderDependencies,
  { ticketId, mail, by }: { readonly ticketId: string; readonly mail: MailMessage; readonly by: OnBehalf },
): Promise<TicketResult> {
  const commandOf = (parts: SealedMessage, arrival: MailArrival): TicketCommand => ({
    type: mail.automatic ? "FileAutomaticReply" : "ReplyToTicket",
    data: { ...parts, mail: arrival },
  });
  return deps.tickets.execute({
    ticketId,
    by,
    ...typedInTicket(deps, {
      subject: ticketId,
      ...uncompared(mail),
      draft: commandOf(unsealedMessage(mail), arrivalOf(mail, unsealed)),
      command: async (seal) =>
        commandOf(...(await Promise.all([sealMessage(seal, mail), sealArrival(seal, mail)]))),
    }),
  });
}

/** The command of a mail: its id names all that came, so a repeat needs no comparing. */
const uncompared = ({ commandId }: MailMessage) => ({ commandId, repeatable: false, body: null });

const arrivalOf = ({ sender, authentication }: MailMessage, originalRef: string): MailArrival => ({
  sender,
  authentication,
  originalRef,
});

const sealArrival = async (seal: Seal, mail: MailMessage): Promise<MailArrival> =>
  arrivalOf(mail, await seal("ticketOriginal", "contact", mail.original));

/** A customer's message before it is sealed. */
type Message = Pick<MailMessage, "text" | "attachments"> & Partial<Pick<MailMessage, "quoted" | "from">>;

/** What commands and events name of a message. */
type SealedMessage = { readonly messageRef: string; readonly attachments: Attachment[] };

const unsealedMessage = ({ attachments }: Message): SealedMessage => ({
  messageRef: unsealed,
  attachments: attachments.map((file) => attachmentOf(file, unsealed)),
});

const attachmentOf = ({ type, bytes }: AttachedFile, ref: string): Attachment => ({
  ref,
  type,
  bytes: bytes.length,
});

/**
 * Customers quote our mails, whose links open the order, the conversation or the saved answers: staff read them without
 * their keys. Services that check links write `=` as `%3D`, `%253D` or `-3D`, and `#` in more ways.
 */
const withoutKeys = (text: string): string =>
  text.replace(/((?:key|delete)(?:=|[%-](?:25)*3D))[\w.~%-]+/gi, "$1…");

async function sealMessage(seal: Seal, { text, quoted, from, attachments }: Message): Promise<SealedMessage> {
  const fileNames = attachments.map(({ name }) => name);
  const [messageRef, sealed] = await Promise.all([
    seal("ticketMessage", "contact", {
      text: withoutKeys(text),
      ...(quoted && { quoted: withoutKeys(quoted) }),
      ...(from !== undefined && { from }),
      ...(fileNames.length > 0 && { fileNames }),
    }),
    Promise.all(
      attachments.map(async (file) =>
        attachmentOf(file, await seal("ticketAttachment", "contact", file.bytes)),
      ),
    ),
  ]);
  return { messageRef, attachments: sealed };
}

type Opening = Omit<OpeningMail, "mail"> &
  Pick<Typed<TicketState, TicketCommand>, "commandId" | "repeatable" | "body"> & {
    readonly message: Message;
    /** Null from the page. */
    readonly mail: MailMessage | null;
    readonly mailContent: MailContent;
  };

function open(deps: OrderDependencies, opening: Opening): Promise<TicketResult> {
  const { ticketId, by, commandId, repeatable, body, contact, message, mail } = opening;
  const { category, orderNumber, heldOrderId, mailContent } = opening;
  const ticketNumber = numberOf(deps.deriveId, ticketId);
  const automatic = mail?.automatic === true;
  const commandOf = (
    contactRef: string,
    parts: SealedMessage,
    arrival: MailArrival | null,
  ): TicketCommand => ({
    type: "OpenTicket",
    data: {
      ...{ ticketId, ticketNumber, category, orderNumber, heldOrderId, contactRef },
      ...{ ...parts, mail: arrival, automatic, mailContent },
    },
  });
  return deps.tickets.execute({
    ticketId,
    by,
    ...typedInTicket(deps, {
      subject: ticketId,
      ...{ commandId, repeatable, body },
      isFirst: true,
      draft: commandOf(unsealed, unsealedMessage(message), mail && arrivalOf(mail, unsealed)),
      command: async (seal) =>
        commandOf(
          ...(await Promise.all([
            seal("ticketContact", "contact", { ...contact, subject: withoutKeys(contact.subject) }),
            sealMessage(seal, message),
            mail && sealArrival(seal, mail),
          ])),
        ),
    }),
  });
}

/** A file that came with a message. */
export type AttachedFile = {
  readonly name: string;
  readonly type: AttachmentType;
  readonly bytes: Uint8Array;
};

/** Deterministic for an id, and unpredictable without the installation's secret. */
function numberOf(deriveId: DeriveId, ticketId: string): string {
  const bytes = createHash("sha256").update(deriveId("ticket-number", ticketId)).digest();
  return ticketNumberOf(bytes.readBigUInt64BE(0));
}

/**
 * Prepares a command with text typed in a ticket. Its `fingerprint` throws CommandReused once the ticket is purged:
 * with nothing left to compare, an `Idempotency-Key` alone must not open it.
 */
function typedInTicket(
  deps: OrderDependencies,
  typed: Typed<TicketState, TicketCommand>,
): TypedCommand<TicketState, TicketCommand> {
  const command = typedCommand(deps, typed);
  return {
    ...command,
    fingerprint: async () => {
      const fingerprint = await command.fingerprint();
      if (typed.repeatable && fingerprint === null) throw new CommandReused(typed.commandId);
      return fingerprint;
    },
  };
}

/** A text for a ticket, with its author and the browser's idempotency key. */
export type Writing = {
  readonly ticketId: string;
  readonly text: string;
  readonly key: ClientKey | undefined;
  readonly by: OnBehalf;
  /** The revision the author saw; customers send none. */
  readonly seen?: number;
};

/** A reply by staff, and the ticket's status afterwards: waiting for the customer by default. */
type Reply = Writing & {
  /** Of a customer. */
  readonly attachments?: readonly AttachedFile[];
  readonly next?: "Waiting" | "Closed";
  /** The private link that admitted a customer, if any. */
  readonly linkGeneration?: number;
};

/**
 * Adds a message by the customer or by staff, according to `by`.
 * @throws Refused `ticket-purged`, `answer-pending` when a customer must wait for an answer before writing more,
 * `changed-meanwhile`; CommandReused
 */
export const replyToTicket = (deps: OrderDependencies, reply: Reply): Promise<TicketResult> =>
  writeMessage(deps, reply, (parts) => ({
    type: "ReplyToTicket",
    data: {
      ...parts,
      mail: null,
      ...(reply.next && { next: reply.next }),
      ...(reply.linkGeneration !== undefined && { linkGeneration: reply.linkGeneration }),
      ...seenIn(reply),
    },
  }));

function writeMessage(
  deps: OrderDependencies,
  { ticketId, text, key, by, attachments = [] }: Reply,
  commandOf: (parts: SealedMessage) => TicketCommand,
): Promise<TicketResult> {
  const message = { text, attachments };
  return deps.tickets.execute({
    ticketId,
    by,
    ...typedInTicket(deps, {
      subject: ticketId,
      commandId: clientCommandId(deps.deriveId, deps.newId, key),
      repeatable: key !== undefined,
      body: { text, ...digestsOf(attachments) },
      draft: commandOf(unsealedMessage(message)),
      command: async (seal) => commandOf(await sealMessage(seal, message)),
    }),
  });
}

/**
 * Adds a note that only staff see.
 * @throws Refused `ticket-purged`, `staff-only`, `changed-meanwhile`; CommandReused
 */
export const noteOnTicket = (deps: OrderDependencies, writing: Writing): Promise<TicketResult> =>
  deps.tickets.execute({
    ...{ ticketId: writing.ticketId, by: writing.by },
    ...typedInTicket(deps, {
      subject: writing.ticketId,
      commandId: clientCommandId(deps.deriveId, deps.newId, writing.key),
      repeatable: writing.key !== undefined,
      body: { text: writing.text },
      draft: noteOf(writing, unsealed),
      command: async (seal) => noteOf(writing, await seal("ticketNote", "contact", { text: writing.text })),
    }),
  });

const noteOf = (writing: Writing, noteRef: string): TicketCommand => ({
  type: "NoteOnTicket",
  data: { noteRef, ...seenIn(writing) },
});

const seenIn = ({ seen }: Writing) => (seen === undefined ? {} : { seen });
