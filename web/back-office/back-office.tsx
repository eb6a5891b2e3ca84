import { showDashboard } from "../../contract/back-office/overview.ts";
import { listPurges } from "../../contract/compliance/registers.ts";
import { searchCustomers, showCustomer } from "../../contract/customers/customers.ts";
import { showSettings } from "../../contract/settings/settings.ts";
import { listOrders } from "../../contract/staff-orders/list.ts";
import { listTickets } from "../../contract/tickets/inbox.ts";
import { openTicketAsStaff } from "../../contract/tickets/ticket.ts";
import "./back-office.css";
import { lazy, type ReactNode } from "react";
import { Link, Navigate, Route, Routes } from "react-router-dom";
import { maySend, type StaffRequest } from "../../contract/roles.ts";
import { useIdentity } from "../identity/identity.ts";
import { Gate } from "./layout/gate.tsx";
import { PageTop } from "./layout/page-top.tsx";
import { Shell } from "./layout/shell.tsx";
import { adminPages } from "./paths.ts";
import { Empty } from "./ui/placeholders.tsx";

const CompliancePage = lazy(() => import("./features/compliance/compliance-page.tsx"));

const SettingsPage = lazy(() => import("./features/settings/settings-page.tsx"));
const DashboardPage = lazy(() => import("./features/dashboard/dashboard-page.tsx"));
const OrdersPage = lazy(() => import("./features/orders/orders-page.tsx"));
const OrderPage = lazy(() => import("./features/order/order-page.tsx"));
const CustomerPage = lazy(() => import("./features/customer/customer-page.tsx"));
const CustomersPage = lazy(() => import("./features/customers/customers-page.tsx"));

const TicketPage = lazy(() => import("./features/ticket/ticket-page.tsx"));
const TicketsPage = lazy(() => import("./features/tickets/tickets-page.tsx"));

/**
 * Everything below /accessadmin, behind the gate. A page's script is loaded when it is opened. Each has one route here:
 * `<Route path="orders" element={<OnlyFor request={listOrders}><OrdersPage /></OnlyFor>} />`.
 */
export default function BackOffice() {
  return (
    <Gate>
      <Routes>
        <Route element={<Shell />}>
          <Route
            path="dashboard"
            element={
              <OnlyFor request={showDashboard} otherwise={<Navigate replace to={adminPages.compliance} />}>
                <DashboardPage />
              </OnlyFor>
            }
          />
          <Route
            path="orders"
            element={
              <OnlyFor request={listOrders}>
                <OrdersPage />
              </OnlyFor>
            }
          />
          <Route
            path="compliance"
            element={
              <OnlyFor request={listPurges}>
                <CompliancePage />
              </OnlyFor>
            }
          />
          <Route
            path="settings"
            element={
              <OnlyFor request={showSettings}>
                <SettingsPage />
              </OnlyFor>
            }
          />
          <Route
            path="customers"
            element={
              <OnlyFor request={searchCustomers}>
                <CustomersPage />
              </OnlyFor>
            }
          />
          <Route
            path="customers/:id"
            element={
              <OnlyFor request={showCustomer}>
                <CustomerPage />
              </OnlyFor>
            }
          />
          <Route
            path="tickets"
            element={
              <OnlyFor request={listTickets}>
                <TicketsPage />
              </OnlyFor>
            }
          />
          <Route
            path="tickets/:ticketNumber"
            element={
              <OnlyFor request={openTicketAsStaff}>
                <TicketPage />
              </OnlyFor>
            }
          />
          <Route path="orders/:orderNumber" element={<OrderPage />} />
          <Route path="*" element={<NoSuchPage />} />
        </Route>
      </Routes>
    </Gate>
  );
}

/** What any other address of the back office shows. */
function NoSuchPage() {
  return (
    <>
      <PageTop title="Page Not Found" />
      <Empty title="There is nothing at this address.">
        Check it for a slip, or start from the{" "}
        <Link className="link" to={adminPages.orders}>
          orders
        </Link>
        .
      </Empty>
    </>
  );
}

interface OnlyForProps {
  /** The page's main request: who may send it may see the page. */
  readonly request: StaffRequest;
  /** What the others see; unless given, that the page is not for them. */
  readonly otherwise?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a page to the roles that may send its main request. */
function OnlyFor({ request, otherwise, children }: OnlyForProps) {
  const { role } = useIdentity();
  if (maySend(role, request)) return children;
  if (otherwise !== undefined) return otherwise;
  return (
    <>
      <PageTop title="Not for your role" />
      <Empty title="Your role does not include this page.">
        It is for {request.from.join(" and ")}. A manager can give you another role under Settings.
      </Empty>
    </>
  );
}
