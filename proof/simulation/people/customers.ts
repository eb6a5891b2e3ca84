import { addVariant } from "../../../services/orders/add-variant.ts";
import { amendApplication } from "../../../services/orders/amend-application.ts";
import { cancelOrder } from "../../../services/orders/cancel-order.ts";
import { createOrder } from "../../../services/orders/create-order.ts";
import { takePaymentNotice } from "../../../services/orders/payments/payment-webhook.ts";
import { confirmOrderPayment } from "../../../services/orders/payments/provider-reports.ts";
import { requestPayment } from "../../../services/orders/payments/request-payment.ts";
import { requestSubmission } from "../../../services/orders/submission/submit-order.ts";
import type { PaymentNotice } from "../../../services/providers/stripe/payments.ts";
import { orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { disputePayment } from "./disputes.ts";
import { saveForLater } from "./drafts.ts";
import { giveBack } from "./refunds.ts";
import {
  amended,
  behalfOf,
  chance,
  clicked,
  notify,
  onlyOne,
  persist,
  type Site,
  variant,
  waits,
} from "./site.ts";
import { eraseAndCorrect, reportOutcome } from "./staff.ts";
import { writeToSupport } from "./tickets.ts";

/** One visit to the site: to the end, or to wherever its customer leaves. */
export async function orderCertificate(site: Site): Promise<void> {
  const savedDrafts = chance(site, 0.25) ? await saveForLater(site) : [];
  if (savedDrafts === undefined) return;
  const orderId = await openOrder(site, savedDrafts);
  if (orderId === undefined) return;
  if (chance(site, 0.3)) site.aside(writeToSupport(site, orderId));
  const intentId = await chooseAndAskToPay(site, orderId);
  if (intentId === undefined) return;
  await waits(site, 1_000, 40_000);
  if (chance(site, 0.1)) decline(site, intentId);
  if (!charge(site, intentId)) return;
  if (chance(site, 0.2)) site.aside(giveBack(site, orderId, intentId));
  if (chance(site, 0.12)) site.aside(disputePayment(site, orderId, intentId));
  if (chance(site, 0.08)) site.aside(cancelLater(site, orderId));
  if (chance(site, 0.3)) site.aside(reportOutcome(site, orderId));
  if (chance(site, 0.2)) return;
  if (chance(site, 0.15)) site.aside(amendLater(site, orderId));
  if (chance(site, 0.15)) await amendLater(site, orderId);
  const submitted = await clicked(site, 0.3, "submit", async (deps) => {
    await confirmOrderPayment(deps, orderId, behalfOf(site, orderId));
    return requestSubmission(deps, orderId, behalfOf(site, orderId));
  });
  if (submitted.length > 0) site.acknowledge.order(orderId, "submission", ({ promise }) => promise !== null);
}

async function openOrder(site: Site, savedDrafts: readonly string[]): Promise<string | undefined> {
  const key = { scope: "open-order", key: site.newId() };
  const request = orderRequest({ savedDrafts });
  const created = await clicked(site, 0.2, "create order", (deps) =>
    createOrder(deps, request, key, site.newId()),
  );
  const orderId = onlyOne(created.map(({ order }) => order.orderId));
  if (orderId !== undefined) site.acknowledge.order(orderId, "created", () => true);
  return orderId;
}

async function chooseAndAskToPay(site: Site, orderId: string): Promise<string | undefined> {
  const key = { scope: orderId, key: site.newId() };
  const priced = await clicked(site, 0.1, "add certificate", (deps) =>
    addVariant(deps, orderId, variant, key, behalfOf(site, orderId)),
  );
  if (priced.length === 0) return undefined;
  site.acknowledge.order(orderId, "priced", (order) => order.variant !== null);
  if (chance(site, 0.05)) return undefined;
  if (chance(site, 0.12)) site.aside(cancelLater(site, orderId));
  const payable = await clicked(site, 0.2, "ask to pay", (deps) =>
    requestPayment(deps, orderId, variant.choice.amountPence, behalfOf(site, orderId)),
  );
  const intentId = payable[0]?.order.intents.open?.intentId;
  if (intentId === undefined || chance(site, 0.05)) return undefined;
  site.acknowledge.order(orderId, "payable", ({ intents }) => intents.count > 0);
  return intentId;
}

async function cancelLater(site: Site, orderId: string): Promise<void> {
  await waits(site, 0, 120_000);
  const commandId = site.newId();
  const result = await persist(site, "cancel", (deps) =>
    cancelOrder(deps, orderId, "customerRequest", behalfOf(site, orderId), commandId),
  );
  // While an attempt is open it is only noted, and the submission may come first.
  if (!result?.order.end) return;
  site.acknowledge.order(orderId, "cancelled", ({ end }) => end !== null);
  if (chance(site, 0.7)) await eraseAndCorrect(site, orderId);
}

async function amendLater(site: Site, orderId: string): Promise<void> {
  await waits(site, 0, 20_000);
  const key = { scope: orderId, key: site.newId() };
  const application = amended(site);
  await persist(site, "amend", (deps) =>
    amendApplication(deps, orderId, application, key, behalfOf(site, orderId)),
  );
}

/** At the bank, even if our machines die. False if it can no longer be paid. */
function charge(site: Site, intentId: string): boolean {
  if (site.bank.intents.get(intentId)?.status !== "unpaid") return false;
  site.bank.change(intentId, { status: "succeeded" });
  site.tell(() => `bank: charged ${intentId}`);
  notifyOf(site, intentId, "succeeded");
  return true;
}

function decline(site: Site, intentId: string): void {
  if (site.bank.intents.get(intentId)?.status !== "unpaid") return;
  site.bank.change(intentId, { failureCode: "card_declined" });
  notifyOf(site, intentId, "failed");
}

function notifyOf(site: Site, intentId: string, outcome: "succeeded" | "failed"): void {
  const notice: PaymentNotice = { eventId: site.newId(), kind: "intent", intentId, outcome };
  notify(site, "stripe", (deps, by) => takePaymentNotice(deps, notice, by));
}
