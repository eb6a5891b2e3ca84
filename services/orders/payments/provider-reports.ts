import { refundId as refundIdSchema } from "../../../domain/fields.ts";
import { disputeReasonOf, refundFailureCodeOf } from "../../../domain/order/vocabulary.ts";
import type { ProviderDispute, ProviderRefund } from "../../providers/stripe/payments.ts";
import { commandIds, uncompared } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";

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
