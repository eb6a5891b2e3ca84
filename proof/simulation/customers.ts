import { setTimeout as delay } from "node:timers/promises";
import { Refused } from "../../domain/decider.ts";
import { variantRequest } from "../../domain/forms/variant-request.ts";
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
import { between } from "../../services/operations/seed/seeded-random.ts";
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
  const { random, newId, acknowledged } = site;
  const chance = (share: number) => random() < share;
  const key = newId();
  const by = (orderId: string): OnBehalf => ({ actor: { kind: "customer", id: orderId }, correlationId: newId() });

  const create = () =>
    persist(site, "create order", (deps) =>
      createOrder(deps, request, { scope: "open-order", key }, newId()),
    );
  const [created, again] = await Promise.all([create(), chance(0.2) ? create() : undefined]);
  const orderId = (created ?? again)?.order.orderId;
  if (orderId === undefined) return;
  if (created && again && created.order.orderId !== again.order.orderId)
    throw new Error("A double click made two orders.");
  acknowledged.push({ orderId, what: { kind: "created" } });

  const priced = await persist(site, "add certificate", (deps) =>
    addVariant(deps, orderId, variant, { scope: orderId, key }, by(orderId)),
  );
  if (!priced || chance(0.05)) return;
  acknowledged.push({ orderId, what: { kind: "priced" } });
  if (chance(0.12)) void cancelLater(site, orderId, by(orderId));

  const pay = () =>
    persist(site, "ask to pay", (deps) => requestPayment(deps, orderId, variant.choice.amountPence, by(orderId)));
  const [payable, payableToo] = await Promise.all([pay(), chance(0.2) ? pay() : undefined]);
  const intentId = (payable ?? payableToo)?.order.intents.open?.intentId;
  if (intentId === undefined || chance(0.05)) return;
  acknowledged.push({ orderId, what: { kind: "payable", intentId } });

  await delay(between(random, 1_000, 40_000));
  if (chance(0.1)) decline(site, intentId);
  if (!charge(site, intentId) || chance(0.2)) return;
  if (chance(0.15)) void amendLater(site, orderId, by(orderId));

  const submit = () =>
    persist(site, "submit", async (deps) => {
      await confirmOrderPayment(deps, orderId, by(orderId));
      return requestSubmission(deps, orderId, by(orderId));
    });
  const [submitted, submittedToo] = await Promise.all([submit(), chance(0.3) ? submit() : undefined]);
  if (submitted ?? submittedToo) acknowledged.push({ orderId, what: { kind: "submission" } });
}

async function cancelLater(site: Site, orderId: string, by: OnBehalf): Promise<void> {
  await delay(between(site.random, 0, 120_000));
  const commandId = site.newId();
  const result = await persist(site, "cancel", (deps) =>
    cancelOrder(deps, orderId, "customerRequest", by, commandId),
  );
  // While an attempt is open it is only noted, and the submission may come first.
  if (result?.order.end) site.acknowledged.push({ orderId, what: { kind: "cancelled" } });
}

async function amendLater(site: Site, orderId: string, by: OnBehalf): Promise<void> {
  await delay(between(site.random, 0, 60_000));
  const key = { scope: orderId, key: site.newId() };
  const application = { ...variant.application, gro: `amended ${key.key}` };
  await persist(site, "amend", (deps) => amendApplication(deps, orderId, application, key, by));
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

/** At the bank, whatever becomes of our machines. False if it can no longer be paid. */
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
