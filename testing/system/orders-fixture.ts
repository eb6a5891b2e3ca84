import { variantRequest } from "../../domain/forms/variant-request.ts";
import { addVariant } from "../../services/orders/add-variant.ts";
import { createOrder } from "../../services/orders/create-order.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import { openCheckout } from "../../services/orders/payments/checkout-requests.ts";
import { confirmIntent } from "../../services/orders/payments/provider-reports.ts";
import { requestCheckoutPayment, requestPayment } from "../../services/orders/payments/request-payment.ts";
import { requestSubmission } from "../../services/orders/submission/submit-order.ts";
import { variantBody } from "../gateway/request-bodies-fixture.ts";
import type { MemoryPayments } from "../providers/memory-payments.ts";
import { customer, orderRequest } from "../services/use-case-fixture.ts";

export type TestPayingDependencies = OrderDependencies & { readonly payments: MemoryPayments };

const variant = variantRequest("2026-11-21").parse(variantBody());

/** A priced order, as made by the gateway: everything sealed, and a key to compare repeats with. */
export async function placeOrder(
  deps: OrderDependencies,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const key = { scope: "open-order", key: deps.newId() };
  const { order } = await createOrder(deps, orderRequest(changes), key, "a-request");
  await addVariant(deps, order.orderId, variant, { scope: order.orderId, key: key.key }, customer);
  return order.orderId;
}

/** The same, with an open payment intent. */
export async function placeAndAsk(
  deps: OrderDependencies,
  changes: Record<string, unknown> = {},
): Promise<{ orderId: string; intentId: string }> {
  const orderId = await placeOrder(deps, changes);
  const { order } = await requestPayment(deps, orderId, variant.choice.amountPence, customer);
  return { orderId, intentId: order.intents.open?.intentId ?? "" };
}

/** The same, paid and confirmed. */
export async function placeAndPay(
  deps: TestPayingDependencies,
  changes: Record<string, unknown> = {},
): Promise<{ orderId: string; intentId: string }> {
  const asked = await placeAndAsk(deps, changes);
  await pay(deps, asked);
  return asked;
}

/** The customer pays, and the payment is confirmed. */
export async function pay(
  deps: TestPayingDependencies,
  { orderId, intentId }: { readonly orderId: string; readonly intentId: string },
): Promise<void> {
  deps.payments.change(intentId, { status: "succeeded" });
  await confirmIntent(deps, orderId, await deps.payments.retrieveIntent(intentId), customer);
}

/** The same, with submission requested by the browser. */
export async function placeAndSubmit(
  deps: TestPayingDependencies,
): Promise<{ orderId: string; intentId: string }> {
  const placed = await placeAndPay(deps);
  await requestSubmission(deps, placed.orderId, customer);
  return placed;
}

/** Some orders with one payment, each with its submission requested. */
export async function submitTogether(
  deps: TestPayingDependencies,
  changes: readonly Record<string, unknown>[],
): Promise<string[]> {
  const orderIds: string[] = [];
  for (const each of changes) orderIds.push(await placeOrder(deps, each));
  const { checkout } = await openCheckout(deps, orderIds, undefined, customer);
  const amountPence = orderIds.length * variant.choice.amountPence;
  const { order } = await requestCheckoutPayment(deps, checkout, amountPence, customer);
  await pay(deps, { orderId: order.orderId, intentId: order.intents.open?.intentId ?? "" });
  for (const orderId of orderIds) await requestSubmission(deps, orderId, customer);
  return orderIds;
}
