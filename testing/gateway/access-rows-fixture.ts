import { randomUUID } from "node:crypto";
import type { Role } from "../../services/identity/session-token.ts";
import {
  draftBody,
  newDraftKey,
  orderActs,
  orderBody,
  orderDecisions,
  settingsRows,
  ticketBody,
  unknownTicket,
  variantBody,
} from "./request-bodies-fixture.ts";
import type { Ordered } from "./stack-fixture.ts";

/** Callers: anonymous, holder of another order, holder of this one, signed-in customer, and the three roles. */
export const callers = [
  "anonymous",
  "other",
  "holder",
  "customer",
  "staff",
  "manager",
  "compliance",
] as const;
export type CallerName = (typeof callers)[number];
export const roles: Partial<Record<CallerName, Role>> = {
  staff: "staff",
  manager: "manager",
  compliance: "compliance",
};

const everybody = (status: number): Record<CallerName, number> => ({
  anonymous: status,
  other: status,
  holder: status,
  customer: status,
  staff: status,
  manager: status,
  compliance: status,
});
/** Access for holders and staff; to others the order does not exist. */
const holders = (status: number) => ({ ...everybody(404), holder: status, staff: status, manager: status });

/** Access for staff and managers. */
const workers = (status: number) => ({
  ...everybody(403),
  anonymous: 401,
  other: 401,
  holder: 401,
  staff: status,
  manager: status,
});

/** Access for managers only. */
const managers = (status: number) => ({
  ...everybody(403),
  anonymous: 401,
  other: 401,
  holder: 401,
  manager: status,
});

/** Access to the registers of purges and reveals. */
const auditors = (status: number) => ({ ...managers(status), compliance: status });

const everyRole = (status: number) => ({ ...workers(status), compliance: status });

type Answers = Record<CallerName, number>;

/** The answer of a route to each caller. */
type Row = {
  /** A valid body; omitted for routes without one. */
  readonly body?: (order: Ordered) => unknown;
  /** For a priced order, an open ticket, a customer who wrote to us. */
  readonly answers: Answers;
  /** For a missing subject, if not the default: 404 for permitted callers, the usual refusal for others. */
  readonly absent?: Answers;
};

