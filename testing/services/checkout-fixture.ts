import { openCheckout } from "../../services/orders/payments/checkout-requests.ts";
import { takePaymentNotice } from "../../services/orders/payments/payment-webhook.ts";
import { requestCheckoutPayment } from "../../services/orders/payments/request-payment.ts";
import { customer, pricedOrder, type TestDependencies } from "./use-case-fixture.ts";

/** The payment provider, as the author of a webhook. */
export const provider = { actor: { kind: "provider" as const, id: "payments" }, correlationId: "a-notice" };

/** Some priced orders in a checkout, each of 4,500 pence. */
export async function checkoutOf(deps: TestDependencies, many = 2) {
  const orderIds: string[] = [];
  for (let n = 0; n < many; n += 1) orderIds.push(await pricedOrder(deps));
  const { checkout } = await openCheckout(deps, orderIds, { scope: "test", key: orderIds.join() }, customer);
  return { checkout, orderIds };
}

/** As a page asks: the checkout as it is by then. */
export async function requestAll(deps: TestDependencies, checkoutId: string, amountPence: number) {
  const checkout = await deps.checkouts.find(checkoutId);
  if (!checkout) throw new Error("There is no such checkout.");
  return requestCheckoutPayment(deps, checkout, amountPence, customer);
}

/** The same, with an open intent for all. */
export async function asked(deps: TestDependencies, many = 2) {
  const { checkout, orderIds } = await checkoutOf(deps, many);
  const { order } = await requestAll(deps, checkout.checkoutId, many * 4500);
  return { checkout, orderIds, intentId: order.intents.open?.intentId ?? "" };
}

export const succeed = (deps: TestDependencies, intentId: string, amountPence?: number) =>
  deps.payments.change(intentId, {
    status: "succeeded",
    ...(amountPence !== undefined && { amountPence }),
  });

/** The same, paid, and told by the provider. */
export async function paid(deps: TestDependencies, many = 2) {
  const all = await asked(deps, many);
  succeed(deps, all.intentId);
  await notice(deps, all.intentId);
  return all;
}

export const notice = (deps: TestDependencies, intentId: string) =>
  takePaymentNotice(
    deps,
    { eventId: deps.newId(), kind: "intent", intentId, outcome: "succeeded" },
    provider,
  );
