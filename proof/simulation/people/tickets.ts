import { isTicketGone, writtenMessages } from "../../../domain/ticket/state.ts";
import type { OnBehalf } from "../../../services/command-bus.ts";
import { between, pick } from "../../../services/operations/seed/seeded-random.ts";
import { lookIntoTicket } from "../../../services/tickets/tickets.ts";
import { openTicket, replyByMail, replyToTicket } from "../../../services/tickets/write-in-ticket.ts";
import { mailMessage, ticketRequest } from "../../../testing/services/ticket-fixture.ts";
import { chance, clicked, onlyOne, persist, type Site, waits } from "./site.ts";

/** A conversation, with how many of its messages were acknowledged. */
type Conversation = { readonly ticketId: string; messages: number };

const categories = ["question", "order", "cancellation", "dataProtectionComplaint"] as const;

/** A customer asks, people write to and fro, and staff close the ticket, as often as it is opened again. */
export async function writeToSupport(site: Site, heldOrderId: string): Promise<void> {
  await waits(site, 0, 120_000);
  const conversation = await open(site, chance(site, 0.7) ? heldOrderId : null);
  if (!conversation) return;
  for (let rounds = between(site.random, 0, 3); rounds > 0; rounds--) {
    await waits(site, 2_000, 40_000);
    await (chance(site, 0.5) ? answer(site, conversation, "Waiting") : reply(site, conversation));
    if (chance(site, 0.2)) await mail(site, conversation);
    if (chance(site, 0.2)) await isAway(site, conversation);
    if (chance(site, 0.1)) await replaceLink(site, conversation);
  }
  if (chance(site, 0.1)) return;
  await close(site, conversation);
  if (chance(site, 0.3)) {
    await waits(site, 1_000, 60_000);
    await reply(site, conversation);
    await close(site, conversation);
  }
  if (chance(site, 0.5)) await eraseAndReply(site, conversation);
}

async function open(site: Site, heldOrderId: string | null): Promise<Conversation | undefined> {
  const key = { scope: "open-ticket", key: site.newId() };
  const request = ticketRequest({ category: pick(site.random, categories), message: key.key });
  const opened = await clicked(site, 0.2, "open a ticket", (deps) =>
    openTicket(deps, request, heldOrderId, key, site.newId()),
  );
  const ticketId = onlyOne(opened.map(({ ticket }) => ticket.ticketId));
  if (ticketId === undefined) return undefined;
  site.acknowledge.ticket(ticketId, "opened", () => true);
  return { ticketId, messages: 1 };
}

async function reply(site: Site, conversation: Conversation): Promise<void> {
  const { ticketId } = conversation;
  const key = { scope: `ticket-reply ${ticketId}`, key: site.newId() };
  site.wishes.add(ticketId);
  const replied = await clicked(site, 0.2, "reply", (deps) =>
    replyToTicket(deps, { ticketId, text: key.key, key, by: customerOf(site, ticketId) }),
  );
  if (replied.length > 0) written(site, conversation);
}

/** The customer answers by mail; its server sends the same mail again until it is acknowledged, and once more. */
async function mail(site: Site, conversation: Conversation): Promise<void> {
  const { ticketId } = conversation;
  site.wishes.add(ticketId);
  if ((await deliver(site, ticketId, false)) > 0) written(site, conversation);
}

/** A machine answers for the customer. */
async function isAway(site: Site, { ticketId }: Conversation): Promise<void> {
  site.wishes.add(ticketId);
  await deliver(site, ticketId, true);
}

/** @returns how often it was acknowledged */
async function deliver(site: Site, ticketId: string, automatic: boolean): Promise<number> {
  const commandId = `mail-${site.newId()}`;
  const by = customerOf(site, ticketId);
  const delivered = await clicked(site, 0.3, automatic ? "are away" : "mail", (deps) =>
    replyByMail(deps, { ticketId, mail: mailMessage({ commandId, automatic }), by }),
  );
  return delivered.length;
}

/** Staff read first, and answer what they have seen. If it has changed since, they leave it to the next. */
async function answer(site: Site, conversation: Conversation, next: "Waiting" | "Closed"): Promise<void> {
  const { ticketId } = conversation;
  const by = staffOf(site);
  const seen = await persist(site, "read the ticket", (deps) => lookIntoTicket(deps, ticketId, "ticket", by));
  if (!seen || isTicketGone(seen.ticket)) return;
  site.acknowledge.ticket(ticketId, "read by staff", ({ looks }) =>
    looks.some(({ staffId }) => staffId === by.actor.id),
  );
  await waits(site, 0, 20_000);
  const key = { scope: `ticket-reply ${ticketId} ${by.actor.id}`, key: site.newId() };
  const { revision } = seen.ticket;
  site.wishes.add(ticketId);
  const answered = await clicked(site, 0.3, "answer", (deps) =>
    replyToTicket(deps, { ticketId, text: key.key, key, by, next, seen: revision }),
  );
  if (answered.length > 0) written(site, conversation);
}

function written(site: Site, conversation: Conversation): void {
  conversation.messages += 1;
  const { ticketId, messages: least } = conversation;
  site.acknowledge.ticket(ticketId, `message ${least}`, (ticket) => writtenMessages(ticket).length >= least);
}

/** With an answer, or without a word. */
async function close(site: Site, conversation: Conversation): Promise<void> {
  await waits(site, 1_000, 60_000);
  if (chance(site, 0.5)) return answer(site, conversation, "Closed");
  const { ticketId } = conversation;
  const [commandId, by] = [site.newId(), staffOf(site)];
  const data = { status: "Closed", reason: "staffChoice" } as const;
  await clicked(site, 0.2, "close the ticket", (deps) =>
    deps.tickets.execute({ ticketId, commandId, by, command: { type: "ChangeTicketStatus", data } }),
  );
}

async function replaceLink(site: Site, { ticketId }: Conversation): Promise<void> {
  const [commandId, by] = [site.newId(), customerOf(site, ticketId)];
  const replaced = await clicked(site, 0.2, "replace the link", (deps) =>
    deps.tickets.execute({ ticketId, commandId, by, command: { type: "ReplaceTicketLink", data: {} } }),
  );
  const generation = replaced[0]?.ticket.linkGeneration;
  if (generation === undefined) return;
  site.acknowledge.ticket(ticketId, "another link", (ticket) => ticket.linkGeneration >= generation);
}

/** All is to be erased; and at the same moment the customer writes again. */
async function eraseAndReply(site: Site, conversation: Conversation): Promise<void> {
  await waits(site, 1_000, 120_000);
  const { ticketId } = conversation;
  const [commandId, by] = [site.newId(), staffOf(site)];
  if (chance(site, 0.6)) for (let n = 0; n < 2; n++) site.aside(replySoon(site, conversation));
  const erased = await clicked(site, 0.2, "ask for erasure", (deps) =>
    deps.tickets.execute({ ticketId, commandId, by, command: { type: "RequestErasure", data: {} } }),
  );
  if (erased.length === 0) return;
  site.acknowledge.ticket(ticketId, "erasure", ({ erasureRequestedAt }) => erasureRequestedAt !== null);
}

async function replySoon(site: Site, conversation: Conversation): Promise<void> {
  await waits(site, 20, 150);
  await reply(site, conversation);
}

const customerOf = ({ newId }: Site, ticketId: string): OnBehalf => ({
  actor: { kind: "customer", id: ticketId },
  correlationId: newId(),
});

const staffOf = (site: Site): OnBehalf => ({
  actor: { kind: "staff", id: pick(site.random, ["user_ann", "user_bob"]) },
  correlationId: site.newId(),
});
