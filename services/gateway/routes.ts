import {
  createOrderRequest,
  lookupRequest,
  paymentIntentRequest,
  statusRequest,
} from "../../domain/forms/order-requests.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { openTicketRequest, replyRequest, ticketAccessRequest } from "../../domain/ticket/ticket-requests.ts";
import { adminRoutes } from "./admin-routes/admin-routes.ts";
import { followOrder } from "./handlers/live-order.ts";
import { showMe, signOutEverywhere, signOutHere } from "./handlers/me.ts";
import { groNotice, paymentNotice } from "./handlers/notices.ts";
import {
  cancel,
  chooseVariant,
  createPaymentIntent,
  openOrder,
  reportPaid,
  submitOrder,
} from "./handlers/order-commands.ts";
import { enterByLink, lookUp, lookUpContact, showOrder } from "./handlers/order-reads.ts";
import { changeApplication, changeContact, showApplication, showContact } from "./handlers/own-records.ts";
import { prices, siteConfig } from "./handlers/site-reads.ts";
import { openSupportTicket, replaceTicketLink, replyInTicket, viewTicket } from "./handlers/tickets.ts";
import { schemaOfToday } from "./london-day.ts";
import { accessRequest, applicationRequest, cancelRequest, contactRequest } from "./order-bodies.ts";
import type { Parts } from "./parts.ts";
import { forHolder, forProvider, forSignedIn, noBody, open, type Route, stream } from "./route.ts";

/**
 * Every route of the API. Each runs its guards in this order: limit, identify, authorize, validate, handle. `open` is for anybody,
 * `forHolder` for whoever holds the order and for staff, `forRoles` for people of the back office (admin-routes/), `forProvider` for signed notices.
 */
export function apiRoutes(parts: Parts): readonly Route[] {
  const orderable = () => parts.settings.current().orderableTypes;
  const variant = schemaOfToday((today) => variantRequest(today, orderable), parts.desk.now);
  // What is ordered already may be put right, whatever has been switched off since.
  const application = schemaOfToday(variantRequest, parts.desk.now);
  return [
    open("GET", "/api/config", { limit: "reads", body: noBody, handle: siteConfig(parts) }),
    open("GET", "/api/pricing/services/{service}", { limit: "reads", body: noBody, handle: prices(parts) }),

    open("POST", "/api/orders", { limit: "commands", body: createOrderRequest, handle: openOrder(parts) }),
    forHolder("POST", "/api/orders/{id}/variants", {
      limit: "commands",
      body: variant,
      handle: chooseVariant(parts),
    }),
    forHolder("POST", "/api/create-payment-intent", {
      limit: "commands",
      body: paymentIntentRequest,
      handle: createPaymentIntent(parts),
    }),
    forHolder("POST", "/api/orders/{id}/status", {
      limit: "commands",
      body: statusRequest,
      handle: reportPaid(parts),
    }),
    forHolder("POST", "/api/orders/{id}/submit", {
      limit: "commands",
      body: noBody,
      handle: submitOrder(parts),
    }),
    forHolder("POST", "/api/orders/{id}/cancel", {
      limit: "commands",
      body: cancelRequest,
      handle: cancel(parts),
    }),

    open("GET", "/api/orders/lookup/{orderNumber}", {
      limit: "lookups",
      body: noBody,
      handle: lookUpContact(parts),
    }),
    stream("/api/orders/lookup/{orderNumber}/updates", { limit: "lookups", handle: followOrder(parts) }),
    open("POST", "/api/orders/lookup", { limit: "lookups", body: lookupRequest, handle: lookUp(parts) }),
    open("POST", "/api/orders/access", { limit: "lookups", body: accessRequest, handle: enterByLink(parts) }),
    forHolder("POST", "/api/orders/{id}/application", {
      limit: "commands",
      body: applicationRequest,
      handle: changeApplication(parts, application),
    }),
    forHolder("GET", "/api/orders/{id}/application", {
      limit: "reads",
      body: noBody,
      handle: showApplication(parts),
    }),
    forHolder("POST", "/api/orders/{id}/contact", {
      limit: "commands",
      body: contactRequest,
      handle: changeContact(parts),
    }),
    forHolder("GET", "/api/orders/{id}/contact", {
      limit: "reads",
      body: noBody,
      handle: showContact(parts),
    }),
    forHolder("GET", "/api/orders/{id}", { limit: "reads", body: noBody, handle: showOrder(parts) }),

    open("POST", "/api/tickets", {
      limit: "contact",
      body: openTicketRequest,
      handle: openSupportTicket(parts),
    }),
    // All that a number and an address open share one limit, so that none is a better place to guess.
    open("POST", "/api/tickets/view", {
      limit: "lookups",
      body: ticketAccessRequest,
      handle: viewTicket(parts),
    }),
    open("POST", "/api/tickets/replies", {
      limit: "lookups",
      body: replyRequest,
      handle: replyInTicket(parts),
    }),
    open("POST", "/api/tickets/link", {
      limit: "lookups",
      body: ticketAccessRequest,
      handle: replaceTicketLink(parts),
    }),

    forSignedIn("GET", "/api/me", { limit: "reads", body: noBody, handle: showMe(parts) }),
    forSignedIn("POST", "/api/me/sign-out", { limit: "commands", body: noBody, handle: signOutHere(parts) }),
    forSignedIn("POST", "/api/me/sign-out-everywhere", {
      limit: "commands",
      body: noBody,
      handle: signOutEverywhere(parts),
    }),
    ...adminRoutes(parts),

    forProvider("/api/webhooks/stripe", { limit: "webhooks", handle: paymentNotice(parts) }),
    forProvider("/api/webhooks/gro", { limit: "webhooks", handle: groNotice(parts) }),
  ];
}
