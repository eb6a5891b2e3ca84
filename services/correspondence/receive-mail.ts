import { Refused } from "../../domain/decider.ts";
import { email } from "../../domain/forms/personal-details.ts";
import { contactRecord } from "../../domain/forms/sealed-records.ts";
import { type BounceKind, knownMails } from "../../domain/mailbox.ts";
import { comparableEmail, ticketContactRecord } from "../../domain/ticket/held-texts.ts";
import { isTicketGone } from "../../domain/ticket/state.ts";
import type { OnBehalf } from "../command-bus.ts";
import type { UnverifiedMailLimit } from "../gateway/guards/mail-allowance.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { orderIfKnown } from "../orders/orders.ts";
import {
  type ArrivedMail,
  type MailRefusalCode,
  type Reception,
  refusal,
} from "../providers/mail-in/mail-in.ts";
import type { MailReader } from "../providers/mail-in/mail-reader.ts";
import { digestOf, type ReadMail } from "../providers/mail-in/read-mail.ts";
import { ticketIfKnown } from "../tickets/tickets.ts";
import { type MailMessage, openTicketByMail, replyByMail } from "../tickets/write-in-ticket.ts";
import { openIfThere } from "../vault/vault.ts";
import { recordBounce } from "./record-bounce.ts";
import { mailGeneration, type ReturnAddress, type ReturnAddresses } from "./return-address.ts";

type ReceiverParts = {
  readonly deps: OrderDependencies;
  readonly addresses: ReturnAddresses;
  readonly reader: MailReader;
  readonly unverified: UnverifiedMailLimit;
};

/** A mail that was read, with its address and the id of the command that it becomes. */
type Arrived = {
  readonly mail: ReadMail;
  readonly raw: Uint8Array;
  /** What its address says; undefined for an address that anyone may know. */
  readonly address: ReturnAddress | undefined;
  readonly commandId: string;
};

const taken: Reception = { kind: "taken" };
const refused = (code: MailRefusalCode) => ({ kind: "refused" as const, ...refusal(code) });
const tooManyMails = (againAfterMs: number): Reception => ({ ...refused("tooManyMails"), againAfterMs });

/**
 * Takes mail that comes in: what it says is in the log before it is acknowledged, and the same mail again changes
 * nothing. A failure is thrown, and the mail tried again.
 */
export const createMailReceiver =
  (parts: ReceiverParts) =>
  async (arrived: ArrivedMail): Promise<Reception> => {
    const address = parts.addresses.read(arrived.recipient);
    // Before it is read, which may take seconds: replies would wait for them.
    const waitMs = address === undefined ? await parts.unverified.usedUpForMs() : 0;
    if (waitMs > 0) return tooManyMails(waitMs);
    const mail = await parts.reader.read(arrived);
    if ("reply" in mail) return { kind: "refused", ...mail };
    const read = { mail, raw: arrived.raw, address, commandId: `mail-${digestOf(arrived, mail)}` };
    const { kind } = mail;
    switch (kind.as) {
      case "notice":
        return taken;
      case "bounce":
        return recordReturn(parts, read, kind.severity, kind.code, kind.returnTo);
      case "complaint":
        return recordReturn(parts, read, "complaint", "", kind.returnTo);
      case "written":
      case "automatic":
        return file(parts, read);
      default:
        return kind satisfies never;
    }
  };

const customer = ({ newId }: Pick<OrderDependencies, "newId">, id: string): OnBehalf => ({
  actor: { kind: "customer", id },
  correlationId: newId(),
});

/** Without a return address of ours a report says nothing: anyone can write one about any mail. */
async function recordReturn(
  { deps, addresses }: ReceiverParts,
  { address, commandId }: Arrived,
  kind: BounceKind,
  code: string,
  returnTo: string | null,
): Promise<Reception> {
  const named = address ?? addresses.read(returnTo ?? "");
  const mail = named && (await mailOf(deps, named));
  if (!named || !mail) return taken;
  const { subject } = named;
  const by: OnBehalf = { actor: { kind: "provider", id: "mail" }, correlationId: deps.newId() };
  await recordBounce(deps, { subject, mail, kind, code, commandId, by });
  return taken;
}

/** The mail whose address it is; undefined if it was never to leave. */
async function mailOf({ orders, tickets, drafts }: OrderDependencies, { subject, isOf }: ReturnAddress) {
  const known = {
    order: async (id: string) => knownMails<string>((await orderIfKnown(orders, id))?.mails ?? noMails),
    ticket: async (id: string) =>
      knownMails<string>((await ticketIfKnown(tickets, id))?.ticket.mails ?? noMails),
    draft: async (id: string) => {
      const { mail = null, sent = null } = (await drafts.find(id))?.draft ?? {};
      return [mail, sent].filter((each) => each !== null);
    },
  };
  return (await known[subject.kind](subject.id)).find(({ template, about }) => isOf(`${template}.${about}`));
}

const noMails = { owed: [], sent: [] };

/** What a person wrote, and what answered for them. */
async function file(parts: ReceiverParts, arrived: Arrived): Promise<Reception> {
  try {
    if (await fileUnderAddress(parts.deps, arrived)) return taken;
    return await fileUnverified(parts, arrived);
  } catch (error) {
    if (error instanceof Refused && ticketLimits.has(error.rule)) return refused("answerPending");
    throw error;
  }
}

