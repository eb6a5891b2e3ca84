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
import { candidatesAnswer, customerAnswer, whoItIsAnswer } from "../admin-presenters/customers/customer.ts";
import { answers, file } from "../answers.ts";
import type { Parts } from "../parts.ts";
import { forRoles, noBody, type Route } from "../route.ts";

const staff = ["staff", "manager"] as const;
const customer = "/api/admin/customers/{id}";

/** People: found, told what is held of them, forgotten. */
export const customerRoutes = (parts: Parts): readonly Route[] => [
  // What an enumerator would call, and limited like it.
  forRoles("POST", "/api/admin/customers/search", staff, {
    summary: "Find customers by what they gave",
    limit: "lookups",
    body: customerSearch,
    answers: answers(candidatesAnswer),
    handle: searchForCustomers(parts),
  }),
  forRoles("GET", customer, staff, {
    summary: "A customer, masked",
    limit: "reads",
    body: noBody,
    answers: answers(customerAnswer),
    refuses: ["not-found"],
    handle: showCustomer(parts),
  }),
  forRoles("POST", `${customer}/reveal`, staff, {
    summary: "Look at who a customer is; the look is recorded",
    limit: "commands",
    body: customerReveal,
    answers: answers(whoItIsAnswer),
    refuses: ["not-found", "personal-data-destroyed"],
    handle: showWhoItIs(parts),
  }),
  forRoles("POST", `${customer}/export`, staff, {
    summary: "All that is held of a customer, as a file for them",
    withinSeconds: 60,
    limit: "commands",
    body: customerExport,
    answers: file("application/pdf", "application/json"),
    refuses: ["not-found"],
    handle: exportCustomer(parts),
  }),
  forRoles("POST", `${customer}/erase`, staff, {
    summary: "Ask for erasure of all that is held of a customer",
    withinSeconds: 60,
    limit: "commands",
    body: customerErasure,
    answers: answers(customerAnswer),
    refuses: ["not-found"],
    handle: eraseForCustomer(parts),
  }),
];
