import { requestSubmission } from "../../orders/submission/request-submission.ts";
import type { DutyParts, Errand, Outcome } from "../task-dependencies.ts";

/** Duties that ask nobody outside: the order decides. */

/** Asks for the submission of a paid order whose customer went away. */
export async function submissionRequest(
  { desk }: DutyParts,
  { order, by }: Errand<"requestSubmission">,
): Promise<Outcome> {
  await requestSubmission(desk, order.orderId, by);
  return "told";
}

/** Completes an order whose certificate is in the post. */
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

/** Asks for a refund that is due without anybody choosing so. */
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
