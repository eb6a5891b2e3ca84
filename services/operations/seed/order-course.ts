import { secondsPerDay } from "../../../domain/instant.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { RefundReason } from "../../../domain/order/vocabulary.ts";
import { firstPriceList } from "../../../domain/pricing/price-list.ts";
import { londonDate } from "../../../domain/promise/london-time.ts";
import { addVariant } from "../../orders/add-variant.ts";
import { createOrder } from "../../orders/create-order.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { openCheckout } from "../../orders/payments/checkout-requests.ts";
import { confirmOrderPayment } from "../../orders/payments/provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "../../orders/payments/request-payment.ts";
import { requestSubmission } from "../../orders/submission/submit-order.ts";
import { endCompleted, saveUnfinished } from "./draft-stories.ts";
import { by, type Scene, seedCorrelation } from "./seed-system.ts";
import { between, pick, pickWeighted } from "./seeded-random.ts";
import { orderRequestOf, personOf, variantRequestOf, type Wish } from "./seeded-requests.ts";

function wishOf(random: () => number): Wish {
  const certificateType = pickWeighted<Wish["certificateType"]>(random, [
    ["Birth", 58],
    ["Death", 27],
    ["Marriage", 15],
  ]);
  const serviceLevel = pickWeighted<Wish["serviceLevel"]>(random, [
    ["standard", 70],
    ["priority", 30],
  ]);
  const copies = pickWeighted(random, [
    [1, 65],
    [2, 25],
    [3, 10],
  ]);
  const unitPence = firstPriceList.unitPricePence[certificateType][serviceLevel];
  return {
    certificateType,
    serviceLevel,
    copies,
    groReferenceKnown: random() < 0.4,
    totalPence: unitPence * copies,
    ...(random() < 0.12 && { recipient: personOf(random, 0) }),
    ...(random() < 0.1 && { customerReference: referenceOf(random) }),
  };
}

/** As a solicitor or a genealogist numbers cases. */
const referenceOf = (random: () => number): string =>
  `${pick(random, ["PROBATE", "EST", "TREE", "MATTER"])}/${between(random, 100, 9_999)}`;

/** Opened and priced, not yet paid. `savedDrafts` are keys of drafts that it completes. */
export async function open(
  { system, person, random }: Scene,
  savedDrafts: readonly string[] = [],
): Promise<string> {
  const { deps, pass } = system;
  const wish = wishOf(random);
  const request = orderRequestOf(person, wish, savedDrafts);
  const { order } = await createOrder(deps, request, undefined, seedCorrelation);
  const { orderId } = order;
  pass(between(random, 1, 4));
  const today = londonDate(deps.now().toISOString());
  const variant = variantRequestOf(person, wish, today);
  await addVariant(deps, orderId, variant, undefined, by("customer", orderId));
  return orderId;
}

/** Paid, with submission not yet requested. */
export async function pay(scene: Scene): Promise<string> {
  const { system, random } = scene;
  const orderId = await open(scene, random() < 0.08 ? [(await saveUnfinished(scene)).key] : []);
  const customer = by("customer", orderId);
  const { order } = await system.deps.orders.load(orderId);
  system.pass(between(random, 2, 20));
  const asked = await requestPayment(system.deps, orderId, order.variant?.totalPence ?? 0, customer);
  const intentId = asked.order.intents.open?.intentId ?? "";
  system.pass(between(random, 25, 300));
  if (random() < 0.08) {
    await system.execute(
      orderId,
      { type: "RecordPaymentFailure", data: { intentId, code: "cardDeclined" } },
      by("provider"),
    );
    system.pass(between(random, 30, 200));
  }
  await system.payAtProvider(intentId);
  await confirmOrderPayment(system.deps, orderId, customer);
  await endCompleted(scene, orderId);
  return orderId;
}

