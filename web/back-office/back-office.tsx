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
 * `<Route path="orders" element={<OnlyFor roles={["staff"]}><OrdersPage /></OnlyFor>} />`.
 */
export default function BackOffice() {
  return (
    <Gate>
      <Routes>
        <Route element={<Shell />}>
          <Route
            path="dashboard"
            element={
              <OnlyFor
                roles={["staff", "manager"]}
                otherwise={<Navigate replace to={adminPages.compliance} />}
              >
                <DashboardPage />
              </OnlyFor>
            }
          />
          <Route
            path="orders"
            element={
              <OnlyFor roles={["staff", "manager", "compliance"]}>
                <OrdersPage />
              </OnlyFor>
            }
          />
          <Route
            path="compliance"
            element={
              <OnlyFor roles={["compliance", "manager"]}>
                <CompliancePage />
              </OnlyFor>
            }
          />
          <Route
            path="settings"
            element={
              <OnlyFor roles={["manager"]}>
                <SettingsPage />
              </OnlyFor>
            }
          />
          <Route
            path="customers"
            element={
              <OnlyFor roles={["staff", "manager"]}>
                <CustomersPage />
              </OnlyFor>
            }
          />
          <Route
            path="customers/:id"
            element={
              <OnlyFor roles={["staff", "manager"]}>
                <CustomerPage />
              </OnlyFor>
            }
          />
          <Route
            path="tickets"
            element={
              <OnlyFor roles={["staff", "manager"]}>
                <TicketsPage />
              </OnlyFor>
            }
          />
          <Route
            path="tickets/:ticketNumber"
            element={
              <OnlyFor roles={["staff", "manager"]}>
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
