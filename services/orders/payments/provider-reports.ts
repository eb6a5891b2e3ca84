import * as ordering from "../../../contract/orders/ordering.ts";
import { refundId as refundIdSchema } from "../../../domain/fields.ts";
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
 * Confirms a payment solely from the provider's intent. Webhook and browser derive the same command, so the second
 * changes nothing. A wrong amount is recorded too, and refunded by the order.
 * @throws PaymentMismatch if the intent is not this order's, or not in pounds: nothing is recorded
 */
export async function confirmIntent(
  deps: OrderDependencies,
  orderId: string,
  intent: Intent,
  by: OnBehalf,
): Promise<OrderResult> {
  refuseMismatch(deps, orderId, intent);
  return deps.orders.execute({
    orderId,
    commandId: commandIds.paymentConfirmed(intent.id),
    by,
    fingerprint: uncompared,
    command: { type: "ConfirmPayment", data: { intentId: intent.id, amountPence: intent.amountPence } },
  });
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

/** @throws PaymentMismatch if the intent is not this order's, or not in pounds */
export function refuseMismatch(
  { log }: Pick<OrderDependencies, "log">,
  orderId: string,
  intent: Intent,
): void {
  const wrong = [intent.orderId !== orderId && "order", intent.currency !== "gbp" && "currency"];
  const differences = wrong.filter((name) => name !== false);
  if (differences.length === 0) return;
  log.error({ orderId, intentId: intent.id, differences }, "payment does not match its order");
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
 * Records a dispute as the provider reports it. The order recognises repeats, in any sequence; the command has no fixed
 * id, because a later report may carry another amount.
 */
export const recordDispute = (
  deps: OrderDependencies,
  orderId: string,
  intentId: string,
  { id: disputeId, amountPence, reason, outcome }: ProviderDispute,
  by: OnBehalf,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: deps.newId(),
    by,
    command: {
      type: "RecordDispute",
      data: { disputeId, intentId, amountPence, reason: disputeReasonOf(reason), outcome: outcome ?? null },
    },
  });
