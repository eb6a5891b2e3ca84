import type { OrderCommand } from "../../../domain/order/commands.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { StaffFact } from "../../../domain/order/phases.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { FailureCause, FailureReason, GroOutcome } from "../../../domain/order/vocabulary.ts";
import type { JsonObject } from "../../../infra/json.ts";
import { amendApplication } from "../amend-application.ts";
import { cancelOrder } from "../cancel-order.ts";
import { behalfOfStaff, type StaffAct, staffCommandId, staffKey } from "../command-ids.ts";
import { type ContactChange, correctContact } from "../correct-contact.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";

/** Staff actions on the order page. Each throws Refused when `allowedActions` excludes it. */

/** The GRO has confirmed that it does not have the open attempt's application, so another attempt may start. */
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

/** Records the GRO's answer by telephone or letter. */
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

/** Records the despatch; `dispatchedAt` is ISO 8601 in UTC. */
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

/**
 * Fails an order that cannot be completed; policies refund according to the cause, and destroy data no longer needed.
 */
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

/**
 * Cancels an order for the customer or for us; policies refund it.
 * @throws PaymentProcessing while the card is being charged
 */
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

/** Amends an application before submission, or in answer to the GRO's question. */
export const amendByStaff = (
  deps: OrderDependencies,
  orderId: string,
  application: JsonObject,
  act: StaffAct,
): Promise<OrderResult> => {
  const key = staffKey(orderId, "amend", act.by.userId, act.idempotencyKey);
  return amendApplication(deps, orderId, application, key, behalfOfStaff(act));
};

export const correctContactByStaff = (
  deps: OrderDependencies,
  orderId: string,
  change: ContactChange,
  act: StaffAct,
): Promise<OrderResult> => {
  const key = staffKey(orderId, "contact", act.by.userId, act.idempotencyKey);
  return correctContact(deps, orderId, change, key, behalfOfStaff(act));
};

/** Records an erasure request; a policy destroys the contact data when no legal ground requires it any longer. */
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

/** Records a fact learnt by staff. A repeat gets the first result, even if the order would refuse it now. */
async function report(
  deps: OrderDependencies,
  orderId: string,
  fact: StaffFact,
  act: StaffAct,
  commandFor: (order: Order) => OrderCommand,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, fact, act);
  const current = await deps.orders.load(orderId);
  if (await deps.orders.knows(orderId, commandId)) return current;
  assertStaffMayReport(current.order, fact, deps.now().toISOString());
  return deps.orders.execute({
    orderId,
    commandId,
    by: behalfOfStaff(act),
    command: commandFor(current.order),
  });
}

/**
 * Adds a note to an order: seals the text, then appends. Notes count as contact data and are destroyed with it.
 * @throws Refused `contact-purged` once the contact data is destroyed
 */
export function addNote(
  deps: OrderDependencies,
  orderId: string,
  text: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandOf = (noteRef: string) => ({ type: "AddNote" as const, data: { noteRef } });
  return deps.orders.execute({
    orderId,
    by: behalfOfStaff(act),
    ...typedCommand(deps, {
      subject: orderId,
      commandId: staffCommandId(deps, orderId, "note", act),
      repeatable: act.idempotencyKey !== undefined,
      body: { text },
      draft: commandOf(unsealed),
      command: async (seal) => commandOf(await seal("orderNote", "contact", { text })),
    }),
  });
}
