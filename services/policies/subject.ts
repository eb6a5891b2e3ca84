import { Refused } from "../../domain/decider.ts";
import type { Duty, DutySettings } from "../../domain/order/duty.ts";
import { owed } from "../../domain/order/owed.ts";
import type { Order } from "../../domain/order/state.ts";
import { type TicketDuty, ticketOwed } from "../../domain/ticket/owed.ts";
import { namedTicketRecords, type Ticket } from "../../domain/ticket/state.ts";
import type { Orders } from "../commands/orders.ts";
import type { Tickets } from "../tickets/tickets.ts";
import type { RecordSummary } from "../vault/vault.ts";
import { orderIfKnown } from "./known-order.ts";

/** What something can be owed to, and what vault records belong to. */
export type Subject =
  | { readonly kind: "order"; readonly order: Order }
  /** `order` is the one that the ticket is linked to. */
  | { readonly kind: "ticket"; readonly ticket: Ticket; readonly order: Order | undefined };

/** Where orders and tickets are loaded from. */
export type SubjectParts = { orders: Orders; tickets: Tickets };

export type AnyDuty = Duty | TicketDuty;

/** The order or ticket of an id as it stands: neither vault nor list of duties says which it is. Undefined when the log has none. */
export async function subjectIfKnown(parts: SubjectParts, id: string): Promise<Subject | undefined> {
  const order = await orderIfKnown(parts.orders, id);
  if (order) return { kind: "order", order };
  const ticket = await ticketIfKnown(parts.tickets, id);
  if (!ticket) return undefined;
  const { linkedOrder } = ticket;
  const linked = linkedOrder === null ? undefined : await orderIfKnown(parts.orders, linkedOrder.orderId);
  return { kind: "ticket", ticket, order: linked };
}

async function ticketIfKnown(tickets: Tickets, ticketId: string): Promise<Ticket | undefined> {
  try {
    return (await tickets.load(ticketId)).ticket;
  } catch (error) {
    if (error instanceof Refused && error.code === "unknown-ticket") return undefined;
    throw error;
  }
}

/** Everything it is owed at a moment, also what falls due later. */
export const owedTo = (subject: Subject, now: string, settings: DutySettings): readonly AnyDuty[] =>
  subject.kind === "order"
    ? owed(subject.order, now, settings)
    : ticketOwed(subject.ticket, subject.order, settings);

/** Whether an event of the subject names a record, or the record lives as long as what events name. */
export function isNamed(subject: Subject, { recordId, kind }: RecordSummary): boolean {
  const purgedAt =
    subject.kind === "order" ? subject.order.purges.contact.purgedAt : subject.ticket.purge.purgedAt;
  // No event names the key under which repeats are compared: it lives as long as the contact data.
  if (kind === "fingerprintKey") return purgedAt === null;
  return subject.kind === "order"
    ? namedByOrder(subject.order).includes(recordId)
    : namedTicketRecords(subject.ticket).includes(recordId);
}

function namedByOrder({ vault }: Order): readonly (string | null)[] {
  const superseded = vault.superseded.map(({ ref }) => ref);
  return [
    vault.application,
    vault.signature,
    vault.contact,
    ...vault.groReferences,
    ...vault.notes,
    ...superseded,
  ];
}
