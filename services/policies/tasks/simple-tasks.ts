import { cancelOrder } from "../../orders/cancel-order.ts";
import { confirmIntent } from "../../orders/payments/confirm-payment.ts";
import { PaymentProcessing } from "../../orders/payments/payment-outcomes.ts";
import { recordRefund } from "../../orders/payments/record-refund.ts";
import { requestSubmission } from "../../orders/submission/request-submission.ts";
import { type Intent, PaymentsRefused } from "../../providers/stripe/payments.ts";
import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";
import { takeUpForgottenSubmission } from "./forgotten-submission.ts";

/** Tasks that need no outside service: the order decides. */

/** Requests submission of a paid order whose customer left before confirming. */
export async function submissionRequest(
  { desk }: DutyParts,
  { order, by }: Errand<"requestSubmission">,
): Promise<Outcome> {
  await requestSubmission(desk, order.orderId, by);
  return "told";
}

export async function fulfil(
  { desk }: DutyParts,
  { order, by, commandId }: Errand<"fulfil">,
): Promise<Outcome> {
  await desk.orders.tell({
    orderId: order.orderId,
    commandId,
    by,
    command: { type: "FulfilOrder", data: {} },
  });
  return "told";
}

export async function requestRefund(
  { desk }: DutyParts,
  { order, duty, by, commandId }: Errand<"requestRefund">,
): Promise<Outcome> {
  const { intentId, amountPence, reason } = duty;
  const command = {
    type: "RequestRefund" as const,
    data: { intentId, amountPence, reason, approvalAbovePence: null },
  };
  await desk.orders.tell({ orderId: order.orderId, commandId, by, command });
  return "told";
}

/** Cancels an order that ran out of time. A payment found at the provider is confirmed first. */
export async function cancel(parts: DutyParts, errand: Errand<"cancel">): Promise<Outcome> {
  const { order, duty, by } = errand;
  if (duty.reason === "unconfirmed" && (await takeUpForgottenSubmission(parts, order, by))) return "told";
  try {
    await settleForgottenIntents(parts, errand);
    await cancelOrder(parts.desk, order.orderId, duty.reason, by);
    return "told";
  } catch (error) {
    if (error instanceof PaymentProcessing) return "later";
    throw error;
  }
}

/**
 * Resolves intents that the order's log does not name, or does not name as paid. The open one is left to the
 * cancellation.
 */
async function settleForgottenIntents({ desk }: DutyParts, { order, by }: Errand<"cancel">): Promise<void> {
  const paid = new Set(order.payments.map(({ intentId }) => intentId));
  for (const intent of await desk.payments.intentsOf(order.orderId)) {
    if (paid.has(intent.id) || intent.id === order.intents.open?.intentId) continue;
    const closed: Intent = intent.status === "unpaid" ? await desk.payments.cancelIntent(intent.id) : intent;
    if (closed.status === "processing") throw new PaymentProcessing("The card is being charged.");
    if (closed.status === "succeeded") await confirmIntent(desk, order.orderId, closed, by);
  }
}

/** Erases a replaced record and records the proof. A failure is retried. */
export async function destroyRecord(
  { desk }: DutyParts,
  { order: { orderId }, duty: { ref: recordRef }, by, commandId }: Errand<"destroyRecord">,
): Promise<Outcome> {
  const { keyFingerprint, probe } = await desk.vault.destroy([recordRef]);
  const data = { recordRef, keyFingerprint, probe };
  await desk.orders.tell({ orderId, commandId, by, command: { type: "PurgeReplacedRecord", data } });
  return "told";
}

export async function fail(parts: DutyParts, errand: Errand<"fail">): Promise<Outcome> {
  const { order, duty, by, commandId } = errand;
  const { cause, reason } = duty;
  if (reason === "submissionFailed" && (await takeUpForgottenSubmission(parts, order, by))) return "told";
  const command = { type: "FailOrder" as const, data: { cause, reason } };
  await parts.desk.orders.tell({ orderId: order.orderId, commandId, by, command });
  return "told";
}

/** Makes a refund at the provider, first asking by id for an earlier one, and records the result. */
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
