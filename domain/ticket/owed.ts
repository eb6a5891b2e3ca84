import { addDays, before, later } from "../instant.ts";
import { mailTaskName, stopOf, type UndeliverableBecause } from "../mailbox.ts";
import { retryAt } from "../order/personal-data/purge-tasks.ts";
import type { Order } from "../order/state.ts";
import type { TaskSettings } from "../order/tasks/task.ts";
import { ticketMailRules } from "./mail-rules.ts";
import type { Ticket } from "./state.ts";
import type { TicketMailTemplate, TicketPurgeRule } from "./vocabulary.ts";

/** A customer who was asked and does not answer for so long has no more to say; a reply opens the ticket again. */
export const daysUntilSilence = 30;

/** Something a ticket is owed, as an order's tasks are: safe to repeat, named for as long as it is owed. */
export type TicketTask = {
  readonly name: string;
  readonly dueAt: string;
} /** Send a mail, then RecordTicketMail. `stop`: why it is recorded without being sent. */ & (
  | {
      readonly kind: "mail";
      readonly template: TicketMailTemplate;
      readonly about: string;
      readonly stop?: UndeliverableBecause;
    }
  /** ChangeTicketStatus to Closed. */
  | { readonly kind: "close" }
  /**
   * Start a purge unless one is under way, erase its keys, then PurgeTicket. `attempt` counts the failures so far, from
   * 1. `follows` is the order whose contact data, once purged, makes it due sooner.
   */
  | {
      readonly kind: "purge";
      readonly rule: TicketPurgeRule;
      readonly attempt: number;
      readonly follows: string | null;
    }
);

/**
 * When the contact data of a paid order was purged; undefined while it is there. What was never paid is
 * forgotten within a day: a conversation about it is not.
 */
export const contactPurgedAt = ({ payments, purges }: Order): string | undefined =>
  payments.length === 0 ? undefined : (purges.contact.purgedAt ?? undefined);

const mails = (ticket: Ticket): TicketTask[] =>
  ticket.contactRef === null
    ? []
    : ticket.mails.owed.map((mail) => {
        const { template, about, since, notBefore } = mail;
        const stop = stopOf(ticket.mails, mail, ticketMailRules(ticket));
        const dueAt = notBefore ?? since;
        return { kind: "mail", name: mailTaskName(mail), dueAt, template, about, ...(stop && { stop }) };
      });

const silence = ({ phase, phaseSince }: Ticket): TicketTask[] =>
  phase === "Waiting"
    ? [
        {
          kind: "close",
          name: `close-${Date.parse(phaseSince)}`,
          dueAt: addDays(phaseSince, daysUntilSilence),
        },
      ]
    : [];

/** When an erasure request takes effect: the conversation is over, and the customer has been informed how it ended. */
export const erasable = ({ erasureRequestedAt, mails, phaseSince }: Ticket): string | undefined =>
  erasureRequestedAt === null || mails.owed.length > 0 ? undefined : later(erasureRequestedAt, phaseSince);

function purge(
  ticket: Ticket,
  order: Order | undefined,
  { contactRetentionDays }: TaskSettings,
): TicketTask[] {
  if (ticket.phase !== "Closed") return [];
  const attempt = ticket.purge.failures + 1;
  const { linkedOrder } = ticket;
  const purgeAt = (since: string, rule: TicketPurgeRule): TicketTask[] => [
    {
      kind: "purge",
      name: `purge-ticket-${attempt}`,
      dueAt: retryAt(since, ticket.purge),
      rule,
      attempt,
      follows: rule === "retention" ? (linkedOrder?.orderId ?? null) : null,
    },
  ];
  const { open } = ticket.purge;
  if (open) return purgeAt(open.at, open.rule);
  const erased = erasable(ticket);
  if (erased !== undefined) return purgeAt(erased, "erasure");
  const kept = addDays(ticket.phaseSince, contactRetentionDays);
  const gone = order && contactPurgedAt(order);
  // One that was linked to an order of which nothing was left any more has only its own time.
  const follows = linkedOrder !== null && gone !== undefined && before(linkedOrder.at, gone);
  const withOrder = follows ? later(gone, ticket.phaseSince) : undefined;
  return withOrder !== undefined && before(withOrder, kept)
    ? purgeAt(withOrder, "orderPurged")
    : purgeAt(kept, "retention");
}

/**
 * Everything a ticket is owed, also what falls due later; see `owed` of orders.
 * @param order the one it is linked to
 */
export const ticketOwed = (
  ticket: Ticket,
  order: Order | undefined,
  settings: TaskSettings,
): TicketTask[] => [...mails(ticket), ...silence(ticket), ...purge(ticket, order, settings)];