/** A ticket refuses too many mails as it refuses too many messages on its page. */
const ticketLimits: ReadonlySet<string> = new Set([
  "answer-pending",
  "too-many-messages",
  "too-many-automatic-replies",
]);

/** @returns whether its address named a ticket or an order that can still be written to */
async function fileUnderAddress(deps: OrderDependencies, arrived: Arrived): Promise<boolean> {
  const { address } = arrived;
  switch (address?.subject.kind) {
    case "ticket":
      return fileInTicket(deps, arrived, address.subject.id, address.generation);
    case "order":
      return fileForOrder(deps, arrived, address.subject.id, address.generation);
    default:
      return false;
  }
}

async function fileInTicket(
  deps: OrderDependencies,
  arrived: Arrived,
  ticketId: string,
  generation?: number,
): Promise<boolean> {
  const ticket = (await ticketIfKnown(deps.tickets, ticketId))?.ticket;
  if (!ticket) return false;
  if (await deps.tickets.knows(ticketId, arrived.commandId)) return true;
  if (isTicketGone(ticket) || (generation ?? ticket.linkGeneration) !== ticket.linkGeneration) return false;
  const contact = await openIfThere(deps.vault, ticket.contactRef, ticketContactRecord);
  const mail = messageOf(arrived, contact?.email);
  await replyByMail(deps, { ticketId, mail, by: customer(deps, ticketId) });
  return true;
}

/** Files a mail in its order's conversation, or opens it. */
async function fileForOrder(
  deps: OrderDependencies,
  arrived: Arrived,
  orderId: string,
  generation: number,
): Promise<boolean> {
  const ticketId = await conversationOf(deps, orderId, generation, arrived.commandId);
  if (await deps.tickets.knows(ticketId, arrived.commandId)) return true;
  const order = await orderIfKnown(deps.orders, orderId);
  if (!order || generation !== mailGeneration(order)) return false;
  if (await fileInTicket(deps, arrived, ticketId)) return true;
  const contact = await openIfThere(deps.vault, order.vault.contact, contactRecord);
  if (!contact) return false;
  // "Automatic reply: …" is no subject for what the customer writes later.
  const isAutomatic = arrived.mail.kind.as === "automatic";
  const subject = isAutomatic ? `Order ${order.orderNumber}` : subjectOf(arrived.mail);
  try {
    await openTicketByMail(deps, {
      ticketId,
      contact: { name: contact.contactFullName, email: contact.email, subject },
      ...{ category: "order", orderNumber: order.orderNumber, heldOrderId: orderId },
      mail: messageOf(arrived, contact.email),
      by: customer(deps, ticketId),
    });
    return true;
  } catch (error) {
    // Another mail about the order was faster.
    if (error instanceof Refused && error.rule === "already-exists")
      return fileInTicket(deps, arrived, ticketId);
    throw error;
  }
}

/**
 * The ticket of an order's mail: one for each generation, since the holder of an earlier address can read what is in that
 * one's. Once it is purged, the next mail begins another.
 */
async function conversationOf(
  { tickets, deriveId }: OrderDependencies,
  orderId: string,
  generation: number,
  commandId: string,
): Promise<string> {
  for (let n = 1; ; n += 1) {
    const ticketId = deriveId("ticket", "mail of order", orderId, String(generation), String(n));
    const ticket = (await ticketIfKnown(tickets, ticketId))?.ticket;
    if (!ticket || !isTicketGone(ticket) || (await tickets.knows(ticketId, commandId))) return ticketId;
  }
}

/** As from the contact form: who wrote is not verified. */
async function fileUnverified({ deps, unverified }: ReceiverParts, arrived: Arrived): Promise<Reception> {
  const { mail, raw, commandId } = arrived;
  const from = email.safeParse(mail.from?.email);
  if (!from.success) return refused("noSender");
  const ticketId = deps.deriveId("ticket", commandId);
  // The same mail again does not count again.
  if (await deps.tickets.knows(ticketId, commandId)) return taken;
  const waitMs = await unverified.count(from.data, raw.byteLength);
  if (waitMs > 0) return tooManyMails(waitMs);
  await openTicketByMail(deps, {
    ticketId,
    contact: { name: mail.from?.name || from.data, email: from.data, subject: subjectOf(mail) },
    ...{ category: "other", orderNumber: null, heldOrderId: null },
    mail: messageOf(arrived, from.data),
    by: customer(deps, ticketId),
  });
  return taken;
}

const subjectOf = ({ subject }: ReadMail): string =>
  subject === "" ? "(no subject)" : subject.slice(0, 150);

/** @param held the address that we hold for the customer */
function messageOf({ mail, raw, commandId }: Arrived, held: string | undefined): MailMessage {
  const from = mail.from?.email ?? "";
  const isKnown = held !== undefined && comparableEmail(held) === comparableEmail(from);
  const { authentication, kind } = mail;
  const automatic = kind.as === "automatic";
  return {
    ...{ commandId, text: mail.text, quoted: mail.quoted, authentication, from, automatic },
    // Of a machine, the original alone keeps them.
    attachments: automatic ? [] : mail.attachments,
    sender: isKnown ? "known" : "other",
    original: raw,
  };
}
