import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { Desk } from "../dependencies.ts";
import type { OnBehalf, Told } from "../orders.ts";
import { submissionCommand } from "../submission/submission-command.ts";
import { behalfOfStaff, goingOn, type StaffAct, staffCommandId } from "./staff-act.ts";

/** What staff gave the GRO by hand. */
export type ManualSubmission = {
  /** What the GRO calls it; null when it gave no reference. Sealed, for it leads to a person. */
  readonly groOrderReference: string | null;
  readonly submittedAt: string;
};

/** Begins an attempt by hand: until its outcome is told nothing else is sent. @throws Refused while one is open, and once the GRO has it */
export async function startManualSubmission(desk: Desk, orderId: string, act: StaffAct): Promise<Told> {
  const commandId = staffCommandId(desk, orderId, "start-submission", act);
  const told = await desk.orders.load(orderId);
  // Its number has moved on since: told again it would be another command.
  if (await desk.orders.knows(orderId, commandId)) return told;
  return start(desk, told.order, commandId, behalfOfStaff(act));
}

/**
 * Tells that the GRO has it by the hands of staff: of the attempt that is open, or of one that is begun and ended here.
 * @throws Refused where the order has nothing to submit
 */
export async function recordManualSubmission(
  desk: Desk,
  orderId: string,
  submission: ManualSubmission,
  act: StaffAct,
): Promise<Told> {
  const commandId = staffCommandId(desk, orderId, "record-submission", act);
  const told = await desk.orders.load(orderId);
  if (await desk.orders.knows(orderId, commandId)) return told;
  const by = behalfOfStaff(act);
  assertStaffMayReport(told.order, "RecordSubmission", desk.now().toISOString());
  if (told.order.attempts.open) return record(desk, told.order, commandId, submission, by);
  const { order } = await start(desk, told.order, `${commandId}-start`, by);
  return record(desk, order, commandId, submission, goingOn(by));
}

const start = (desk: Desk, { orderId, attempts }: Order, commandId: string, by: OnBehalf): Promise<Told> =>
  desk.orders.tell({
    orderId,
    commandId,
    by,
    command: { type: "StartSubmission", data: { attempt: attempts.count + 1, channel: "manual" } },
  });

const record = (
  desk: Desk,
  { orderId, attempts }: Order,
  commandId: string,
  { groOrderReference, submittedAt }: ManualSubmission,
  by: OnBehalf,
): Promise<Told> => {
  const attempt = attempts.open?.attempt ?? null;
  return desk.orders.tell({
    orderId,
    by,
    ...submissionCommand(desk, orderId, commandId, { attempt, groOrderReference, submittedAt }),
  });
};
