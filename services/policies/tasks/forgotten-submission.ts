import type { Order } from "../../../domain/order/state.ts";
import type { OnBehalf } from "../../orders/orders.ts";
import { SubmissionRefused, SubmissionUncertain } from "../../providers/gro/automation.ts";
import type { DutyParts } from "../task-dependencies.ts";
import { findEarlierAcceptance } from "./earlier-acceptance.ts";
import { recordAcceptance } from "./submission-outcome.ts";

/**
 * Before a paid order is given up and its money goes back: the GRO may have it, though a restored log knows nothing of it. A
 * service that does not answer does not hold the refund up: the order waited for days already.
 * @returns true when the GRO has it, and the order knows now
 */
export async function takeUpForgottenSubmission(
  { desk, automation, settings, log }: DutyParts,
  order: Order,
  by: OnBehalf,
): Promise<boolean> {
  // There is nobody to ask: what staff gave the GRO they have told.
  if (settings.submissionByHand) return false;
  const { orderId } = order;
  try {
    const earlier = await findEarlierAcceptance(automation, order);
    if (!earlier) return false;
    const { attempt, key, accepted } = earlier;
    await recordAcceptance(desk, { orderId, attempt, key, by }, accepted);
    return true;
  } catch (error) {
    if (!(error instanceof SubmissionUncertain || error instanceof SubmissionRefused)) throw error;
    log.error({ orderId, code: error.code }, "an order is given up without asking whether the GRO has it");
    return false;
  }
}
