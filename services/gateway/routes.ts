import { z } from "zod";
import {
  createOrderRequest,
  lookupRequest,
  paymentIntentRequest,
  statusRequest,
} from "../../domain/forms/order-requests.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { openTicketRequest, replyRequest, ticketAccessRequest } from "../../domain/ticket/ticket-requests.ts";
import { noticeMessage } from "../providers/gro/automation-protocol.ts";
import { adminRoutes } from "./admin-routes/admin-routes.ts";
import { answers, creates, events, saysNothing } from "./answers.ts";
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
import { orderUpdate } from "./live/event-stream.ts";
import { accessRequest, applicationRequest, cancelRequest, contactRequest } from "./order-bodies.ts";
import type { Parts } from "./parts.ts";
import { lookupAnswer } from "./presenters/lookup.ts";
import { meAnswer } from "./presenters/me.ts";
import { noticeTaken } from "./presenters/notices.ts";
import {
  clientSecretAnswer,
  contactLookupAnswer,
  createdAnswer,
  orderAnswer,
  statusAnswer,
} from "./presenters/orders.ts";
import { ownApplication, ownContact } from "./presenters/own-records.ts";
import { pricesAnswer } from "./presenters/prices.ts";
import { siteConfigAnswer } from "./presenters/site-config.ts";
import { ticketAnswer, ticketLinkAnswer } from "./presenters/tickets.ts";
import { forHolder, forProvider, forSignedIn, noBody, open, type Route, stream } from "./route.ts";
import { schemaOfToday } from "./schema-of-today.ts";

