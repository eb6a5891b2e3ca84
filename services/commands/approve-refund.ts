import type { Desk } from "./desk.ts";
import type { Told } from "./orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";

/**
 * Lets a proposed refund go, as the second person.
 * @throws Refused `second-person-needed` for whoever proposed it, `dispute-open`, `above-captured`, `proposal-declined`, `no-such-proposal`
 */
export const approveRefund = (desk: Desk, orderId: string, proposal: number, act: StaffAct): Promise<Told> =>
  settle(desk, orderId, "ApproveRefund", proposal, act);

/** Says no to a proposed refund; whoever proposed it may, too. @throws Refused `proposal-approved`, `no-such-proposal` */
export const declineRefund = (desk: Desk, orderId: string, proposal: number, act: StaffAct): Promise<Told> =>
  settle(desk, orderId, "DeclineRefund", proposal, act);

const settle = (
  desk: Desk,
  orderId: string,
  type: "ApproveRefund" | "DeclineRefund",
  proposal: number,
  act: StaffAct,
): Promise<Told> =>
  desk.orders.tell({
    orderId,
    commandId: staffCommandId(desk, orderId, type, act),
    by: behalfOfStaff(act),
    command: { type, data: { proposal } },
  });
