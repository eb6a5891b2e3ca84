import type { Order } from "../../domain/order/state.ts";
import { isTicketGone } from "../../domain/ticket/state.ts";
import type { Position } from "../../infra/event-store/event-store.ts";
import { clientCommandId } from "../orders/command-ids.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import type { OnBehalf } from "../orders/orders.ts";
import type { Customer, TicketOfCustomer } from "./customer.ts";

type ErasureRequest = {
  readonly customer: Customer;
  readonly by: OnBehalf;
  readonly idempotencyKey: string | undefined;
};

/**
 * Requests erasure of all a customer's orders and tickets that still hold data. Policies destroy each, some at once,
 * when no legal ground requires it any longer; the log records request and destruction. Idempotent. @returns the
 * customer's state afterwards
 */
export async function eraseCustomer(
  deps: OrderDependencies,
  { customer, by, idempotencyKey }: ErasureRequest,
): Promise<{ readonly customer: Customer; readonly position: Position }> {
  const request = (subjectId: string) => ({
    commandId: commandIdOf(deps, subjectId, by, idempotencyKey),
    by,
    command: { type: "RequestErasure", data: {} } as const,
  });
  const orders: Order[] = [];
  for (const { orderId } of customer.orders) {
    orders.push((await deps.orders.execute({ orderId, ...request(orderId) })).order);
  }
  const tickets: TicketOfCustomer[] = [];
  for (const { ticket, linked } of customer.tickets) {
    const { ticketId } = ticket;
    const current = isTicketGone(ticket)
      ? { ticket }
      : await deps.tickets.execute({ ticketId, ...request(ticketId) });
    tickets.push({ ticket: current.ticket, linked });
  }
  return { customer: { ...customer, orders, tickets }, position: await deps.orders.head() };
}

function commandIdOf(
  deps: OrderDependencies,
  subjectId: string,
  { actor }: OnBehalf,
  key: string | undefined,
): string {
  const scope = `erase-${subjectId}-${actor.id}`;
  return clientCommandId(deps.deriveId, deps.newId, key === undefined ? undefined : { scope, key });
}
