import { setTimeout as delay } from "node:timers/promises";
import { Refused } from "../../domain/decider.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
import { between } from "../../services/operations/seed/seeded-random.ts";
import { addVariant } from "../../services/orders/add-variant.ts";
import { amendApplication } from "../../services/orders/amend-application.ts";
import { cancelOrder } from "../../services/orders/cancel-order.ts";
import { createOrder } from "../../services/orders/create-order.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import type { OnBehalf } from "../../services/orders/orders.ts";
import { confirmOrderPayment } from "../../services/orders/payments/confirm-payment.ts";
import { PaymentNotReceived, PaymentProcessing } from "../../services/orders/payments/payment-outcomes.ts";
import { requestPayment } from "../../services/orders/payments/request-payment.ts";
import { takePaymentNotice } from "../../services/orders/payments/take-payment-notice.ts";
import { requestSubmission } from "../../services/orders/submission/request-submission.ts";
import type { PaymentNotice } from "../../services/providers/stripe/payments.ts";
import { variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import type { MemoryPayments } from "../../testing/providers/memory-payments.ts";
import { orderRequest } from "../../testing/services/use-case-fixture.ts";

/** What a customer was told: it must be found in the log at the end. */
export type Acknowledged = { readonly orderId: string; readonly what: Told };
type Told =
  | { readonly kind: "created" }
  | { readonly kind: "priced" }
  | { readonly kind: "payable"; readonly intentId: string }
  | { readonly kind: "submission" }
  | { readonly kind: "cancelled" };

export type Site = {
  readonly random: () => number;
  readonly newId: () => string;
  readonly payments: MemoryPayments;
  readonly tell: (words: () => string) => void;
  readonly acknowledged: Acknowledged[];
  /** Sends a request to one of the machines. @throws NoAnswer, and what its handler throws */
  request<T>(name: string, handle: (deps: OrderDependencies) => Promise<T>): Promise<T>;
};

/** The connection broke, the machine died, or the answer took too long. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

const request = orderRequest();
const variant = variantRequest("2026-11-21").parse(variantBody());
const mostTries = 8;

/** One visit to the site: to the end, or to wherever its customer leaves. */
export async function orderCertificate(site: Site): Promise<void> {
  const { random } = site;
  const orderId = await openOrder(site);
  if (orderId === undefined) return;
  const intentId = await chooseAndAskToPay(site, orderId);
  if (intentId === undefined) return;
  await delay(between(random, 1_000, 40_000));
  if (chance(site, 0.1)) decline(site, intentId);
  if (!charge(site, intentId) || chance(site, 0.2)) return;
  if (chance(site, 0.15)) void amendLater(site, orderId);
  if (chance(site, 0.15)) await amendLater(site, orderId);
  const submitted = await clicked(site, 0.3, "submit", async (deps) => {
    await confirmOrderPayment(deps, orderId, behalfOf(site, orderId));
    return requestSubmission(deps, orderId, behalfOf(site, orderId));
  });
  if (submitted.length > 0) site.acknowledged.push({ orderId, what: { kind: "submission" } });
}

async function openOrder(site: Site): Promise<string | undefined> {
  const key = { scope: "open-order", key: site.newId() };
  const created = await clicked(site, 0.2, "create order", (deps) =>
    createOrder(deps, request, key, site.newId()),
  );
  const orderIds = new Set(created.map(({ order }) => order.orderId));
  if (orderIds.size > 1) throw new Error("A double click made two orders.");
  const [orderId] = orderIds;
  if (orderId !== undefined) site.acknowledged.push({ orderId, what: { kind: "created" } });
  return orderId;
}

async function chooseAndAskToPay(site: Site, orderId: string): Promise<string | undefined> {
  const key = { scope: orderId, key: site.newId() };
  const priced = await clicked(site, 0.1, "add certificate", (deps) =>
    addVariant(deps, orderId, variant, key, behalfOf(site, orderId)),
  );
  if (priced.length === 0) return undefined;
  site.acknowledged.push({ orderId, what: { kind: "priced" } });
  if (chance(site, 0.05)) return undefined;
  if (chance(site, 0.12)) void cancelLater(site, orderId);
  const payable = await clicked(site, 0.2, "ask to pay", (deps) =>
    requestPayment(deps, orderId, variant.choice.amountPence, behalfOf(site, orderId)),
  );
  const intentId = payable[0]?.order.intents.open?.intentId;
  if (intentId === undefined || chance(site, 0.05)) return undefined;
  site.acknowledged.push({ orderId, what: { kind: "payable", intentId } });
  return intentId;
}

const chance = ({ random }: Site, share: number): boolean => random() < share;

const behalfOf = ({ newId }: Site, orderId: string): OnBehalf => ({
  actor: { kind: "customer", id: orderId },
  correlationId: newId(),
});

/** Sends a request, and now and then a second one at the same moment. @returns what was answered */
async function clicked<T>(
  site: Site,
  twice: number,
  name: string,
  handle: (deps: OrderDependencies) => Promise<T>,
): Promise<T[]> {
  const clicks = chance(site, twice) ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: clicks }, () => persist(site, name, handle)));
  return answers.filter((answer) => answer !== undefined);
}

