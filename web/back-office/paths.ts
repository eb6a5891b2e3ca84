import { pages } from "../paths.ts";

/** Every page of the back office. Apart from the public addresses, so that visitors load none of it. */
export const adminPages = {
  home: pages.accessAdmin,
  dashboard: `${pages.accessAdmin}/dashboard`,
  orders: `${pages.accessAdmin}/orders`,
  ordersIn: (queue: string) => `${pages.accessAdmin}/orders?queue=${queue}&direction=ascending`,
  order: (orderNumber: string) => `${pages.accessAdmin}/orders/${encodeURIComponent(orderNumber)}`,
  tickets: `${pages.accessAdmin}/tickets`,
  ticket: (ticketNumber: string) => `${pages.accessAdmin}/tickets/${encodeURIComponent(ticketNumber)}`,
  customers: `${pages.accessAdmin}/customers`,
  customer: (id: string) => `${pages.accessAdmin}/customers/${encodeURIComponent(id)}`,
  compliance: `${pages.accessAdmin}/compliance`,
  settings: `${pages.accessAdmin}/settings`,
} as const;
