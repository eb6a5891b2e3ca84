import type { Order } from "../../../domain/order/state.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { SubmissionRefused, SubmissionUncertain } from "../../providers/gro/automation.ts";
import type { TaskDependencies } from "../task-dependencies.ts";
import { findEarlierAcceptance } from "./earlier-acceptance.ts";
import { recordAcceptance } from "./submission-outcome.ts";

/**
 * Checks, before a paid order is failed and refunded, whether the GRO has it although a restored log does not know. A
 * service that does not answer does not delay the refund: the order has waited for days already.
 * @returns true when the GRO has it and the order now records it
 */
export async function takeUpForgottenSubmission(
  { deps, automation, settings, log }: TaskDependencies,
  order: Order,
  by: OnBehalf,
): Promise<boolean> {
  // No service to ask: staff have recorded what they submitted.
  if (settings.submissionByHand) return false;
  const { orderId } = order;
  try {
    const earlier = await findEarlierAcceptance(automation, order);
    if (!earlier) return false;
    const { attempt, key, accepted } = earlier;
    await recordAcceptance(deps, { orderId, attempt, key, by }, accepted);
    return true;
  } catch (error) {
    if (!(error instanceof SubmissionUncertain || error instanceof SubmissionRefused)) throw error;
    log.error({ orderId, code: error.code }, "an order is given up without asking whether the GRO has it");
    return false;
  }
}
