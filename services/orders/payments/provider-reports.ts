import * as ordering from "../../../contract/orders/ordering.ts";
import type { Checkout } from "../../../domain/checkout/checkout.ts";
import { divide, type Share } from "../../../domain/checkout/shares.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import type { Intent } from "../../providers/stripe/payments.ts";
import { commandIds, goingOn, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { presentStatus } from "../requests/present-orders.ts";

/** The provider has no payment for this order, or none was ever requested. */
export class PaymentNotReceived extends Error {
  override name = "PaymentNotReceived";
  /** The order's phase. */
  readonly phase: string;
  constructor(phase: string, message: string) {
    super(message);
    this.phase = phase;
  }
}

/** The provider does not know yet whether the card will be charged; what depends on it must wait. */
export class PaymentProcessing extends Error {
  override name = "PaymentProcessing";
}

/** The intent is another order's, or not in pounds. Nothing that is reported about it is trusted. */
export class PaymentMismatch extends Error {
  override name = "PaymentMismatch";
}

/**
 * What each order has of an intent's money: all of it, or its share of a checkout's. Empty for an intent that our log does
 * not know.
 */
async function sharesOf(
  { checkouts }: Pick<OrderDependencies, "checkouts">,
  { id, orderId, checkoutId, amountPence }: Intent,
): Promise<readonly Share[]> {
  if (checkoutId === undefined) return orderId === undefined ? [] : [{ orderId, amountPence }];
  const asked =
    intentIn(await checkouts.lastSeen(checkoutId), id) ?? intentIn(await checkouts.find(checkoutId), id);
  return asked ? divide(amountPence, asked.shares) : [];
}

const intentIn = (checkout: Checkout | undefined, id: string) =>
  checkout?.intents.find(({ intentId }) => intentId === id);

/** An intent, and what each order has of its money. */
export type Paid = { readonly intent: Intent; readonly shares: readonly Share[] };

export async function paidWith(deps: OrderDependencies, intentId: string): Promise<Paid> {
  const intent = await deps.payments.retrieveIntent(intentId);
  return { intent, shares: await sharesOf(deps, intent) };
}

/**
 * Confirms a payment solely from the provider's intent, for every order that it pays for. Webhook and browser derive the
 * same commands, so the second changes nothing. A wrong amount is recorded too, and refunded by the order.
 * @returns the result for the order asked about
 * @throws PaymentMismatch if the intent is not this order's, or not in pounds: nothing is recorded
 */
export async function confirmIntent(
  deps: OrderDependencies,
  orderId: string,
  intent: Intent,
  by: OnBehalf,
): Promise<OrderResult> {
  const shares = await sharesOf(deps, intent);
  refuseMismatch(deps, orderId, { intent, shares });
  const results = await allOf(
    shares.map((share) =>
      deps.orders.execute({
        orderId: share.orderId,
        commandId: commandIds.paymentConfirmed(intent.id),
        by: share.orderId === orderId ? by : onBehalfIn(by, share.orderId),
        fingerprint: uncompared,
        command: {
          type: "ConfirmPayment",
          data: { intentId: intent.id, amountPence: share.amountPence },
        },
      }),
    ),
  );
  return results.find(({ order }) => order.orderId === orderId) ?? deps.orders.load(orderId);
}

/** On behalf of the same party in another order of its checkout: a customer is named by the order, staff saw another. */
export const onBehalfIn = (by: OnBehalf, orderId: string): OnBehalf =>
  by.actor.kind === "customer" ? { ...by, actor: { kind: "customer", id: orderId } } : goingOn(by);

/** Ends once all have ended: an order that cannot be read holds no other up. @throws the first error */
export async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/**
 * Asks the provider whether an order is paid, unless that is known, and confirms the payment.
 * @throws PaymentNotReceived, PaymentProcessing; PaymentsUnavailable when the provider cannot be asked
 */
export async function confirmOrderPayment(
  deps: OrderDependencies,
  orderId: string,
  by: OnBehalf,
): Promise<OrderResult> {
  const seen = await deps.orders.lastSeen(orderId);
  if (seen.order.paidAt !== null) return seen;
  const asked = seen.order.intents.open;
  const answer = asked ? await deps.payments.retrieveIntent(asked.intentId) : undefined;
  if (answer?.status === "succeeded") return confirmIntent(deps, orderId, answer, by);
  // Perhaps another payment was asked for since.
  const result = await deps.orders.load(orderId);
  const { phase, intents, paidAt } = result.order;
  const { open } = intents;
  if (paidAt !== null) return result;
  if (open === null) throw new PaymentNotReceived(phase, "No payment was asked for.");
  const isAnswered = open.intentId === asked?.intentId;
  const intent = isAnswered && answer ? answer : await deps.payments.retrieveIntent(open.intentId);
  if (intent.status === "processing") throw new PaymentProcessing("The provider does not know yet.");
  if (intent.status !== "succeeded") throw new PaymentNotReceived(phase, "The provider has no money for it.");
  return confirmIntent(deps, orderId, intent, by);
}

/** @throws PaymentMismatch if the intent does not pay for this order, or is not in pounds */
export function refuseMismatch(
  deps: Pick<OrderDependencies, "log">,
  orderId: string,
  { intent, shares }: Paid,
): void {
  const isOwn = shares.some((share) => share.orderId === orderId);
  const wrong = [!isOwn && "order", intent.currency !== "gbp" && "currency"];
  const differences = wrong.filter((name) => name !== false);
  if (differences.length === 0) return;
  deps.log.error({ orderId, intentId: intent.id, differences }, "payment does not match its order");
  throw new PaymentMismatch(`The intent has another ${differences.join(" and ")} than the order.`);
}

/** The browser reports a payment; the provider confirms it. */
export const reportPaid = holderRoute(ordering.reportPaid, ({ deps }) => async (call) => {
  const { order, position } = await confirmOrderPayment(deps, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});
