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

/**
 * Carries out a colleague's proposal (a refund, a bank transfer, the outcome of a dispute), as the second person.
 * @throws Refused `second-person-needed` for its proposer, `proposal-declined`, `no-such-proposal`, and the refusals of
 * the proposed action
 */
export const approveProposal = (
  deps: OrderDependencies,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> => settle(deps, orderId, "ApproveProposal", proposal, act);

/** Declines a proposal; its proposer may do so too. @throws Refused `proposal-approved`, `no-such-proposal` */
export const declineProposal = (
  deps: OrderDependencies,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> => settle(deps, orderId, "DeclineProposal", proposal, act);

const settle = (
  deps: OrderDependencies,
  orderId: string,
  type: "ApproveProposal" | "DeclineProposal",
  proposal: number,
  act: StaffAct,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, type, act),
    by: behalfOfStaff(act),
    command: { type, data: { proposal } },
  });