async function cancelLater(site: Site, orderId: string): Promise<void> {
  await delay(between(site.random, 0, 120_000));
  const commandId = site.newId();
  const result = await persist(site, "cancel", (deps) =>
    cancelOrder(deps, orderId, "customerRequest", behalfOf(site, orderId), commandId),
  );
  // While an attempt is open it is only noted, and the submission may come first.
  if (result?.order.end) site.acknowledged.push({ orderId, what: { kind: "cancelled" } });
}

async function amendLater(site: Site, orderId: string): Promise<void> {
  await delay(between(site.random, 0, 20_000));
  const key = { scope: orderId, key: site.newId() };
  const application = { ...variant.application, gro: `amended ${key.key}` };
  await persist(site, "amend", (deps) =>
    amendApplication(deps, orderId, application, key, behalfOf(site, orderId)),
  );
}

/** As a browser does: once more after no answer, or one that asks to try later. Undefined if refused, or given up. */
async function persist<T>(
  site: Site,
  name: string,
  handle: (deps: OrderDependencies) => Promise<T>,
): Promise<T | undefined> {
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      return await site.request(name, handle);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      const isEarly = error instanceof PaymentProcessing || error instanceof PaymentNotReceived;
      await delay(isEarly ? 2_000 : between(site.random, 500, 10_000));
    }
  }
  return undefined;
}

/** At the bank, even if our machines die. False if it can no longer be paid. */
function charge(site: Site, intentId: string): boolean {
  if (site.payments.intents.get(intentId)?.status !== "unpaid") return false;
  site.payments.change(intentId, { status: "succeeded" });
  site.tell(() => `bank: charged ${intentId}`);
  notify(site, intentId);
  return true;
}

function decline(site: Site, intentId: string): void {
  if (site.payments.intents.get(intentId)?.status !== "unpaid") return;
  site.payments.change(intentId, { failureCode: "card_declined" });
  notify(site, intentId);
}

/** The provider sends a notice until it is taken, sometimes twice and late. */
function notify(site: Site, intentId: string): void {
  const notice: PaymentNotice = { eventId: site.newId(), kind: "intent", intentId };
  const copies = site.random() < 0.3 ? 2 : 1;
  for (let copy = 0; copy < copies; copy++) void deliver(site, notice);
}

const mostDeliveries = 40;

async function deliver(site: Site, notice: PaymentNotice): Promise<void> {
  const by: OnBehalf = { actor: { kind: "provider", id: "stripe" }, correlationId: site.newId() };
  await delay(between(site.random, 50, 20_000));
  for (let tries = 1; tries <= mostDeliveries; tries++) {
    try {
      await site.request("payment notice", (deps) => takePaymentNotice(deps, notice, by));
      return;
    } catch {
      await delay(Math.min(5_000 * 2 ** tries, 120_000));
    }
  }
}
