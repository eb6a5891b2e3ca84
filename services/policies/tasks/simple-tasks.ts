import { keptPence } from "../../../domain/order/payment/money.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { confirmIntent, PaymentProcessing } from "../../orders/payments/provider-reports.ts";
import { divideRefund, recordRefund } from "../../orders/payments/returns.ts";
import { requestSubmission } from "../../orders/submission/submit-order.ts";
import { type Intent, PaymentsRefused } from "../../providers/stripe/payments.ts";
import type { Outcome, OwedTask, TaskDependencies } from "../task-dependencies.ts";
import { takeUpForgottenSubmission } from "./submission-outcome.ts";

/** Tasks of a few lines each; some ask the card provider or the GRO. */

/** Requests submission of a paid order whose customer left before confirming. */
export async function submissionRequest(
  { deps }: TaskDependencies,
  { order, by }: OwedTask<"requestSubmission">,
): Promise<Outcome> {
  await requestSubmission(deps, order.orderId, by);
  return "done";
}

/** Ends the saved drafts that a paid order completes; a policy of theirs purges them. Some may never have arrived. */
export async function endDrafts(
  { deps }: Pick<TaskDependencies, "deps">,
  { order: { orderId }, task, by, commandId }: OwedTask<"endDrafts">,
): Promise<Outcome> {
  for (const draftId of task.draftIds) {
    if (!(await deps.drafts.find(draftId))) continue;
    const command = { type: "EndDraft" as const, data: { rule: "ordered" as const } };
    await deps.drafts.execute({ draftId, commandId: `${commandId}-${draftId}`, by, command });
  }
  await deps.orders.execute({
    orderId,
    commandId,
    by,
    command: { type: "RecordSavedDraftsEnded", data: {} },
  });
  return "done";
}

export async function fulfil(
  { deps }: TaskDependencies,
  { order, by, commandId }: OwedTask<"fulfil">,
): Promise<Outcome> {
  await deps.orders.execute({
    orderId: order.orderId,
    commandId,
    by,
    command: { type: "FulfilOrder", data: {} },
  });
  return "done";
}

export async function requestRefund(
  { deps }: TaskDependencies,
  { order, task, by, commandId }: OwedTask<"requestRefund">,
): Promise<Outcome> {
  const { intentId, amountPence, reason } = task;
  const command = {
    type: "RequestRefund" as const,
    data: { intentId, amountPence, reason, approvalAbovePence: null },
  };
  await deps.orders.execute({ orderId: order.orderId, commandId, by, command });
  return "done";
}

/** Cancels an order that ran out of time. A payment found at the provider is confirmed first. */
export async function cancel(parts: TaskDependencies, owed: OwedTask<"cancel">): Promise<Outcome> {
  const { order, task, by } = owed;
  if (task.reason === "unconfirmed" && (await takeUpForgottenSubmission(parts, order, by))) return "done";
  try {
    await settleForgottenIntents(parts, owed);
    await cancelOrder(parts.deps, order.orderId, task.reason, by);
    return "done";
  } catch (error) {
    if (error instanceof PaymentProcessing) return "later";
    throw error;
  }
}

/**
 * Resolves intents that the order's log does not name, or does not name as paid. The open one is left to the
 * cancellation.
 */
async function settleForgottenIntents(
  { deps }: TaskDependencies,
  { order, by }: OwedTask<"cancel">,
): Promise<void> {
  const paid = new Set(order.payments.map(({ intentId }) => intentId));
  for (const intent of await deps.payments.intentsOf(order.orderId)) {
    if (paid.has(intent.id) || intent.id === order.intents.open?.intentId) continue;
    const closed: Intent = intent.status === "unpaid" ? await deps.payments.cancelIntent(intent.id) : intent;
    if (closed.status === "processing") throw new PaymentProcessing("The card is being charged.");
    if (closed.status === "succeeded") await confirmIntent(deps, order.orderId, closed, by);
  }
}

/** Erases a replaced record and records the proof. A failure is retried. */
export async function destroyRecord(
  { deps }: TaskDependencies,
  { order: { orderId }, task: { ref: recordRef }, by, commandId }: OwedTask<"destroyRecord">,
): Promise<Outcome> {
  const { keyFingerprint, probe } = await deps.vault.destroy([recordRef]);
  const data = { recordRef, keyFingerprint, probe };
  await deps.orders.execute({ orderId, commandId, by, command: { type: "PurgeReplacedRecord", data } });
  return "done";
}

export async function fail(parts: TaskDependencies, owed: OwedTask<"fail">): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const { cause, reason } = task;
  if (reason === "submissionFailed" && (await takeUpForgottenSubmission(parts, order, by))) return "done";
  const command = { type: "FailOrder" as const, data: { cause, reason } };
  await parts.deps.orders.execute({ orderId: order.orderId, commandId, by, command });
  return "done";
}

/** Divides a refund made by hand at the provider that staff have assigned to no order. */
export async function divideReturn(
  { deps }: TaskDependencies,
  { task, by }: OwedTask<"divideReturn">,
): Promise<Outcome> {
  const { providerRefundId, intentId, amountPence } = task;
  await divideRefund(deps, { providerRefundId, intentId, amountPence }, by);
  return "done";
}

/**
 * Makes a refund at the provider, first asking by id for an earlier one, and records the result. A refund by hand may
 * have taken what was to go back: where several orders were paid for together, the provider does not know how much of
 * the payment is one order's.
 */
export async function refund({ deps, log }: TaskDependencies, owed: OwedTask<"refund">): Promise<Outcome> {
  const { order, task, by, commandId } = owed;
  const { refundId, intentId, amountPence } = task;
  try {
    const made =
      amountPence > keptPence(order, intentId)
        ? (await deps.payments.refundsOf(intentId)).find((earlier) => earlier.refundId === refundId)
        : await deps.payments.refund({ refundId, intentId, amountPence });
    if (!made) throw new PaymentsRefused("nothingLeftToRefund");
    return (await recordRefund(deps, order.orderId, made, by)) ? "done" : "later";
  } catch (error) {
    if (!(error instanceof PaymentsRefused) || error.code === "unauthorized") throw error;
    log.error({ orderId: order.orderId, refundId, code: error.code }, "a refund was refused");
    const data = { refundId, providerRefundId: null, intentId, amountPence, code: "other" as const };
    await deps.orders.execute({
      orderId: order.orderId,
      commandId,
      by,
      command: { type: "RecordRefundFailure", data },
    });
    return "done";
  }
}
