import type { Order } from "../../domain/order/state.ts";
import { isTicketGone } from "../../domain/ticket/state.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import type { Desk } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { Customer, TicketOfCustomer } from "./customer.ts";

/** What staff ask for on a customer's behalf, and the browser's key for this one act. */
export type ErasureRequest = {
  readonly customer: Customer;
  readonly by: OnBehalf;
  readonly idempotencyKey: string | undefined;
};

/**
 * Asks for erasure of every order and ticket of a customer that anything is held of. Policies then destroy each as soon as nothing lawful
 * needs it, some at once; the log tells of both. Repeating it changes nothing. Answers where everything stands then.
 */
export async function eraseCustomer(
  desk: Desk,
  { customer, by, idempotencyKey }: ErasureRequest,
): Promise<{ readonly customer: Customer; readonly position: Position }> {
  const request = (subjectId: string) => ({
    commandId: commandIdOf(desk, subjectId, by, idempotencyKey),
    by,
    command: { type: "RequestErasure", data: {} } as const,
  });
  const orders: Order[] = [];
  for (const { orderId } of customer.orders) {
    orders.push((await desk.orders.tell({ orderId, ...request(orderId) })).order);
  }
  const tickets: TicketOfCustomer[] = [];
  for (const { ticket, linked } of customer.tickets) {
    const { ticketId } = ticket;
    const told = isTicketGone(ticket)
      ? { ticket }
      : await desk.tickets.tell({ ticketId, ...request(ticketId) });
    tickets.push({ ticket: told.ticket, linked });
  }
  return { customer: { ...customer, orders, tickets }, position: await desk.orders.head() };
}

function commandIdOf(desk: Desk, subjectId: string, { actor }: OnBehalf, key: string | undefined): string {
  const scope = `erase-${subjectId}-${actor.id}`;
  return clientCommandId(desk.deriveId, desk.newId, key === undefined ? undefined : { scope, key });
}
