import { disputeReasonOf } from "../../../domain/order/vocabulary.ts";
import type { ProviderDispute } from "../../providers/stripe/payments.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";

/**
 * Records a dispute as the provider tells it. The order itself knows what it was told before, whichever report comes first: the same command
 * may carry another amount later, and so has no id to be compared under.
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