/** Read from the signed bytes by the provider's own library, which knows every shape of it. */
const paymentNoticeBody = z.looseObject({ id: z.string(), type: z.string() });

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
    open("GET", "/api/config", {
      summary: "What the pages must know of this installation",
      limit: "reads",
      body: noBody,
      answers: answers(siteConfigAnswer),
      handle: siteConfig(parts),
    }),
    open("GET", "/api/pricing/services/{service}", {
      summary: "Prices of one certificate, in pounds",
      limit: "reads",
      body: noBody,
      answers: answers(pricesAnswer),
      refuses: ["not-found"],
      handle: prices(parts),
    }),

    open("POST", "/api/orders", {
      summary: "Open an order; whoever does so holds it",
      limit: "commands",
      body: createOrderRequest,
      answers: creates(createdAnswer),
      refuses: ["impossible-quote", "idempotency-key-reused"],
      handle: openOrder(parts),
    }),
    forHolder("POST", "/api/orders/{id}/variants", {
      summary: "Choose the certificate of an order",
      limit: "commands",
      body: variant,
      answers: creates(statusAnswer),
      refuses: ["forbidden-in-phase", "wrong-amount", "idempotency-key-reused"],
      handle: chooseVariant(parts),
    }),
    forHolder("POST", "/api/create-payment-intent", {
      summary: "Ask for a payment at the provider",
      limit: "commands",
      body: paymentIntentRequest,
      answers: answers(clientSecretAnswer),
      refuses: ["forbidden-in-phase", "wrong-amount", "payments-unavailable"],
      handle: createPaymentIntent(parts),
    }),
    forHolder("POST", "/api/orders/{id}/status", {
      summary: "Report a payment; the provider is asked whether it was made",
      limit: "commands",
      body: statusRequest,
      answers: answers(statusAnswer),
      refuses: ["forbidden-in-phase", "payment-not-received", "payment-processing", "payments-unavailable"],
      handle: reportPaid(parts),
    }),
    forHolder("POST", "/api/orders/{id}/submit", {
      summary: "Ask for the submission of a paid order",
      limit: "commands",
      body: noBody,
      answers: answers(statusAnswer),
      refuses: ["forbidden-in-phase", "payment-not-received", "payment-processing", "payments-unavailable"],
      handle: submitOrder(parts),
    }),
    forHolder("POST", "/api/orders/{id}/cancel", {
      summary: "Cancel an order, or ask for it",
      limit: "commands",
      body: cancelRequest,
      answers: answers(statusAnswer),
      refuses: ["forbidden-in-phase", "payment-processing", "payments-unavailable"],
      handle: cancel(parts),
    }),

    open("GET", "/api/orders/lookup/{orderNumber}", {
      summary: "An order by its number, with its contact masked",
      limit: "lookups",
      body: noBody,
      answers: answers(contactLookupAnswer),
      refuses: ["not-found"],
      handle: lookUpContact(parts),
    }),
    stream("/api/orders/lookup/{orderNumber}/updates", {
      summary: "Follow an order live",
      limit: "lookups",
      answers: events(
        orderUpdate,
        "An event named `changed` when the order changed; its id goes back as Last-Event-ID",
      ),
      refuses: ["not-found", "busy"],
      body: noBody,
      handle: followOrder(parts),
    }),
    open("POST", "/api/orders/lookup", {
      summary: "Track an order by its number",
      limit: "lookups",
      body: lookupRequest,
      answers: answers(lookupAnswer),
      refuses: ["not-found"],
      handle: lookUp(parts),
    }),
    open("POST", "/api/orders/access", {
      summary: "Exchange the key of a mail's link for the order's cookie",
      limit: "lookups",
      body: accessRequest,
      answers: answers(orderAnswer),
      refuses: ["not-found", "link-expired"],
      handle: enterByLink(parts),
    }),
    forHolder("POST", "/api/orders/{id}/application", {
      summary: "Enter the application again, or answer the GRO's question",
      limit: "commands",
      body: applicationRequest,
      answers: answers(statusAnswer),
      refuses: ["forbidden-in-phase", "idempotency-key-reused"],
      handle: changeApplication(parts, application),
    }),
    forHolder("GET", "/api/orders/{id}/application", {
      summary: "The application, while it can be changed; for its holder alone",
      limit: "reads",
      body: noBody,
      answers: answers(ownApplication),
      refuses: ["forbidden-in-phase"],
      handle: showApplication(parts),
    }),
    forHolder("POST", "/api/orders/{id}/contact", {
      summary: "Correct who is written to",
      limit: "commands",
      body: contactRequest,
      answers: answers(statusAnswer),
      refuses: ["forbidden-in-phase", "idempotency-key-reused"],
      handle: changeContact(parts),
    }),
    forHolder("GET", "/api/orders/{id}/contact", {
      summary: "Who is written to; for its holder alone",
      limit: "reads",
      body: noBody,
      answers: answers(ownContact),
      handle: showContact(parts),
    }),
    forHolder("GET", "/api/orders/{id}", {
      summary: "An order in short",
      limit: "reads",
      body: noBody,
      answers: answers(orderAnswer),
      handle: showOrder(parts),
    }),

    open("POST", "/api/tickets", {
      summary: "Write to us",
      limit: "contact",
      body: openTicketRequest,
      answers: creates(ticketLinkAnswer),
      refuses: ["idempotency-key-reused"],
      handle: openSupportTicket(parts),
    }),
    // All that a number and an address open share one limit, so that none is a better place to guess.
    open("POST", "/api/tickets/view", {
      summary: "A conversation, by its link or its number and address",
      limit: "lookups",
      body: ticketAccessRequest,
      answers: answers(ticketAnswer),
      refuses: ["not-found"],
      handle: viewTicket(parts),
    }),
    open("POST", "/api/tickets/replies", {
      summary: "Write again in a conversation",
      limit: "lookups",
      body: replyRequest,
      answers: creates(ticketAnswer),
      refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
      handle: replyInTicket(parts),
    }),
    open("POST", "/api/tickets/link", {
      summary: "Replace the private link of a conversation",
      limit: "links",
      body: ticketAccessRequest,
      answers: answers(ticketLinkAnswer),
      refuses: ["not-found", "forbidden-in-phase", "idempotency-key-reused"],
      handle: replaceTicketLink(parts),
    }),

    forSignedIn("GET", "/api/me", {
      summary: "Who is signed in",
      limit: "reads",
      body: noBody,
      answers: answers(meAnswer),
      handle: showMe(parts),
    }),
    forSignedIn("POST", "/api/me/sign-out", {
      summary: "End this session",
      limit: "commands",
      body: noBody,
      answers: saysNothing,
      handle: signOutHere(parts),
    }),
    forSignedIn("POST", "/api/me/sign-out-everywhere", {
      summary: "End every session of this person",
      limit: "commands",
      body: noBody,
      answers: saysNothing,
      handle: signOutEverywhere(parts),
    }),
    ...adminRoutes(parts),

    forProvider("/api/webhooks/stripe", {
      summary: "A notice of the payment provider",
      limit: "webhooks",
      answers: answers(noticeTaken),
      body: paymentNoticeBody,
      refuses: ["payments-unavailable"],
      handle: paymentNotice(parts),
    }),
    forProvider("/api/webhooks/gro", {
      summary: "A notice of the automation service",
      limit: "webhooks",
      answers: answers(noticeTaken),
      body: noticeMessage,
      handle: groNotice(parts),
    }),
  ];
}
