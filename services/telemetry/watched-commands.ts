import type { Tracing } from "../../infra/tracing/tracing.ts";
import type { Orders } from "../orders/orders.ts";
import type { Tickets } from "../tickets/tickets.ts";

/** Orders whose commands show in traces. */
export const watchOrders = (orders: Orders, { span }: Pick<Tracing, "span">): Orders => ({
  ...orders,
  tell: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { orderId: request.orderId },
      },
      () => orders.tell(request),
    ),
});

/** Tickets whose commands show in traces. */
export const watchTickets = (tickets: Tickets, { span }: Pick<Tracing, "span">): Tickets => ({
  ...tickets,
  tell: (request) =>
    span(
      {
        name: `command ${request.command.type}`,
        kind: "internal",
        correlationId: request.by.correlationId,
        attributes: { ticketId: request.ticketId },
      },
      () => tickets.tell(request),
    ),
});
