import { recordRefund } from "../../orders/payments/record-refund.ts";
import { PaymentsRefused } from "../../providers/stripe/payments.ts";
import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";

/** Makes a refund at the provider, which is asked for an earlier one by its id first, and records what became of it. */
export async function refund({ desk, log }: DutyParts, errand: Errand<"refund">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const { refundId, intentId, amountPence } = duty;
  try {
    const made = await desk.payments.refund({ refundId, intentId, amountPence });
    return (await recordRefund(desk, order.orderId, made, by)) ? "told" : "later";
  } catch (error) {
    if (!(error instanceof PaymentsRefused) || error.code === "unauthorized") throw error;
    log.error(
      { orderId: order.orderId, refundId, code: error.code },
      "the payment provider refused a refund",
    );
    const data = { refundId, providerRefundId: null, intentId, amountPence, code: "other" as const };
    await desk.orders.tell({
      orderId: order.orderId,
      commandId,
      by,
      command: { type: "RecordRefundFailure", data },
    });
    return "told";
  }
}
