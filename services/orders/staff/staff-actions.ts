import type { OrderCommand } from "../../../domain/order/commands.ts";
import type { StaffFact } from "../../../domain/order/phases.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { FailureCause, FailureReason, GroOutcome } from "../../../domain/order/vocabulary.ts";
import type { JsonObject } from "../../../infra/json.ts";
import { amendApplication } from "../amend-application.ts";
import { cancelOrder } from "../cancel-order.ts";
import { type ContactChange, correctContact } from "../correct-contact.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { behalfOfStaff, type StaffAct, staffCommandId, staffKey } from "./staff-act.ts";

/** What staff do with an order from its page. Each throws Refused where `allowedActions` says that it is not allowed. */

/** The GRO was asked, and certainly does not have what the open attempt sent: the way is free for another. */
export const recordSubmissionFailure = (
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
): Promise<OrderResult> =>
  report(deps, orderId, "RecordSubmissionFailure", act, (order) => {
    if (!order.attempts.open) throw forbidden(order, "no-attempt-open");
    const { attempt } = order.attempts.open;
    return { type: "RecordSubmissionFailure", data: { attempt, code: "staffConfirmed", certain: true } };
  });

/** What the GRO answered by telephone or letter. */
export const recordOutcome = (
  deps: OrderDependencies,
  orderId: string,
  outcome: GroOutcome,
  act: StaffAct,
): Promise<OrderResult> =>
  report(deps, orderId, "RecordGROOutcome", act, () => ({
    type: "RecordGROOutcome",
    data: { attempt: null, outcome },
  }));

/** The GRO has posted the certificate; `dispatchedAt` is ISO 8601 in UTC. */
export const recordDispatch = (
  deps: OrderDependencies,
  orderId: string,
  dispatchedAt: string,
  act: StaffAct,
): Promise<OrderResult> =>
  report(deps, orderId, "RecordDispatch", act, () => ({
    type: "RecordDispatch",
    data: { attempt: null, dispatchedAt },
  }));

/** Ends an order that cannot come to a good end; policies give back what the cause says, and destroy what is no longer needed. */
export const failOrder = (
  deps: OrderDependencies,
  orderId: string,
  end: { readonly cause: FailureCause; readonly reason: FailureReason },
  act: StaffAct,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, "fail", act),
    by: behalfOfStaff(act),
    command: { type: "FailOrder", data: end },
  });

/** Cancels an order in the customer's name or in ours; policies refund it. @throws PaymentProcessing while the card is being charged */
export async function cancelByStaff(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "cancel", act);
  if (await deps.orders.knows(orderId, commandId)) return deps.orders.load(orderId);
  const reason = act.reason === "customerAsked" ? "customerRequest" : "staffRequest";
  return cancelOrder(deps, orderId, reason, behalfOfStaff(act), commandId);
}

/** Sets an application right, so that it goes out (again): before the GRO has it, or in answer to its question. */
export const amendByStaff = (
  deps: OrderDependencies,
  orderId: string,
  application: JsonObject,
  act: StaffAct,
): Promise<OrderResult> => {
  const key = staffKey(orderId, "amend", act.by.userId, act.idempotencyKey);
  return amendApplication(deps, orderId, application, key, behalfOfStaff(act));
};

/** Corrects who is written to. */
export const correctContactByStaff = (
  deps: OrderDependencies,
  orderId: string,
  change: ContactChange,
  act: StaffAct,
): Promise<OrderResult> => {
  const key = staffKey(orderId, "contact", act.by.userId, act.idempotencyKey);
  return correctContact(deps, orderId, change, key, behalfOfStaff(act));
};

/** Notes that the customer wants to be forgotten; a policy destroys the contact data once nothing lawful needs it. */
export const requestErasure = (
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
): Promise<OrderResult> =>
  deps.orders.execute({
    orderId,
    commandId: staffCommandId(deps, orderId, "erase", act),
    by: behalfOfStaff(act),
    command: { type: "RequestErasure", data: {} },
  });

/** Tells a fact that staff learnt. A repeat gets its first result, though it would be refused as the order stands now. */
async function report(
  deps: OrderDependencies,
  orderId: string,
  fact: StaffFact,
  act: StaffAct,
  commandFor: (order: Order) => OrderCommand,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, fact, act);
  const told = await deps.orders.load(orderId);
  if (await deps.orders.knows(orderId, commandId)) return told;
  assertStaffMayReport(told.order, fact, deps.now().toISOString());
  return deps.orders.execute({ orderId, commandId, by: behalfOfStaff(act), command: commandFor(told.order) });
}
