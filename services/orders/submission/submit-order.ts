import * as ordering from "../../../contract/orders/ordering.ts";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { Order, OrderState } from "../../../domain/order/state.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import { behalfOfStaff, commandIds, goingOn, type StaffAct, staffCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { confirmOrderPayment } from "../payments/provider-reports.ts";
import { typedCommand } from "../personal-data.ts";
import { presentStatus } from "../requests/present-orders.ts";

/** Requests submission of a paid order. Browser and policy derive the same command. @throws Refused `not-paid` */
export function requestSubmission(
  deps: OrderDependencies,
  orderId: string,
  by: OnBehalf,
): Promise<OrderResult> {
  return deps.orders.execute({
    orderId,
    commandId: commandIds.submissionRequested(orderId),
    by,
    command: { type: "RequestSubmission", data: {} },
  });
}

export const submitOrder = holderRoute(ordering.submitOrder, ({ deps }) => async (call) => {
  await confirmOrderPayment(deps, call.orderId, behalfOf(call));
  const { order, position } = await requestSubmission(deps, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});

type ManualSubmission = {
  /** The GRO's reference, if it gave one; sealed, because it identifies a person. */
  readonly groOrderReference: string | null;
  readonly submittedAt: string;
};

/**
 * Starts a manual attempt: nothing else is sent until its outcome is recorded.
 * @throws Refused while one is open, and once the GRO has the application
 */
export async function startManualSubmission(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "start-submission", act);
  const result = await deps.orders.load(orderId);
  // The attempt number has advanced since: sent again, it would be another command.
  if (await deps.orders.knows(orderId, commandId)) return result;
  return start(deps, result.order, commandId, behalfOfStaff(act));
}

/**
 * Records that staff submitted the application: completes the open attempt, or starts and completes one.
 * @throws Refused if the order has nothing to submit
 */
export async function recordManualSubmission(
  deps: OrderDependencies,
  orderId: string,
  submission: ManualSubmission,
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "record-submission", act);
  const result = await deps.orders.load(orderId);
  if (await deps.orders.knows(orderId, commandId)) return result;
  const by = behalfOfStaff(act);
  assertStaffMayReport(result.order, "RecordSubmission", deps.now().toISOString());
  if (result.order.attempts.open) return record(deps, result.order, commandId, submission, by);
  const { order } = await start(deps, result.order, `${commandId}-start`, by);
  return record(deps, order, commandId, submission, goingOn(by));
}

const start = (
  deps: OrderDependencies,
  { orderId, attempts }: Order,
  commandId: string,
  by: OnBehalf,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId,
    by,
    command: { type: "StartSubmission", data: { attempt: attempts.count + 1, channel: "manual" } },
  });

const record = (
  deps: OrderDependencies,
  { orderId, attempts }: Order,
  commandId: string,
  { groOrderReference, submittedAt }: ManualSubmission,
  by: OnBehalf,
): Promise<OrderResult> => {
  const attempt = attempts.open?.attempt ?? null;
  return deps.orders.execute({
    orderId,
    by,
    ...submissionCommand(deps, orderId, commandId, { attempt, groOrderReference, submittedAt }),
  });
};

/** An application accepted by the GRO. Its reference, if any, is personal data: it identifies a person. */
type Submitted = {
  readonly attempt: number | null;
  readonly groOrderReference: string | null;
  readonly submittedAt: string;
};

/**
 * RecordSubmission with the GRO's reference sealed; not compared, since every reporter takes it from the same answer.
 */
export function submissionCommand(
  deps: OrderDependencies,
  orderId: string,
  commandId: string,
  { attempt, groOrderReference, submittedAt }: Submitted,
) {
  const commandOf = (groReferenceRef: string | null): OrderCommand => ({
    type: "RecordSubmission",
    data: { attempt, groReferenceRef, submittedAt },
  });
  return typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable: false,
    body: { groOrderReference },
    draft: commandOf(groOrderReference === null ? null : unsealed),
    command: async (seal) =>
      commandOf(
        groOrderReference === null ? null : await seal("groOrderReference", "contact", { groOrderReference }),
      ),
  });
}
