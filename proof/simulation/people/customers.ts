import { isUnpaid } from "../../../domain/order/phases.ts";
import { between } from "../../../services/operations/seed/seeded-random.ts";
import { addVariant } from "../../../services/orders/add-variant.ts";
import { amendApplication } from "../../../services/orders/amend-application.ts";
import { cancelOrder } from "../../../services/orders/cancel-order.ts";
import { createOrder } from "../../../services/orders/create-order.ts";
import type { OrderDependencies } from "../../../services/orders/dependencies.ts";
import { openCheckout, submitCheckout } from "../../../services/orders/payments/checkout-requests.ts";
import { takePaymentNotice } from "../../../services/orders/payments/payment-webhook.ts";
import { confirmOrderPayment } from "../../../services/orders/payments/provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "../../../services/orders/payments/request-payment.ts";
import { requestSubmission } from "../../../services/orders/submission/submit-order.ts";
import type { PaymentNotice } from "../../../services/providers/stripe/payments.ts";
import { orderRequest } from "../../../testing/services/use-case-fixture.ts";
import { disputePayment } from "./disputes.ts";
import { saveForLater } from "./drafts.ts";
import { giveBack, refundByHand } from "./refunds.ts";
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
  if (chance(site, 0.12)) site.aside(disputePayment(site, [orderId], intentId));
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

/** A visit of someone who needs several certificates, and pays for them together. */
export async function orderTogether(site: Site): Promise<void> {
  const orderIds = await openSeveral(site);
  const checkoutId = await openTogether(site, orderIds);
  if (checkoutId === undefined) return;
  const intentId = await askToPayForAll(site, checkoutId);
  if (intentId === undefined) return;
  await waits(site, 1_000, 40_000);
  if (chance(site, 0.1)) decline(site, intentId);
  if (!charge(site, intentId)) return;
  for (const orderId of orderIds) haveTrouble(site, orderId, intentId);
  if (chance(site, 0.15)) site.aside(disputePayment(site, orderIds, intentId));
  if (chance(site, 0.25)) site.aside(refundByHand(site, orderIds, intentId));
  if (chance(site, 0.2)) return;
  const submitted = await clicked(site, 0.3, "submit all", async (deps) => {
    const checkout = await checkoutAt(deps, checkoutId);
    return submitCheckout(deps, checkout, behalfOf(site, checkout.orderIds[0] ?? ""));
  });
  for (const { order } of submitted.flat())
    if (order.promise !== null)
      site.acknowledge.order(order.orderId, "submission", ({ promise }) => promise !== null);
}

/** Priced; fewer than wanted where some could not be made. */
async function openSeveral(site: Site): Promise<string[]> {
  const orderIds: string[] = [];
  for (let left = between(site.random, 2, 4); left > 0; left -= 1) {
    const orderId = await openOrder(site, []);
    if (orderId !== undefined && (await choose(site, orderId))) orderIds.push(orderId);
  }
  return orderIds;
}

async function openTogether(site: Site, orderIds: readonly string[]): Promise<string | undefined> {
  const [first = "", second] = orderIds;
  if (second === undefined) return undefined;
  const key = { scope: "open-checkout", key: site.newId() };
  const opened = await clicked(site, 0.2, "open checkout", (deps) =>
    openCheckout(deps, orderIds, key, behalfOf(site, first)),
  );
  if (chance(site, 0.15)) site.aside(cancelLater(site, second));
  if (chance(site, 0.1)) site.aside(payAlone(site, first));
  return onlyOne(opened.map(({ checkout }) => checkout.checkoutId));
}

function haveTrouble(site: Site, orderId: string, intentId: string): void {
  if (chance(site, 0.15)) site.aside(giveBack(site, orderId, intentId));
  if (chance(site, 0.1)) site.aside(cancelLater(site, orderId));
  if (chance(site, 0.2)) site.aside(reportOutcome(site, orderId));
}

async function checkoutAt({ checkouts }: OrderDependencies, checkoutId: string) {
  const checkout = await checkouts.find(checkoutId);
  if (!checkout) throw new Error(`There is no checkout ${checkoutId}.`);
  return checkout;
}

/** As the page does, which knows what is left to pay. */
async function askToPayForAll(site: Site, checkoutId: string): Promise<string | undefined> {
  const payable = await clicked(site, 0.2, "ask to pay for all", async (deps) => {
    const checkout = await checkoutAt(deps, checkoutId);
    const orders = await Promise.all(checkout.orderIds.map((orderId) => deps.orders.load(orderId)));
    const unpaid = orders.filter(({ order }) => isUnpaid(order.phase));
    const amountPence = unpaid.reduce((sum, { order }) => sum + order.quotedTotalPence, 0);
    return requestCheckoutPayment(deps, checkout, amountPence, behalfOf(site, checkout.orderIds[0] ?? ""));
  });
  return payable[0]?.order.intents.open?.intentId;
}

/** In another tab. */
async function payAlone(site: Site, orderId: string): Promise<void> {
  await waits(site, 0, 30_000);
  const payable = await persist(site, "ask to pay", (deps) =>
    requestPayment(deps, orderId, variant.choice.amountPence, behalfOf(site, orderId)),
  );
  const intentId = payable?.order.intents.open?.intentId;
  if (intentId !== undefined) charge(site, intentId);
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

async function choose(site: Site, orderId: string): Promise<boolean> {
  const key = { scope: orderId, key: site.newId() };
  const priced = await clicked(site, 0.1, "add certificate", (deps) =>
    addVariant(deps, orderId, variant, key, behalfOf(site, orderId)),
  );
  if (priced.length === 0) return false;
  site.acknowledge.order(orderId, "priced", (order) => order.variant !== null);
  return true;
}

async function chooseAndAskToPay(site: Site, orderId: string): Promise<string | undefined> {
  if (!(await choose(site, orderId))) return undefined;
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
  const amendment = amended(site);
  await persist(site, "amend", (deps) =>
    amendApplication(deps, orderId, amendment, key, behalfOf(site, orderId)),
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
