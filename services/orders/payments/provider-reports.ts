import * as ordering from "../../../contract/orders/ordering.ts";
import { divide, type Share, totalOf } from "../../../domain/checkout/shares.ts";
import { refundId as refundIdSchema } from "../../../domain/fields.ts";
import { keptPence } from "../../../domain/order/payment/money.ts";
import { refundIdPrefix } from "../../../domain/order/payment/provider-keys.ts";
import type { Order } from "../../../domain/order/state.ts";
import { disputeReasonOf, refundFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import type { Intent, ProviderDispute, ProviderRefund } from "../../providers/stripe/payments.ts";
import { commandIds, uncompared } from "../command-ids.ts";
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
export async function sharesOf(
  { checkouts }: Pick<OrderDependencies, "checkouts">,
  { id, orderId, checkoutId, amountPence }: Intent,
): Promise<readonly Share[]> {
  if (checkoutId === undefined) return orderId === undefined ? [] : [{ orderId, amountPence }];
  const checkout = await checkouts.find(checkoutId);
  const asked = checkout?.intents.find(({ intentId }) => intentId === id);
  return asked ? divide(amountPence, asked.shares) : [];
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
  refuseMismatch(deps, orderId, intent, shares);
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

/** On behalf of the same party in another order of its checkout: a customer is named by the order. */
export const onBehalfIn = (by: OnBehalf, orderId: string): OnBehalf =>
  by.actor.kind === "customer" ? { ...by, actor: { kind: "customer", id: orderId } } : by;

/** Ends once all have ended. @throws the first error */
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
  intent: Intent,
  shares: readonly Share[],
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

/**
 * Records the outcome of a refund, as the provider reports it. Policy and webhook derive the same command.
 * @returns undefined while the provider does not know it yet
 */
export async function recordRefund(
  deps: OrderDependencies,
  orderId: string,
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  if (refund.status === "pending") return undefined;
  const commandId = commandIds.refundSettled(refund.id, refund.status);
  // A refund made directly at the provider carries no id of ours, or free text.
  const refundId = refundIdSchema.safeParse(refund.refundId).data ?? null;
  const { id: providerRefundId, intentId, amountPence } = refund;
  if (refund.status === "succeeded") {
    const command = {
      type: "RecordRefund" as const,
      data: { refundId, providerRefundId, intentId, amountPence },
    };
    return deps.orders.execute({ orderId, commandId, by, fingerprint: uncompared, command });
  }
  const code = refundFailureCodeOf(refund.failureCode);
  const data = { refundId, providerRefundId, intentId, amountPence, code };
  const command = { type: "RecordRefundFailure" as const, data };
  return deps.orders.execute({ orderId, commandId, by, fingerprint: uncompared, command });
}

/**
 * Records a refund that the provider announced in the order that asked for it. One made by hand at the provider names
 * none: where several were paid for together, each takes what it still has, in their sequence.
 */
export async function recordAnnouncedRefund(
  deps: OrderDependencies,
  shares: readonly Share[],
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const { id, refundId, intentId, amountPence } = refund;
  const asked = shares.find(({ orderId }) => refundId?.startsWith(refundIdPrefix(orderId)));
  const parts = asked
    ? [{ orderId: asked.orderId, amountPence }]
    : await partsOf(deps, shares, { intentId, amountPence }, ({ refunds }) =>
        refunds.find(({ providerRefundId }) => providerRefundId === id),
      );
  const recorded = await allOf(
    parts.map((part) => recordRefund(deps, part.orderId, { ...refund, amountPence: part.amountPence }, by)),
  );
  return recorded[0];
}

/** Divides a sum of a payment among its orders: as recorded before, else of what each still has of it. */
async function partsOf(
  { orders }: Pick<OrderDependencies, "orders">,
  shares: readonly Share[],
  { intentId, amountPence }: { readonly intentId: string; readonly amountPence: number },
  recordedIn: (order: Order) => { readonly amountPence: number } | undefined,
): Promise<readonly Share[]> {
  const [only, ...others] = shares;
  if (only && others.length === 0) return [{ orderId: only.orderId, amountPence }];
  const loaded = await Promise.all(shares.map(({ orderId }) => orders.load(orderId)));
  const known: Share[] = [];
  const left: Share[] = [];
  for (const { order } of loaded) {
    const { orderId } = order;
    const earlier = recordedIn(order);
    if (earlier) known.push({ orderId, amountPence: earlier.amountPence });
    else left.push({ orderId, amountPence: keptPence(order, intentId) });
  }
  return [...known, ...divide(Math.max(0, amountPence - totalOf(known)), left)];
}

/**
 * Records a dispute as the provider reports it, in every order that its payment pays for, each with its share. The order
 * recognises repeats, in any sequence; the command has no fixed id, because a later report may carry another amount.
 * @param known of the intent, if the caller has them
 * @returns the result for the order asked about
 */
export async function recordDispute(
  deps: OrderDependencies,
  orderId: string,
  intentId: string,
  { id: disputeId, amountPence, reason, outcome }: ProviderDispute,
  by: OnBehalf,
  known?: readonly Share[],
): Promise<OrderResult> {
  const shares = known ?? (await sharesOf(deps, await deps.payments.retrieveIntent(intentId)));
  const paid = shares.some((share) => share.orderId === orderId) ? shares : [{ orderId, amountPence }];
  const parts = await partsOf(deps, paid, { intentId, amountPence }, ({ disputes }) =>
    disputes.find((dispute) => dispute.disputeId === disputeId),
  );
  const results = await allOf(
    parts.map((part) =>
      deps.orders.execute({
        orderId: part.orderId,
        commandId: deps.newId(),
        by,
        command: {
          type: "RecordDispute",
          data: {
            ...{ disputeId, intentId, amountPence: part.amountPence },
            ...{ reason: disputeReasonOf(reason), outcome: outcome ?? null },
          },
        },
      }),
    ),
  );
  return results.find(({ order }) => order.orderId === orderId) ?? deps.orders.load(orderId);
}
