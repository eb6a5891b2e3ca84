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

/** The gateway's routes that only the back office calls. */
export const adminApi = {
  updates: "/api/admin/updates",
  dashboard: "/api/admin/dashboard",
  orders: "/api/admin/orders",
  ordersSearch: "/api/admin/orders/search",
  ordersBulk: "/api/admin/orders/bulk",
  ordersFile: "/api/admin/orders.csv",
  compliance: (view: string) => `/api/admin/compliance/${view}`,
  cannedAnswers: "/api/admin/settings/canned-answers",
  settings: "/api/admin/settings",
  setting: (path: string) => `/api/admin/settings/${path}`,
  customerSearch: "/api/admin/customers/search",
  customer: (id: string) => `/api/admin/customers/${encodeURIComponent(id)}`,
  customerAction: (id: string, action: string) => `/api/admin/customers/${encodeURIComponent(id)}/${action}`,
  tickets: "/api/admin/tickets",
  ticketAction: (ticketNumber: string, action: string) =>
    `/api/admin/tickets/${encodeURIComponent(ticketNumber)}/${action}`,
  order: (orderNumber: string) => `/api/admin/orders/${encodeURIComponent(orderNumber)}`,
  orderTimeline: (orderNumber: string) => `/api/admin/orders/${encodeURIComponent(orderNumber)}/timeline`,
  orderState: (orderNumber: string, revision: number) =>
    `/api/admin/orders/${encodeURIComponent(orderNumber)}/timeline?at=${revision}`,
  orderReveal: (orderNumber: string) => `/api/admin/orders/${encodeURIComponent(orderNumber)}/reveal`,
  orderForm: (orderNumber: string) => `/api/admin/orders/${encodeURIComponent(orderNumber)}/application.pdf`,
  orderAction: (orderNumber: string, action: string) =>
    `/api/admin/orders/${encodeURIComponent(orderNumber)}/actions/${action}`,
} as const;
