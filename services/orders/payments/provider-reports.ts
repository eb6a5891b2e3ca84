import * as ordering from "../../../contract/orders/ordering.ts";
import type { Checkout } from "../../../domain/checkout/checkout.ts";
import { divide, type Share, totalOf } from "../../../domain/checkout/shares.ts";
import { refundId as refundIdSchema } from "../../../domain/fields.ts";
import { keptPence } from "../../../domain/order/payment/money.ts";
import { refundIdPrefix } from "../../../domain/order/payment/provider-keys.ts";
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

/** On behalf of the same party in another order of its checkout: a customer is named by the order. */
export const onBehalfIn = (by: OnBehalf, orderId: string): OnBehalf =>
  by.actor.kind === "customer" ? { ...by, actor: { kind: "customer", id: orderId } } : by;

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
  paid: Paid,
  refund: ProviderRefund,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const { amountPence } = refund;
  const orderId = askedBy(paid, refund);
  const parts = orderId !== undefined ? [{ orderId, amountPence }] : await partsOf(deps, paid, refund, by);
  const recorded = await allOf(
    parts.map((part) => recordRefund(deps, part.orderId, { ...refund, amountPence: part.amountPence }, by)),
  );
  return recorded[0];
}

/** The order that asked for a refund; undefined for one made by hand. */
const askedBy = ({ shares }: Paid, { refundId }: ProviderRefund): string | undefined =>
  shares.find(({ orderId }) => refundId?.startsWith(refundIdPrefix(orderId)))?.orderId;

/** Records what the provider knows of a payment and its orders may not: that it was made, and what they gave back. */
async function recordKnown(
  deps: OrderDependencies,
  paid: Paid,
  orderId: string,
  by: OnBehalf,
): Promise<void> {
  const { intent } = paid;
  if (intent.status === "succeeded") await confirmIntent(deps, orderId, intent, by);
  for (const refund of await deps.payments.refundsOf(intent.id)) {
    const asking = askedBy(paid, refund);
    if (asking !== undefined) await recordRefund(deps, asking, refund, by);
  }
}

/**
 * Divides among the orders of a payment what a refund by hand or a dispute takes back of it: each gives what it still
 * has, in their sequence. Their checkout decides it, so that concurrent reports are divided alike.
 * @throws StreamUnreadable where one of them cannot be read: what it still has is not known
 */
async function partsOf(
  deps: OrderDependencies,
  { intent, shares }: Paid,
  { id: returnId, amountPence }: Pick<ProviderRefund | ProviderDispute, "id" | "amountPence">,
  by: OnBehalf,
): Promise<readonly Share[]> {
  const [first, ...others] = shares;
  if (!first) return [];
  const { checkoutId } = intent;
  if (checkoutId === undefined || others.length === 0) return [{ orderId: first.orderId, amountPence }];
  const { returns } = (await deps.checkouts.find(checkoutId)) ?? {};
  const earlier = returns?.get(returnId) ?? [];
  if (totalOf(earlier) === amountPence) return earlier;
  await recordKnown(deps, { intent, shares }, first.orderId, by);
  const untouched = shares.filter(({ orderId }) => earlier.every((part) => part.orderId !== orderId));
  const left = await Promise.all(
    untouched.map(async ({ orderId }) => {
      const { order } = await deps.orders.load(orderId);
      return { orderId, amountPence: keptPence(order, intent.id) };
    }),
  );
  const parts = [...earlier, ...divide(Math.max(0, amountPence - totalOf(earlier)), left)];
  const { checkout } = await deps.checkouts.execute({
    checkoutId,
    commandId: deps.newId(),
    by,
    command: { type: "DivideReturn", data: { returnId, shares: parts } },
  });
  return checkout.returns.get(returnId) ?? parts;
}

/**
 * Records a dispute as the provider reports it, in every order that its payment pays for, each with its share. The order
 * recognises repeats, in any sequence; the command has no fixed id, because a later report may carry another amount.
 * @param known the payment, if the caller has it
 * @returns the result for the order asked about
 */
export async function recordDispute(
  deps: OrderDependencies,
  orderId: string,
  intentId: string,
  dispute: ProviderDispute,
  by: OnBehalf,
  known?: Paid,
): Promise<OrderResult> {
  const paid = known ?? (await paidWith(deps, intentId));
  const { id: disputeId, amountPence, reason, outcome } = dispute;
  const isOwn = paid.shares.some((share) => share.orderId === orderId);
  const parts = isOwn ? await partsOf(deps, paid, dispute, by) : [{ orderId, amountPence }];
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
