import { showDashboard } from "../../contract/back-office/overview.ts";
import { listPurges } from "../../contract/compliance/registers.ts";
import { searchCustomers, showCustomer } from "../../contract/customers/customers.ts";
import { listOrders } from "../../contract/order-desk/list.ts";
import { showSettings } from "../../contract/settings/settings.ts";
import { listTickets } from "../../contract/tickets/inbox.ts";
import { openTicketAsStaff } from "../../contract/tickets/ticket.ts";
import "./back-office.css";
import { lazy } from "react";
import { Navigate, Route, Routes } from "react-router-dom";
import { Gate } from "./layout/gate.tsx";
import { NoSuchPage } from "./layout/no-such-page.tsx";
import { OnlyFor } from "./layout/only-for.tsx";
import { Shell } from "./layout/shell.tsx";
import { adminPages } from "./paths.ts";

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
