import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

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
