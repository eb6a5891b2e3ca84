import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/** What goes back of which payment. `approvalAbovePence` is the settings' limit; null where one person decides alone. */
export type RefundWish = {
  readonly intentId: string;
  readonly amountPence: number;
  readonly approvalAbovePence: number | null;
};

/**
 * Gives money back by the decision of somebody who works here: at once up to the limit, above it a second person has to approve. What staff gave
 * back of the same order before counts towards the limit.
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
    // The limit is not what somebody asked for: a repeat after it was changed is still a repeat.
    fingerprint: () => fingerprintOf({ type: "RequestRefund", data }),
    command: { type: "RequestRefund", data: { ...data, approvalAbovePence } },
  });
};
