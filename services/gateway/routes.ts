import type { RequestHandler, Router } from "express";
import * as publicLog from "../compliance/public-log.ts";
import * as registers from "../compliance/registers.ts";
import * as customers from "../customers/customer-requests.ts";
import * as me from "../identity/me.ts";
import * as addVariant from "../orders/add-variant.ts";
import * as cancelOrder from "../orders/cancel-order.ts";
import * as createOrder from "../orders/create-order.ts";
import * as drafts from "../orders/drafts/save-draft.ts";
import * as checkoutRequests from "../orders/payments/checkout-requests.ts";
import * as paymentWebhook from "../orders/payments/payment-webhook.ts";
import * as providerReports from "../orders/payments/provider-reports.ts";
import * as requestPayment from "../orders/payments/request-payment.ts";
import * as orderReads from "../orders/requests/order-reads.ts";
import * as ownRecords from "../orders/requests/own-records.ts";
import * as dashboard from "../orders/staff/requests/dashboard.ts";
import * as orderActions from "../orders/staff/requests/order-actions.ts";
import * as orderList from "../orders/staff/requests/order-list.ts";
import * as staffOrderReads from "../orders/staff/requests/order-reads.ts";
import * as orderReveals from "../orders/staff/requests/order-reveals.ts";
import * as groWebhook from "../orders/submission/gro-webhook.ts";
import * as submitOrder from "../orders/submission/submit-order.ts";
import * as settings from "../settings/setting-requests.ts";
import * as staffTickets from "../tickets/requests/tickets.ts";
import * as tickets from "../tickets/ticket-requests.ts";
import { type Guards, isRoute, type Route, type RouteOf } from "./route.ts";

/** The modules that answer requests: each route that one of them exports is registered. */
const modules: readonly Readonly<Record<string, unknown>>[] = [
  ...[createOrder, addVariant, requestPayment, checkoutRequests, providerReports, submitOrder, cancelOrder],
  ...[orderReads, ownRecords, tickets, drafts, me],
  ...[registers, customers, dashboard],
  ...[orderList, staffOrderReads, orderReveals, orderActions, settings, staffTickets],
  ...[publicLog, paymentWebhook, groWebhook],
];

/** Every request that the API answers, by path: a word comes before a parameter in its place. */
export const apiRoutes: readonly RouteOf[] = modules
  .flatMap((module) => Object.values(module).flat())
  .filter(isRoute)
  .sort((one, other) => (one.request.path < other.request.path ? -1 : 1));

/** A tile's place is several segments of its path. */
const inSegments = new Set(["tile"]);

/** Registers routes, turning `/orders/{id}` into Express's `/orders/:id`. */
export function mount(router: Router, routes: readonly Route[], guards: Guards): void {
  const served = routes.map(({ request: { method, path }, serve }) => ({
    method,
    path: path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      inSegments.has(name) ? `*${name}` : `:${name}`,
    ),
    handle: serve(guards),
  }));
  router.use(servedAtOnce(served.filter(({ path }) => !/[:*]/.test(path))));
  for (const { method, path, handle } of served) {
    if (method === "GET") router.get(path, handle);
    else router.post(path, handle);
  }
}

type Served = { readonly method: string; readonly path: string; readonly handle: RequestHandler };

/**
 * Serves paths without parameters, written as they are in the contract: Express compares a request with one route after
 * another. Any other spelling that Express knows, and HEAD, is left to it.
 */
function servedAtOnce(fixed: readonly Served[]): RequestHandler {
  const byName = new Map(fixed.map((served) => [`${served.method} ${served.path}`, served]));
  return (request, response, next) => {
    const found = byName.get(`${request.method} ${request.path}`);
    if (!found) return next();
    request.route = { path: found.path };
    return found.handle(request, response, next);
  };
}
