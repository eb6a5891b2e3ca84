import * as ordering from "../../../contract/orders/ordering.ts";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { Order, OrderState } from "../../../domain/order/state.ts";
import { fingerprintOf } from "../../../infra/commands/repeats.ts";
import type { CommandRequest } from "../../command-bus.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/route.ts";
import {
  behalfOfStaff,
  commandIds,
  goingOn,
  type NamedCommand,
  type StaffAct,
  staffCommandId,
  uncompared,
} from "../command-ids.ts";
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
  const named = { orderId, commandId, repeatable: act.idempotencyKey !== undefined };
  const record = (attempt: number | null, by: OnBehalf) =>
    deps.orders.execute({ orderId, by, ...submissionCommand(deps, named, { attempt, ...submission }) });
  const { order } = await deps.orders.load(orderId);
  const by = behalfOfStaff(act);
  if (await deps.orders.knows(orderId, commandId)) return record(null, by);
  assertStaffMayReport(order, "RecordSubmission", deps.now().toISOString());
  if (order.attempts.open) return record(order.attempts.open.attempt, by);
  const started = await start(deps, order, `${commandId}-start`, by);
  return record(started.order.attempts.open?.attempt ?? null, goingOn(by));
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

/** An application accepted by the GRO. Its reference, if any, is personal data: it identifies a person. */
type Submitted = {
  readonly attempt: number | null;
  readonly groOrderReference: string | null;
  readonly submittedAt: string;
};

/**
 * RecordSubmission with the GRO's reference sealed, if there is one. A repeat is compared unless `repeatable` is false,
 * as where every reporter takes it from the same answer; the attempt is not compared, for it is over by then.
 */
export function submissionCommand(
  deps: OrderDependencies,
  { orderId, commandId, repeatable }: NamedCommand,
  { attempt, groOrderReference, submittedAt }: Submitted,
): Omit<CommandRequest<OrderState, OrderCommand>, "by"> {
  const type = "RecordSubmission";
  const commandOf = (groReferenceRef: string | null): OrderCommand => ({
    type,
    data: { attempt, groReferenceRef, submittedAt },
  });
  if (groOrderReference === null) {
    const compared = () => fingerprintOf({ type, data: { submittedAt } });
    return { commandId, fingerprint: repeatable ? compared : uncompared, command: commandOf(null) };
  }
  return typedCommand<OrderState, OrderCommand>(deps, {
    subject: orderId,
    commandId,
    repeatable,
    body: { groOrderReference, submittedAt },
    draft: commandOf(unsealed),
    command: async (seal) => commandOf(await seal("groOrderReference", "contact", { groOrderReference })),
  });
}
