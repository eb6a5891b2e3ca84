import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Presented } from "../../contract/request.ts";
import type {
  TicketCredentials,
  ticketAnswer,
  ticketLinkAnswer,
} from "../../contract/tickets/conversation.ts";
import * as conversation from "../../contract/tickets/conversation.ts";
import { comparableEmail, ticketContactRecord } from "../../domain/ticket/held-texts.ts";
import { lookupOf, type TicketLookup } from "../../projections/tickets/ticket-lookup.ts";
import type { OnBehalf } from "../command-bus.ts";
import { notFound } from "../gateway/errors/problem.ts";
import { type Caller, keyFor } from "../gateway/guards/identify.ts";
import { findCaughtUp, type HandlerDependencies } from "../gateway/parts.ts";
import { route } from "../gateway/route.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import { openIfThere } from "../vault/vault.ts";
import { attachedFile, filesIn, presentFiles } from "./attached-files.ts";
import { type Conversation, openAttachment, openConversation, ticketIfKnown } from "./tickets.ts";
import { openTicket, replyToTicket } from "./write-in-ticket.ts";

export const openSupportTicket = route(
  conversation.openTicket,
  (dependencies) =>
    async ({ caller, body, idempotencyKey, correlationId }) => {
      const key = keyFor("open-ticket", idempotencyKey);
      const heldOrderId = await orderOfHolder(dependencies, caller, body.orderNumber);
      const answers = { ...body, attachments: await filesIn(dependencies, body) };
      const { ticket, position } = await openTicket(
        dependencies.deps,
        answers,
        heldOrderId,
        key,
        correlationId,
      );
      const link = dependencies.ticketLinks.linkTo(ticket.ticketId, ticket.linkGeneration);
      return { body: presentTicketLink(ticket.ticketNumber, link), position };
    },
);

export const viewTicket = route(conversation.viewTicket, (dependencies) => async ({ body }) => {
  const found = await admitToTicket(dependencies, body);
  return { body: presentTicket(found, await openConversation(dependencies.deps.vault, found)) };
});

export const replyInTicket = route(
  conversation.replyInTicket,
  (dependencies) =>
    async ({ body, idempotencyKey, correlationId }) => {
      const { deps } = dependencies;
      const admitted = await admitToTicket(dependencies, body);
      const { ticketId } = admitted;
      const key = keyFor(`ticket-reply ${ticketId}`, idempotencyKey);
      const by = customerOf(ticketId, correlationId);
      const attachments = await filesIn(dependencies, body);
      const writing = { ticketId, text: body.message, attachments, key, by };
      const { ticket, position } = await replyToTicket(deps, { ...writing, ...linkOf(body, admitted) });
      const found = lookupOf(ticket);
      return { body: presentTicket(found, await openConversation(deps.vault, found)), position };
    },
);

/** A file that came with a message, for the holder of the conversation. */
export const downloadAttachment = route(
  conversation.downloadAttachment,
  (dependencies) =>
    async ({ body }) => {
      const { messages } = await admitToTicket(dependencies, body);
      return { file: attachedFile(await openAttachment(dependencies.deps.vault, messages, body)) };
    },
);

/** What emails about our answers say from now on. */
export const chooseMailContent = route(
  conversation.chooseMailContent,
  (dependencies) =>
    async ({ body, idempotencyKey, correlationId }) => {
      const { deps } = dependencies;
      const admitted = await admitToTicket(dependencies, body);
      const { ticketId } = admitted;
      const key = keyFor(`ticket-mail-content ${ticketId}`, idempotencyKey);
      const { ticket, position } = await deps.tickets.execute({
        ticketId,
        commandId: clientCommandId(deps.deriveId, deps.newId, key),
        by: customerOf(ticketId, correlationId),
        command: {
          type: "ChooseMailContent",
          data: { content: body.content, ...linkOf(body, admitted) },
        },
      });
      const found = lookupOf(ticket);
      return { body: presentTicket(found, await openConversation(deps.vault, found)), position };
    },
);

