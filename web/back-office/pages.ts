import { ClipboardCheck, FileText, Gauge, Inbox, type LucideIcon, Settings, Users } from "lucide-react";
import { type ComponentType, lazy } from "react";
import { showDashboard } from "../../contract/back-office/overview.ts";
import { listPurges } from "../../contract/compliance/registers.ts";
import { searchCustomers, showCustomer } from "../../contract/customers/customers.ts";
import type { StaffRequest } from "../../contract/request.ts";
import { showSettings } from "../../contract/settings/settings.ts";
import { listOrders } from "../../contract/staff-orders/list.ts";
import { showOrderPage } from "../../contract/staff-orders/order-page.ts";
import { listTickets, openTicketAsStaff } from "../../contract/tickets/ticket.ts";
import type { Waiting } from "./layout/work-queues.ts";
import { adminPages } from "./paths.ts";

/** A page of the back office, loaded lazily. */
export interface AdminPage {
  /** The router's pattern. */
  readonly path: string;
  /** The page's main request: roles that may send it may see the page. */
  readonly request: StaffRequest;
  readonly Page: ComponentType;
  /** Menu entry. */
  readonly menu?: {
    readonly words: string;
    readonly Icon: LucideIcon;
    /** Count of pending work. */
    readonly waiting?: keyof Waiting;
  };
  /** Where other roles are redirected; by default they see a "No access" page. */
  readonly otherwise?: string;
}

/** Every page, in menu order. */
export const staffPages: readonly AdminPage[] = [
  {
    path: adminPages.dashboard,
    request: showDashboard,
    Page: lazy(() => import("./features/dashboard/dashboard-page.tsx")),
    menu: { words: "Dashboard", Icon: Gauge },
    otherwise: adminPages.compliance,
  },
  {
    path: adminPages.orders,
    request: listOrders,
    Page: lazy(() => import("./features/orders/orders-page.tsx")),
    menu: { words: "Orders", Icon: FileText, waiting: "orders" },
  },
  {
    path: `${adminPages.orders}/:orderNumber`,
    request: showOrderPage,
    Page: lazy(() => import("./features/order/order-page.tsx")),
  },
  {
    path: adminPages.tickets,
    request: listTickets,
    Page: lazy(() => import("./features/tickets/tickets-page.tsx")),
    menu: { words: "Tickets", Icon: Inbox, waiting: "tickets" },
  },
  {
    path: `${adminPages.tickets}/:ticketNumber`,
    request: openTicketAsStaff,
    Page: lazy(() => import("./features/ticket/ticket-page.tsx")),
  },
  {
    path: adminPages.customers,
    request: searchCustomers,
    Page: lazy(() => import("./features/customers/customers-page.tsx")),
    menu: { words: "Customers", Icon: Users },
  },
  {
    path: `${adminPages.customers}/:id`,
    request: showCustomer,
    Page: lazy(() => import("./features/customer/customer-page.tsx")),
  },
  {
    path: adminPages.compliance,
    request: listPurges,
    Page: lazy(() => import("./features/compliance/compliance-page.tsx")),
    menu: { words: "Compliance", Icon: ClipboardCheck },
  },
  {
    path: adminPages.settings,
    request: showSettings,
    Page: lazy(() => import("./features/settings/settings-page.tsx")),
    menu: { words: "Settings", Icon: Settings },
  },
];
