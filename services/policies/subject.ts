import { orderIdOf } from "../../domain/order/events.ts";
import { namedRecords } from "../../domain/order/personal-data/vault-records.ts";
import type { Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { Task, TaskSettings } from "../../domain/order/tasks/task.ts";
import { draftIdOf } from "../../domain/saved-draft/events.ts";
import {
  type DraftTask,
  draftOwed,
  namedDraftRecords,
  type SavedDraft,
} from "../../domain/saved-draft/state.ts";
import { ticketIdOf } from "../../domain/ticket/events.ts";
import { type TicketTask, ticketOwed } from "../../domain/ticket/owed.ts";
import { namedTicketRecords, type Ticket } from "../../domain/ticket/state.ts";
import type { Cause } from "../../infra/commands/history.ts";
import { ifReadable } from "../../infra/event-store/stream-unreadable.ts";
import type { SavedDrafts } from "../orders/drafts/saved-drafts.ts";
import { loadedIfKnown, type Orders, orderIfKnown } from "../orders/orders.ts";
import { type Tickets, ticketIfKnown } from "../tickets/tickets.ts";
import type { RecordSummary } from "../vault/vault.ts";

/** The owner of tasks and vault records. Its tasks follow from `cause`. */
export type Subject =
  | { readonly kind: "order"; readonly order: Order; readonly cause: Cause | undefined }
  /** `order` is the linked order, if readable. */
  | {
      readonly kind: "ticket";
      readonly ticket: Ticket;
      readonly order: Order | undefined;
      readonly cause: Cause | undefined;
    }
  | { readonly kind: "draft"; readonly draft: SavedDraft; readonly cause: Cause | undefined };

export type SubjectParts = { orders: Orders; tickets: Tickets; drafts: SavedDrafts };

export type AnyTask = Task | TicketTask | DraftTask;

/** The id of the subject whose stream this is; undefined for other streams. */
export const subjectIdOf = (stream: string): string | undefined =>
  orderIdOf(stream) ?? ticketIdOf(stream) ?? draftIdOf(stream);

/**
 * The current order, ticket or saved draft of an id; neither vault nor task list says which it is. Undefined when the
 * log has none of them. With `since`, an order that this process has seen at that revision or later is not read again.
 */
export async function subjectIfKnown(
  parts: SubjectParts,
  id: string,
  since?: number,
): Promise<Subject | undefined> {
  const found = await loadedIfKnown(parts.orders, id, since);
  if (found) return { kind: "order", order: found.order, cause: found.cause };
  const loaded = await ticketIfKnown(parts.tickets, id);
  if (!loaded) return draftIfKnown(parts.drafts, id);
  const { ticket, cause } = loaded;
  const { linkedOrder } = ticket;
  // An unreadable order must not block a ticket's mails. Without it the ticket is kept for its own retention, the longest.
  const linked =
    linkedOrder === null ? undefined : await ifReadable(orderIfKnown(parts.orders, linkedOrder.orderId));
  return { kind: "ticket", ticket, order: linked, cause };
}

async function draftIfKnown(drafts: SavedDrafts, id: string): Promise<Subject | undefined> {
  const found = await drafts.find(id);
  return found && { kind: "draft", ...found };
}

export function idOf(subject: Subject): string {
  switch (subject.kind) {
    case "order":
      return subject.order.orderId;
    case "ticket":
      return subject.ticket.ticketId;
    case "draft":
      return subject.draft.draftId;
    default:
      return subject satisfies never;
  }
}

/**
 * The subject again, with what this process has appended to it. An order is not read again.
 * @throws Refused if the log no longer has it
 */
export async function subjectSeen(parts: SubjectParts, subject: Subject): Promise<Subject> {
  if (subject.kind === "order") {
    const { order, cause } = await parts.orders.lastSeen(idOf(subject));
    return { kind: "order", order, cause };
  }
  if (subject.kind === "draft") return (await draftIfKnown(parts.drafts, idOf(subject))) ?? subject;
  const { ticket, cause } = await parts.tickets.load(idOf(subject));
  return { ...subject, ticket, cause };
}

/** All its tasks at a moment, including those due later. */
export function owedTo(subject: Subject, now: string, settings: TaskSettings): readonly AnyTask[] {
  switch (subject.kind) {
    case "order":
      return owed(subject.order, now, settings);
    case "ticket":
      return ticketOwed(subject.ticket, subject.order, settings);
    case "draft":
      return draftOwed(subject.draft);
    default:
      return subject satisfies never;
  }
}

/** Whether an event of the subject names the record, or the record lives as long as those that are named. */
export function isNamed(subject: Subject, { recordId, kind }: RecordSummary): boolean {
  if (subject.kind === "draft") return namedByDraft(subject.draft).has(recordId);
  const purgedAt =
    subject.kind === "order" ? subject.order.purges.contact.purgedAt : subject.ticket.purge.purgedAt;
  // No event names the key used to compare repeats: it lives as long as the contact data.
  if (kind === "fingerprintKey") return purgedAt === null;
  return (subject.kind === "order" ? namedByOrder(subject.order) : namedByTicket(subject.ticket)).has(
    recordId,
  );
}

type Named = readonly { readonly ref: string }[];

const refsOf = (...named: readonly (Named | undefined)[]): ReadonlySet<string> =>
  new Set(named.flatMap((records) => (records ?? []).map(({ ref }) => ref)));

/** Every record named by an order's events, including those that a current purge will erase. */
export const namedByOrder = ({ vault, purges }: Order): ReadonlySet<string> =>
  refsOf(
    namedRecords(vault, "application"),
    namedRecords(vault, "contact"),
    purges.application.open?.records,
    purges.contact.open?.records,
    vault.questions,
  );

/** Every record named by a ticket's events, likewise. */
export const namedByTicket = (ticket: Ticket): ReadonlySet<string> =>
  refsOf(namedTicketRecords(ticket), ticket.purge.open?.records);

/** Every record named by a saved draft's events, likewise. */
export const namedByDraft = (draft: SavedDraft): ReadonlySet<string> =>
  refsOf(namedDraftRecords(draft), draft.purge.open?.records);
