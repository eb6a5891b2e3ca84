import type { Desk } from "../dependencies.ts";
import type { Told } from "../orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Carries out what a colleague proposed (a refund, a bank transfer, the outcome of a dispute), as the second person.
 * @throws Refused `second-person-needed` for whoever proposed it, `proposal-declined`, `no-such-proposal`, and what would refuse it without a proposal
 */
export const approveProposal = (
  desk: Desk,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<Told> => settle(desk, orderId, "ApproveProposal", proposal, act);

/** Says no to a proposal; whoever proposed it may, too. @throws Refused `proposal-approved`, `no-such-proposal` */
export const declineProposal = (
  desk: Desk,
  orderId: string,
  proposal: number,
  act: StaffAct,
): Promise<Told> => settle(desk, orderId, "DeclineProposal", proposal, act);

const settle = (
  desk: Desk,
  orderId: string,
  type: "ApproveProposal" | "DeclineProposal",
  proposal: number,
  act: StaffAct,
): Promise<Told> =>
  desk.orders.tell({
    orderId,
    commandId: staffCommandId(desk, orderId, type, act),
    by: behalfOfStaff(act),
    command: { type, data: { proposal } },
  });