/** Two to five orders of one customer, paid for together. */
export async function payTogether(scene: Scene): Promise<readonly string[]> {
  const { system, random } = scene;
  const { deps } = system;
  const orderIds: string[] = [];
  for (let left = between(random, 2, 5); left > 0; left -= 1) orderIds.push(await open(scene));
  const customer = by("customer", orderIds[0]);
  system.pass(between(random, 2, 20));
  const { checkout, orders } = await openCheckout(deps, orderIds, undefined, customer);
  const totalPence = orders.reduce((sum, { quotedTotalPence }) => sum + quotedTotalPence, 0);
  const { order } = await requestCheckoutPayment(deps, checkout, totalPence, customer);
  system.pass(between(random, 25, 300));
  await system.payAtProvider(order.intents.open?.intentId ?? "");
  await confirmOrderPayment(deps, orderIds[0] ?? "", customer);
  return orderIds;
}

/** Confirmed by mail, and ready for the GRO. */
export async function confirm(scene: Scene): Promise<string> {
  const orderId = await pay(scene);
  await confirmPaid(scene, orderId);
  return orderId;
}

async function confirmPaid({ system, random }: Scene, orderId: string): Promise<void> {
  system.pass(between(random, 1, 50));
  await requestSubmission(system.deps, orderId, by("customer", orderId));
  system.pass(between(random, 1, 6));
  await system.sendMails(orderId);
}

export const attemptOf = async ({ system }: Scene, orderId: string): Promise<number> =>
  (await system.deps.orders.load(orderId)).order.attempts.count + 1;

/** Accepted by the GRO, with the application purged. */
export async function submit(scene: Scene): Promise<string> {
  const orderId = await confirm(scene);
  await submitConfirmed(scene, orderId);
  return orderId;
}

/** The same of an order that is paid for. */
export async function submitPaid(scene: Scene, orderId: string): Promise<void> {
  await confirmPaid(scene, orderId);
  await submitConfirmed(scene, orderId);
}

async function submitConfirmed(scene: Scene, orderId: string): Promise<void> {
  const { system, random } = scene;
  for (let failures = random() < 0.1 ? 1 : 0; failures >= 0; failures--) {
    const attempt = await attemptOf(scene, orderId);
    system.pass(between(random, 1, 3));
    await system.execute(orderId, { type: "StartSubmission", data: { attempt, channel: "automation" } });
    system.pass(between(random, 2, 90));
    if (failures > 0) {
      await system.execute(orderId, {
        type: "RecordSubmissionFailure",
        data: { attempt, code: "rejected", certain: true },
      });
      system.pass(60);
      continue;
    }
    const submittedAt = system.deps.now().toISOString();
    await system.execute(orderId, {
      type: "RecordSubmission",
      data: { attempt, groReferenceRef: null, submittedAt },
    });
  }
  system.pass(between(random, 5, 9));
  await system.purge(orderId, "application", "submitted");
  await system.sendMails(orderId);
}

/** Despatched after this many days, and fulfilled. */
export async function fulfil(scene: Scene, days: number): Promise<string> {
  const orderId = await submit(scene);
  scene.system.pass(days * secondsPerDay);
  await fulfilSubmitted(scene, orderId);
  return orderId;
}

export async function fulfilSubmitted({ system }: Scene, orderId: string): Promise<void> {
  const dispatchedAt = system.deps.now().toISOString();
  await system.execute(
    orderId,
    { type: "RecordDispatch", data: { attempt: null, dispatchedAt } },
    by("provider"),
  );
  system.pass(1);
  await system.execute(orderId, { type: "FulfilOrder", data: {} });
  await system.sendMails(orderId);
}

export const firstPayment = ({ payments }: Order) => payments[0] ?? { intentId: "", amountPence: 0 };

/** A refund, which the simulated provider records too. */
export async function refund(
  { system, random }: Scene,
  orderId: string,
  reason: RefundReason,
  { amountPence, asker }: { amountPence?: number; asker?: OnBehalf } = {},
) {
  const { order } = await system.deps.orders.load(orderId);
  const { intentId, amountPence: paid } = firstPayment(order);
  const data = { intentId, amountPence: amountPence ?? paid, reason, approvalAbovePence: null };
  const asked = await system.execute(orderId, { type: "RequestRefund", data }, asker);
  const made = { refundId: asked.refunds.at(-1)?.refundId ?? "", intentId, amountPence: data.amountPence };
  system.pass(between(random, 2, 60));
  const providerRefundId = await system.refundAtProvider(made);
  await system.execute(
    orderId,
    { type: "RecordRefund", data: { ...made, providerRefundId } },
    by("provider"),
  );
  await system.sendMails(orderId);
}
