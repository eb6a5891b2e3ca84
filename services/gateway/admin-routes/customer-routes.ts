import {
  customerErasure,
  customerExport,
  customerReveal,
  customerSearch,
} from "../../../domain/customer-requests.ts";
import {
  eraseForCustomer,
  exportCustomer,
  searchForCustomers,
  showCustomer,
  showWhoItIs,
} from "../admin-handlers/customers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

const staff = ["staff", "manager"] as const;
const customer = "/api/admin/customers/{id}";

/** People: found, told what is held of them, forgotten. */
export const customerRoutes = (parts: Parts): readonly Route[] => [
  // What an enumerator would call, and limited like it.
  forRoles("POST", "/api/admin/customers/search", staff, {
    limit: "lookups",
    body: customerSearch,
    handle: searchForCustomers(parts),
  }),
  forRoles("GET", customer, staff, { limit: "reads", body: noBody, handle: showCustomer(parts) }),
  forRoles("POST", `${customer}/reveal`, staff, {
    limit: "commands",
    body: customerReveal,
    handle: showWhoItIs(parts),
  }),
  forRoles("POST", `${customer}/export`, staff, {
    limit: "commands",
    body: customerExport,
    handle: exportCustomer(parts),
  }),
  forRoles("POST", `${customer}/erase`, staff, {
    limit: "commands",
    body: customerErasure,
    handle: eraseForCustomer(parts),
  }),
];
