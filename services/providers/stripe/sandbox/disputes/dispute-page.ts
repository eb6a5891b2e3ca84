import { type Html, html } from "../../../../mail/html.ts";
import { sandboxPage } from "../../../sandbox/sandbox-page.ts";
import { shownTime } from "../../../sandbox/shown-time.ts";
import type { Intent } from "../intents.ts";
import { type Dispute, dispositions, disputeReasons } from "./disputes.ts";

const words = (code: string): string => code.replaceAll("_", " ");
const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

const openForm = (intent: Intent): Html => html`
<form method="post" action="/sandbox/payments/disputes" aria-label="Dispute ${intent.id}"><input type="hidden" name="intentId" value="${intent.id}">
${disputeReasons.map((reason) => html`<button name="reason" value="${reason}">Dispute: ${words(reason)}</button>`)}</form>`;

const closeForm = (dispute: Dispute): Html => html`
<form method="post" action="/sandbox/payments/disputes/close" aria-label="Decide ${dispute.id}"><input type="hidden" name="disputeId" value="${dispute.id}">
${dispositions.map((status) => html`<button name="status" value="${status}">Decide: ${words(status)}</button>`)}</form>`;

const disputeLine = (dispute: Dispute): Html => html`
<p class="meta">Dispute <code>${dispute.id}</code> · ${words(dispute.reason)} · ${pounds(dispute.amount)} · ${words(dispute.status)}</p>
${dispute.status === "needs_response" ? closeForm(dispute) : ""}`;

function card(intent: Intent, disputes: readonly Dispute[]): Html {
  const own = disputes.filter(({ intentId }) => intentId === intent.id);
  const isOpen = own.some(({ status }) => status === "needs_response");
  return html`
<article class="card">
<h2>${pounds(intent.amount)}</h2>
<p class="meta"><code>${intent.id}</code> · order <code>${intent.metadata.orderId ?? "none"}</code> · ${shownTime(intent.createdAt)}</p>
${own.map(disputeLine)}
${isOpen ? "" : openForm(intent)}
</article>`;
}

/** What was paid, newest first, and buttons to play the cardholder and the bank. */
export const paymentsPage = (paid: readonly Intent[], disputes: readonly Dispute[]): Html =>
  sandboxPage(
    "What was paid",
    html`<p class="lead">Payments that the stand-in for Stripe took, newest first: the last 100. A dispute stops refunds until it is decided.</p>
${paid.length === 0 ? html`<p class="empty">Nothing yet.</p>` : paid.map((intent) => card(intent, disputes))}`,
  );
