import { disputeReasonOf } from "../../../domain/order/vocabulary.ts";
import type { ProviderDispute } from "../../providers/stripe/payments.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";

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
