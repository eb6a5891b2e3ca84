import { pages } from "../paths.ts";

/** Paths of the back office; separate from the public paths to keep them out of the public bundle. */
export const adminPages = {
  home: pages.accessAdmin,
  dashboard: `${pages.accessAdmin}/dashboard`,
  orders: `${pages.accessAdmin}/orders`,
  ordersIn: (queue: string) => `${pages.accessAdmin}/orders?queue=${queue}&direction=ascending`,
  ordersOfCheckout: (id: string) => `${pages.accessAdmin}/orders?checkout=${id}&direction=ascending`,
  order: (orderNumber: string) => `${pages.accessAdmin}/orders/${encodeURIComponent(orderNumber)}`,
  tickets: `${pages.accessAdmin}/tickets`,
  ticket: (ticketNumber: string) => `${pages.accessAdmin}/tickets/${encodeURIComponent(ticketNumber)}`,
  customers: `${pages.accessAdmin}/customers`,
  customer: (id: string) => `${pages.accessAdmin}/customers/${encodeURIComponent(id)}`,
  compliance: `${pages.accessAdmin}/compliance`,
  settings: `${pages.accessAdmin}/settings`,
} as const;
