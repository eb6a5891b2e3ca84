import { createHash, timingSafeEqual } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TicketCredentials } from "../../contract/tickets/conversation.ts";
import { comparableEmail, ticketContactRecord } from "../../domain/ticket/sealed-texts.ts";
import type { TicketLookup } from "../../projections/tickets/ticket-lookup.ts";
import { notFound } from "../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { findCaughtUp } from "../gateway/routing/read-after.ts";
import { openIfThere } from "../vault/vault.ts";

/** Minimum time before a refusal is sent; longer than any path to one takes. */
const refusalMs = 300;

/**
 * Admits a caller who holds a ticket's private link, or knows its number and the customer's email address. An unknown
 * ticket, a wrong address and a replaced link are indistinguishable, even by timing.
 * @throws Problem 404
 */
export async function admitToTicket(
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

async function byKey(dependencies: HandlerDependencies, key: string): Promise<TicketLookup | undefined> {
  const { queries, ticketLinks } = dependencies;
  const ticketId = ticketLinks.ticketIdIn(key);
  if (ticketId === undefined) return undefined;
  return findCaughtUp(dependencies, async () => {
    const found = await queries.getTicket(ticketId);
    return found && ticketLinks.opens(key, ticketId, found.linkGeneration) ? found : undefined;
  });
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