/** Expected answers of each route, by caller. A route without a row fails. */
export const accessRows: Readonly<Record<string, Row>> = {
  "GET /transparency/checkpoint": { answers: everybody(200) },
  "GET /transparency/key": { answers: everybody(200) },
  "GET /transparency/keys": { answers: everybody(200) },
  "GET /transparency/witnesses": { answers: everybody(200) },
  "GET /transparency/tile/{tile}": { answers: everybody(200) },
  "GET /api/config": { answers: everybody(200) },
  "GET /api/pricing/services/{service}": { answers: everybody(200) },
  "POST /api/orders": { body: () => orderBody(), answers: everybody(201) },
  "POST /api/orders/{id}/variants": { body: () => variantBody(), answers: holders(201) },
  "POST /api/create-payment-intent": {
    body: ({ id }) => ({ amount: 45, orderId: id }),
    answers: holders(200),
  },
  // Of orders that not all are the caller's, or do not exist; checkouts.integration.test.ts has the others.
  "POST /api/checkouts": { body: ({ id }) => ({ orderIds: [id, randomUUID()] }), answers: everybody(404) },
  "POST /api/checkouts/{id}/payment-intent": { body: () => ({ amount: 90 }), answers: everybody(404) },
  "POST /api/checkouts/{id}/status": { body: () => ({ status: "Processing" }), answers: everybody(404) },
  "POST /api/orders/{id}/status": { body: () => ({ status: "Processing" }), answers: holders(409) },
  "POST /api/orders/{id}/submit": { answers: holders(409) },
  "POST /api/orders/{id}/cancel": { answers: holders(200) },
  "POST /api/orders/{id}/application": { body: () => variantBody(), answers: holders(409) },
  "POST /api/orders/{id}/arrival": { answers: holders(409) },
  "POST /api/orders/{id}/contact": {
    body: () => ({ email: "sian@post.example" }),
    answers: holders(200),
  },
  // Staff reveal personal data by another route, with a reason.
  "GET /api/orders/{id}/application": { answers: { ...everybody(404), holder: 409 } },
  "GET /api/orders/{id}/contact": { answers: { ...everybody(404), holder: 200 } },
  "GET /api/orders/{id}/another": { answers: { ...everybody(404), holder: 200 } },
  "GET /api/orders/{id}/receipt.pdf": { answers: { ...everybody(404), holder: 409 } },
  "GET /api/orders/{id}": { answers: holders(200) },
  "GET /api/orders/lookup/{orderNumber}/updates": { answers: everybody(200) },
  // Nothing was purged yet.
  "GET /api/orders/lookup/{orderNumber}/order.tlog-proof": { answers: everybody(404) },
  "GET /api/orders/lookup/{orderNumber}": { answers: everybody(200) },
  "POST /api/orders/lookup": { body: ({ orderNumber }) => ({ orderNumber }), answers: everybody(200) },
  "POST /api/orders/access": {
    body: ({ orderNumber }) => ({ orderNumber, key: "wrong" }),
    answers: everybody(404),
  },
  // The same to an address that has orders.
  "POST /api/orders/links": { body: () => ({ email: "nobody@post.example" }), answers: everybody(204) },
  "POST /api/drafts": { body: () => draftBody(), answers: everybody(204) },
  // No role opens or deletes a saved order: only its link's key.
  "POST /api/drafts/open": { body: () => ({ key: newDraftKey() }), answers: everybody(404) },
  "POST /api/drafts/delete": {
    body: () => ({ key: newDraftKey() }),
    answers: everybody(404),
  },
  "POST /api/tickets": { body: () => ticketBody(), answers: everybody(201) },
  // No role opens a conversation here: only its link, or its number with its customer's address.
  "POST /api/tickets/view": { body: () => unknownTicket, answers: everybody(404) },
  "POST /api/tickets/replies": {
    body: () => ({ ...unknownTicket, message: "Hello?" }),
    answers: everybody(404),
  },
  "POST /api/tickets/link": { body: () => unknownTicket, answers: everybody(404) },
  "POST /api/tickets/attachments": {
    body: () => ({ ...unknownTicket, messageId: randomUUID(), place: 0 }),
    answers: everybody(404),
  },
  "POST /api/tickets/mail-content": {
    body: () => ({ ...unknownTicket, content: "text" }),
    answers: everybody(404),
  },
  "GET /api/me": { answers: { ...everybody(200), anonymous: 401, other: 401, holder: 401 } },
  "POST /api/me/sign-out": { answers: { ...everybody(204), anonymous: 401, other: 401, holder: 401 } },
  "POST /api/me/sign-out-everywhere": {
    answers: { ...everybody(204), anonymous: 401, other: 401, holder: 401 },
  },
  "GET /api/admin/updates": {
    answers: { ...everybody(200), anonymous: 401, other: 401, holder: 401, customer: 403 },
  },
  "GET /api/admin/dashboard": {
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  "POST /api/admin/orders/search": {
    body: ({ orderNumber }) => ({ by: "number", text: orderNumber }),
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  "GET /api/admin/orders.csv": {
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 200, manager: 200 },
  },
  // Without an idempotency key nothing happens: 400.
  "POST /api/admin/orders/bulk": {
    body: ({ id }) => ({ action: "requestSubmission", orders: [id], reason: "other" }),
    answers: { ...everybody(403), anonymous: 401, other: 401, holder: 401, staff: 400, manager: 400 },
  },
  "GET /api/admin/orders": {
    answers: { ...everybody(200), customer: 403, anonymous: 401, other: 401, holder: 401 },
  },
  "GET /api/admin/tickets": { answers: workers(200) },
  "POST /api/admin/tickets/{ticketNumber}/open": { answers: workers(200) },
  // The ticket has neither files nor emails.
  "GET /api/admin/tickets/{ticketNumber}/messages/{messageId}/attachments/{place}": { answers: workers(404) },
  "POST /api/admin/tickets/{ticketNumber}/messages/{messageId}/original": {
    body: () => ({ reason: "unreadable" }),
    answers: workers(404),
  },
  "POST /api/admin/tickets/{ticketNumber}/reply": {
    body: () => ({ message: "Yes.", next: "Waiting", expectedRevision: 0 }),
    answers: workers(201),
  },
  "POST /api/admin/tickets/{ticketNumber}/note": {
    body: () => ({ note: "Kind.", expectedRevision: 0 }),
    answers: workers(201),
  },
  "POST /api/admin/tickets/{ticketNumber}/assign": {
    body: () => ({ assignee: null, expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/status": {
    body: () => ({ status: "Closed", expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/category": {
    body: () => ({ category: "dataRequest", expectedRevision: 0 }),
    answers: workers(200),
  },
  "POST /api/admin/tickets/{ticketNumber}/link": {
    body: ({ orderNumber }) => ({ orderNumber, expectedRevision: 0 }),
    answers: workers(200),
    // The named order is missing too, and is checked first.
    absent: workers(422),
  },
  "POST /api/admin/tickets/{ticketNumber}/replace-link": {
    body: () => ({ expectedRevision: 0 }),
    answers: workers(200),
  },
  // A question has no acknowledgement deadline.
  "POST /api/admin/tickets/{ticketNumber}/acknowledge": {
    body: () => ({ channel: "post", expectedRevision: 0 }),
    answers: workers(409),
  },
  "POST /api/admin/customers/search": {
    body: () => ({ by: "email", typed: "nobody@mail.example" }),
    answers: workers(200),
  },
  "GET /api/admin/customers/{id}": { answers: workers(200) },
  "POST /api/admin/customers/{id}/reveal": { body: () => ({ reason: "ticket" }), answers: workers(200) },
  "POST /api/admin/customers/{id}/export": { body: () => ({ format: "json" }), answers: workers(200) },
  "POST /api/admin/customers/{id}/erase": {
    body: () => ({ reason: "customerAsked" }),
    answers: workers(200),
  },
  "GET /api/admin/settings": { answers: managers(200) },
  "GET /api/admin/settings/history": { answers: managers(200) },
  "GET /api/admin/settings/canned-answers": { answers: workers(200) },
  // A sender that has seen a missing revision changes nothing.
  ...settingsRows(managers(409)),
  "GET /api/admin/compliance/purges": { answers: auditors(200) },
  "GET /api/admin/compliance/due": { answers: auditors(200) },
  "GET /api/admin/compliance/access": { answers: auditors(200) },
  "GET /api/admin/compliance/audit": { answers: auditors(200) },
  "POST /api/admin/compliance/audit": { answers: auditors(202) },
  "GET /api/admin/compliance/parked": { answers: auditors(200) },
  "POST /api/admin/compliance/parked/retry": { answers: managers(202) },
  "GET /api/admin/compliance/retention": { answers: auditors(200) },
  "GET /api/admin/compliance/processing": { answers: auditors(200) },
  "GET /api/admin/compliance/export": { answers: auditors(422) },
  "GET /api/admin/compliance/purge-proofs": { answers: auditors(409) },
  "GET /api/admin/orders/{orderNumber}": { answers: everyRole(200) },
  "GET /api/admin/orders/{orderNumber}/timeline": { answers: everyRole(200) },
  ...rowsFor(orderActs, workers),
  ...rowsFor(orderDecisions, managers),
  "POST /api/webhooks/stripe": { body: () => ({}), answers: everybody(400) },
  "POST /api/webhooks/gro": { body: () => ({}), answers: everybody(400) },
};

function rowsFor(
  acts: Readonly<Record<string, { body: () => unknown; status: number }>>,
  who: (status: number) => Record<CallerName, number>,
) {
  const row = ({ body, status }: { body: () => unknown; status: number }) => ({ body, answers: who(status) });
  return Object.fromEntries(Object.entries(acts).map(([route, act]) => [route, row(act)]));
}

/** Whether a route is about one order, ticket or customer, in its path or its body. */
export const isAboutOne = (route: string): boolean =>
  /\{(id|orderNumber|ticketNumber)\}/.test(route) || route === "POST /api/create-payment-intent";

/** The answer to a caller about a missing subject. */
export function answerAboutAbsent(route: string, caller: CallerName): number | undefined {
  const row = accessRows[route];
  const present = row?.answers[caller];
  return row?.absent?.[caller] ?? (present === 401 || present === 403 ? present : 404);
}