/** For a private link that has leaked. */
export const replaceTicketLink = route(
  conversation.replaceTicketLink,
  (dependencies) =>
    async ({ body, idempotencyKey, correlationId }) => {
      const { deps, ticketLinks } = dependencies;
      const admitted = await admitToTicket(dependencies, body);
      const { ticketId } = admitted;
      const key = keyFor(`ticket-link ${ticketId}`, idempotencyKey);
      const { ticket, position } = await deps.tickets.execute({
        ticketId,
        commandId: clientCommandId(deps.deriveId, deps.newId, key),
        by: customerOf(ticketId, correlationId),
        command: { type: "ReplaceTicketLink", data: linkOf(body, admitted) },
      });
      const link = ticketLinks.linkTo(ticketId, ticket.linkGeneration);
      return { body: presentTicketLink(ticket.ticketNumber, link), position };
    },
);

/** The link that admitted the caller, for the ticket to decide with: another request may be replacing it. */
const linkOf = (credentials: TicketCredentials, { linkGeneration }: TicketLookup) =>
  "key" in credentials ? { linkGeneration } : {};

/** Opaque, for events: a customer is identified by their ticket. */
const customerOf = (ticketId: string, correlationId: string): OnBehalf => ({
  actor: { kind: "customer", id: ticketId },
  correlationId,
});

/** The order of a number, if the caller holds it: a number alone links nothing. */
async function orderOfHolder(
  { queries }: HandlerDependencies,
  caller: Caller,
  orderNumber: string | null,
): Promise<string | null> {
  const found = orderNumber === null ? undefined : await queries.lookup(orderNumber);
  return found && (await caller.holds(found.orderId)) ? found.orderId : null;
}

const presentTicketLink = (ticketNumber: string, link: string): Presented<typeof ticketLinkAnswer> => ({
  ticketNumber,
  link,
});

/** The conversation as its customer sees it. */
const presentTicket = (
  found: TicketLookup,
  { subject, messages }: Conversation,
): Presented<typeof ticketAnswer> => ({
  ticketNumber: found.ticketNumber,
  category: found.category,
  status: found.status,
  subject,
  createdAt: found.openedAt,
  lastUpdated: found.updatedAt,
  orderNumber: found.orderNumber,
  messages: messages.map(({ messageId, author, at, text, byMail, automatic, quoted, files }) => ({
    id: messageId,
    author,
    text,
    timestamp: at,
    byEmail: byMail,
    automatic,
    quoted,
    attachments: presentFiles(files),
  })),
  mailContent: found.mailContent,
  deletedAt: found.purgedAt,
});

/** Minimum time before a refusal is sent; longer than any path to one takes. */
const refusalMs = 300;

/**
 * Admits a caller who holds a ticket's private link, or knows its number and the customer's email address. An unknown
 * ticket, a wrong address and a replaced link are indistinguishable, even by timing.
 * @throws Problem 404
 */
async function admitToTicket(
  dependencies: HandlerDependencies,
  credentials: TicketCredentials,
): Promise<TicketLookup> {
  const { now } = dependencies.deps;
  const cameAt = now().getTime();
  const found =
    "key" in credentials
      ? await byKey(dependencies, credentials.key)
      : await byAddress(dependencies, credentials);
  if (found !== undefined) return found;
  await delay(Math.max(0, cameAt + refusalMs - now().getTime()));
  throw notFound();
}

/** Reads the log: a read model that is behind would admit a link that has been replaced. */
async function byKey(
  { deps, ticketLinks }: HandlerDependencies,
  key: string,
): Promise<TicketLookup | undefined> {
  const ticketId = ticketLinks.ticketIdIn(key);
  if (ticketId === undefined) return undefined;
  const ticket = (await ticketIfKnown(deps.tickets, ticketId))?.ticket;
  return ticket && ticketLinks.opens(key, ticketId, ticket.linkGeneration) ? lookupOf(ticket) : undefined;
}

async function byAddress(
  dependencies: HandlerDependencies,
  { ticketNumber, email }: Extract<TicketCredentials, { ticketNumber: string }>,
): Promise<TicketLookup | undefined> {
  const found = await findCaughtUp(dependencies, () => dependencies.queries.lookUpTicket(ticketNumber));
  const contact =
    found && (await openIfThere(dependencies.deps.vault, found.contactRef, ticketContactRecord));
  return contact && sameAddress(contact.email, email) ? found : undefined;
}

// Comparing hashes reveals neither length nor the first difference.
const sameAddress = (one: string, other: string): boolean => timingSafeEqual(hashOf(one), hashOf(other));
const hashOf = (email: string): Buffer => createHash("sha256").update(comparableEmail(email)).digest();
