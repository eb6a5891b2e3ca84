import { isDeepStrictEqual } from "node:util";
import * as ordering from "../../../contract/orders/ordering.ts";
import type { Checkout } from "../../../domain/checkout/checkout.ts";
import type { Share } from "../../../domain/checkout/shares.ts";
import { Refused } from "../../../domain/decider.ts";
import { assertPayableTogether } from "../../../domain/order/payment/decide-payment.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import type { Intent, Payer } from "../../providers/stripe/payments.ts";
import { commandIds, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { allOf, confirmIntent, onBehalfIn, PaymentProcessing } from "./provider-reports.ts";

/** `clientSecret` lets the browser pay; it is never logged and never stored. */
type PaymentToMake = OrderResult & { readonly clientSecret: string };

/** Orders that are paid for together: one alone, or those of a checkout. */
type Together = {
  readonly orders: readonly OrderResult[];
  readonly checkout: Checkout | undefined;
  readonly by: OnBehalf;
};

/**
 * Returns a payment intent for the browser. One is open at a time: repeated requests get the same one, and a new one is
 * created only after the old was cancelled at the provider.
 * @throws Refused without variant, terms or consent, for a different amount, and once paid; PaymentProcessing while the
 * card is being charged
 */
export async function requestPayment(
  deps: OrderDependencies,
  orderId: string,
  amountPence: number,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const orders = [await deps.orders.load(orderId)];
  return payTogether(deps, { orders, checkout: undefined, by }, amountPence);
}

/** The same for the orders of a checkout that can still be paid for. */
export async function requestCheckoutPayment(
  deps: OrderDependencies,
  { checkoutId, orderIds }: Checkout,
  amountPence: number,
  by: OnBehalf,
): Promise<PaymentToMake> {
  const all = await Promise.all(orderIds.map((orderId) => deps.orders.load(orderId)));
  // Read after its orders: it has every intent of its own that they have.
  const checkout = await deps.checkouts.find(checkoutId);
  const unpaid = all.filter(({ order }) => isUnpaid(order.phase));
  return payTogether(deps, { orders: unpaid.length > 0 ? unpaid : all, checkout, by }, amountPence);
}

async function payTogether(
  deps: OrderDependencies,
  together: Together,
  amountPence: number,
): Promise<PaymentToMake> {
  const orders = together.orders.map(({ order }) => order);
  const shares = assertPayableTogether(orders, amountPence);
  const asked = askedFor(together, shares);
  let fitting: Intent | undefined;
  for (const [intentId, orderId] of standingOf(together)) {
    const intent = await deps.payments.retrieveIntent(intentId);
    if (intentId === asked && intent.status === "unpaid" && intent.amountPence === amountPence) {
      fitting = intent;
      continue;
    }
    const closed = intent.status === "unpaid" ? await deps.payments.cancelIntent(intentId) : intent;
    if (closed.status === "cancelled") continue;
    if (closed.status !== "succeeded") throw new PaymentProcessing("The card is being charged.");
    const { order: paid } = await confirmIntent(deps, orderId, closed, together.by);
    // It was paid meanwhile: the order states why it accepts no further payment.
    assertPayableTogether([paid], paid.variant?.totalPence ?? amountPence);
    throw new PaymentProcessing("Money came that did not pay for the order; it goes back first.");
  }
  if (!fitting) return openIntent(deps, together, shares, amountPence);
  return nameInOrders(deps, together, shares, fitting);
}

/** The intent that was asked for exactly this, and is perhaps not named in every order yet. */
function askedFor({ orders: [first], checkout }: Together, shares: readonly Share[]): string | undefined {
  if (!checkout) return first?.order.intents.open?.intentId;
  const last = checkout.intents.at(-1);
  return last && isDeepStrictEqual(last.shares, shares) ? last.intentId : undefined;
}

/** Intents that may still be paid, each with an order that it pays for. */
function standingOf({ orders, checkout }: Together): ReadonlyMap<string, string> {
  const last = checkout?.intents.at(-1);
  const ofCheckout = last?.shares.slice(0, 1).map(({ orderId }) => [last.intentId, orderId] as const) ?? [];
  const ofOrders = orders.flatMap(({ order: { orderId, intents } }) =>
    intents.open ? [[intents.open.intentId, orderId] as const] : [],
  );
  return new Map([...ofCheckout, ...ofOrders]);
}

/** At the provider first, then in the checkout, which says what the intent pays for, then in each of its orders. */
async function openIntent(
  deps: OrderDependencies,
  together: Together,
  shares: readonly Share[],
  amountPence: number,
): Promise<PaymentToMake> {
  const { orders, checkout, by } = together;
  const [first] = orders;
  if (!first) throw new Error("There is no order to pay for.");
  const { orderId } = first.order;
  const payer: Payer = checkout ? { checkoutId: checkout.checkoutId } : { orderId };
  const attempt = (checkout ? checkout.intents.length : first.order.intents.count) + 1;
  const intent = await deps.payments.createIntent({ ...payer, amountPence, attempt });
  try {
    if (checkout) {
      const { checkoutId } = checkout;
      const data = { intentId: intent.id, attempt, shares: [...shares] };
      const commandId = commandIds.paymentRequested(intent.id);
      const command = { type: "RequestIntent" as const, data };
      await deps.checkouts.execute({ checkoutId, commandId, by: onBehalfIn(by, orderId), command });
    }
  } catch (error) {
    if (error instanceof Refused) await closeUnnamed(deps, orders, intent.id);
    throw error;
  }
  return nameInOrders(deps, together, shares, intent);
}

/** Names an intent in the orders that lack it: all of them, or those that a concurrent request has not come to yet. */
async function nameInOrders(
  deps: OrderDependencies,
  { orders, checkout, by }: Together,
  shares: readonly Share[],
  { id: intentId, clientSecret }: Pick<Intent, "id" | "clientSecret">,
): Promise<PaymentToMake> {
  const commandId = commandIds.paymentRequested(intentId);
  const checkoutId = checkout?.checkoutId ?? null;
  try {
    const named = await allOf(
      orders.map(async (result, nth) => {
        const { orderId, intents } = result.order;
        if (intents.open?.intentId === intentId) return result;
        const closedIntentId = intents.open?.intentId ?? null;
        const own = { attempt: intents.count + 1, amountPence: shares[nth]?.amountPence ?? 0 };
        const command = {
          type: "RequestPayment" as const,
          data: { intentId, ...own, closedIntentId, checkoutId },
        };
        return deps.orders.execute({
          orderId,
          commandId,
          by: checkout ? onBehalfIn(by, orderId) : by,
          // Asked from two tabs, it is one intent; what each found open and closed before it may differ.
          fingerprint: uncompared,
          command,
        });
      }),
    );
    return { ...latest(named), clientSecret };
  } catch (error) {
    if (error instanceof Refused) await closeUnnamed(deps, orders, intentId);
    throw error;
  }
}

// An order changed, perhaps was cancelled, while the intent was created: one that not all of them name must never be
// paid.
async function closeUnnamed(
  deps: OrderDependencies,
  orders: readonly OrderResult[],
  intentId: string,
): Promise<void> {
  const now = await Promise.all(orders.map(({ order }) => deps.orders.load(order.orderId)));
  if (now.some(({ order }) => order.intents.open?.intentId !== intentId))
    await deps.payments.cancelIntent(intentId);
}

/** Of the order that changed last: who has read so far has read of all. */
export const latest = (results: readonly OrderResult[]): OrderResult =>
  results.reduce((one, other) => (one.position > other.position ? one : other));

export const createPaymentIntent = holderRoute(ordering.createPaymentIntent, ({ deps }) => async (call) => {
  const { amountPence } = call.body;
  const { clientSecret, position } = await requestPayment(deps, call.orderId, amountPence, behalfOf(call));
  return { body: { clientSecret }, position };
});
