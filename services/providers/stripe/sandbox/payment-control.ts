import express, { type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { JsonObject } from "../../../../infra/json.ts";
import type { Pool } from "../../../../infra/postgres/pool.ts";
import { type Html, html } from "../../../documents/mail/html.ts";
import {
  ownFormsOnly,
  refuseNull,
  sandboxPage,
  sandboxPolicy,
  shownTime,
} from "../../sandbox/http-server.ts";
import { type Intent, listIntents, StripeRefusal } from "./intents.ts";
import type { Ledger } from "./ledger.ts";
import { disputeJson, refundJson } from "./presenting.ts";
import { type Dispute, dispositions, disputeReasons, listDisputes } from "./refunds-and-disputes.ts";

const opening = z.strictObject({
  intentId: z.string(),
  amount: z.coerce.number().int().min(1).optional(),
  reason: z.enum(disputeReasons).default("general"),
});
const refunding = z.strictObject({ intentId: z.string(), amount: z.coerce.number().int().min(1) });
const closing = z.strictObject({ disputeId: z.string(), status: z.enum(dispositions) });

const mostShown = 100;

/**
 * Acts as the cardholder, the bank, and whoever uses the provider's dashboard: a page of payments, with controls that open
 * and decide disputes and make refunds.
 */
export function paymentControl({
  pool,
  ledger,
  fromHere,
}: {
  pool: Pool;
  ledger: Ledger;
  fromHere: RequestHandler;
}): Router {
  const routes = Router();
  const read = [
    fromHere,
    ownFormsOnly,
    express.json({ limit: "4kb" }),
    express.urlencoded({ extended: false, limit: "4kb" }),
    refuseNull,
  ];
  routes.get("/payments", fromHere, async (_request, response) => {
    const [intents, disputes] = await Promise.all([
      listIntents(pool, mostShown),
      listDisputes(pool, mostShown, null),
    ]);
    const paid = intents.filter(({ status }) => status === "succeeded");
    response.set("Content-Security-Policy", sandboxPolicy("own forms")).set("Cache-Control", "no-store");
    response.type("html").send(paymentsPage(paid, disputes).markup);
  });
  routes.post("/payments/disputes", ...read, (request, response) =>
    controlled(response, request.is("json") !== false, async () => {
      const wanted = opening.parse(request.body);
      return disputeJson(await ledger.transaction((client) => ledger.dispute(client, wanted)));
    }),
  );
  routes.post("/payments/refunds", ...read, (request, response) =>
    controlled(response, request.is("json") !== false, async () => {
      const wanted = { ...refunding.parse(request.body), metadata: {} };
      return refundJson(await ledger.transaction((client) => ledger.refund(client, wanted)));
    }),
  );
  routes.post("/payments/disputes/close", ...read, (request, response) =>
    controlled(response, request.is("json") !== false, async () => {
      const { disputeId, status } = closing.parse(request.body);
      return disputeJson(
        await ledger.transaction((client) => ledger.closeDispute(client, disputeId, status)),
      );
    }),
  );
  return routes;
}

/** A form's sender is redirected to the page; a program gets the dispute or refund as JSON. */
async function controlled(
  response: Response,
  isProgram: boolean,
  work: () => Promise<JsonObject>,
): Promise<void> {
  try {
    const made = await work();
    if (isProgram) response.json(made);
    else response.redirect(303, "/sandbox/payments");
  } catch (error) {
    if (error instanceof z.ZodError) response.status(422).json({ issues: z.prettifyError(error) });
    else if (error instanceof StripeRefusal) response.status(error.status).json({ message: error.message });
    else throw error;
  }
}

const words = (code: string): string => code.replaceAll("_", " ");
const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

const openForm = (intent: Intent): Html => html`
<form method="post" action="/sandbox/payments/disputes" aria-label="Dispute ${intent.id}"><input type="hidden" name="intentId" value="${intent.id}">
${disputeReasons.map((reason) => html`<button name="reason" value="${reason}">Dispute: ${words(reason)}</button>`)}</form>`;

const refundForm = (intent: Intent): Html => html`
<form method="post" action="/sandbox/payments/refunds" aria-label="Refund ${intent.id}"><input type="hidden" name="intentId" value="${intent.id}">
<label>Pence <input type="number" name="amount" min="1" max="${intent.amount}" required></label>
<button>Refund by hand</button></form>`;

const closeForm = (dispute: Dispute): Html => html`
<form method="post" action="/sandbox/payments/disputes/close" aria-label="Decide ${dispute.id}"><input type="hidden" name="disputeId" value="${dispute.id}">
${dispositions.map((status) => html`<button name="status" value="${status}">Decide: ${words(status)}</button>`)}</form>`;

const disputeLine = (dispute: Dispute): Html => html`
<p class="meta">Dispute <code>${dispute.id}</code> · ${words(dispute.reason)} · ${pounds(dispute.amount)} · ${words(dispute.status)}</p>
${dispute.status === "needs_response" ? closeForm(dispute) : ""}`;

const paidFor = ({ metadata: { orderId, checkoutId } }: Intent): Html =>
  checkoutId === undefined
    ? html`order <code>${orderId ?? "none"}</code>`
    : html`checkout <code>${checkoutId}</code>`;

function card(intent: Intent, disputes: readonly Dispute[]): Html {
  const own = disputes.filter(({ intentId }) => intentId === intent.id);
  const isOpen = own.some(({ status }) => status === "needs_response");
  return html`
<article class="card">
<h2>${pounds(intent.amount)}</h2>
<p class="meta"><code>${intent.id}</code> · ${paidFor(intent)} · ${shownTime(intent.createdAt)}</p>
${own.map(disputeLine)}
${isOpen ? "" : html`${openForm(intent)}${refundForm(intent)}`}
</article>`;
}

/** Payments, newest first, with their controls. */
const paymentsPage = (paid: readonly Intent[], disputes: readonly Dispute[]): Html =>
  sandboxPage(
    "Payments",
    html`<p class="lead">Payments made in the Stripe sandbox, newest first: the last 100. A dispute stops refunds until it is decided. A refund by hand is one made in the provider’s dashboard.</p>
${paid.length === 0 ? html`<p class="empty">Nothing yet.</p>` : paid.map((intent) => card(intent, disputes))}`,
  );
