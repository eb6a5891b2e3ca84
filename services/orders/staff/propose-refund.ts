import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Amount and payment to refund. `approvalAbovePence` is the limit from the settings; null if one person decides alone.
 */
export type RefundWish = {
  readonly intentId: string;
  readonly amountPence: number;
  readonly approvalAbovePence: number | null;
};

/**
 * Refunds by a staff decision: at once up to the limit, above it after a second person's approval. Earlier staff
 * refunds of the same order count towards the limit.
 * @throws Refused `dispute-open`, `above-captured`
 */
export const proposeRefund = (
  deps: OrderDependencies,
  orderId: string,
  { approvalAbovePence, ...wanted }: RefundWish,
  act: StaffAct,
): Promise<OrderResult> => {
  const data = { ...wanted, reason: "staffDecision" } as const;
  return deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, "refund", act),
    by: behalfOfStaff(act),
    // The limit is not part of the request: a repeat after it was changed is still a repeat.
    fingerprint: () => fingerprintOf({ type: "RequestRefund", data }),
    command: { type: "RequestRefund", data: { ...data, approvalAbovePence } },
  });
};
