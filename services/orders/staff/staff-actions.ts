import { Refused } from "../../../domain/decider.ts";
import { unsealed } from "../../../domain/order/personal-data/vault-records.ts";
import type { StaffFact } from "../../../domain/order/phases.ts";
import { forbidden } from "../../../domain/order/rules.ts";
import { assertStaffMayReport } from "../../../domain/order/staff/staff-actions.ts";
import type { FailureCause, FailureReason, GroOutcome } from "../../../domain/order/vocabulary.ts";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { type Amendment, amendApplication } from "../amend-application.ts";
import { cancelOrder } from "../cancel-order.ts";
import { behalfOfStaff, type StaffAct, staffCommandId, staffKey } from "../command-ids.ts";
import { type ContactChange, correctContact } from "../correct-contact.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { typedCommand } from "../personal-data.ts";
import { outcomeCommand } from "../submission/gro-outcome.ts";
import { requestSubmission } from "../submission/submit-order.ts";

/** Staff actions on the order page. Each throws Refused when `allowedActions` excludes it. */

/** The GRO has confirmed that it does not have the open attempt's application, so another attempt may start. */
export async function recordSubmissionFailure(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "RecordSubmissionFailure", act);
  const result = await deps.orders.load(orderId);
  const { order } = result;
  // The attempt is over since: sent again, it would be another command.
  if (await deps.orders.knows(orderId, commandId)) return result;
  assertStaffMayReport(order, "RecordSubmissionFailure", deps.now().toISOString());
  if (!order.attempts.open) throw forbidden(order, "no-attempt-open");
  const { attempt } = order.attempts.open;
  return deps.orders.execute({
    orderId,
    commandId,
    by: behalfOfStaff(act),
    command: { type: "RecordSubmissionFailure", data: { attempt, code: "staffConfirmed", certain: true } },
  });
}

/** Records the GRO's answer by telephone or letter; `question` is the text of its question. */
export async function recordOutcome(
  deps: OrderDependencies,
  orderId: string,
  { outcome, question }: { readonly outcome: GroOutcome; readonly question: string },
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "RecordGROOutcome", act);
  await assertMayReport(deps, orderId, "RecordGROOutcome", commandId);
  const named = { orderId, commandId, repeatable: act.idempotencyKey !== undefined };
  const reported = { attempt: null, outcome, question: outcome === "queried" ? question : null };
  return deps.orders.execute({
    orderId,
    by: behalfOfStaff(act),
    ...outcomeCommand(deps, named, reported),
  });
}

/** Records the despatch; `dispatchedAt` is ISO 8601 in UTC. */
export async function recordDispatch(
  deps: OrderDependencies,
  orderId: string,
  dispatchedAt: string,
  act: StaffAct,
): Promise<OrderResult> {
  const commandId = staffCommandId(deps, orderId, "RecordDispatch", act);
  await assertMayReport(deps, orderId, "RecordDispatch", commandId);
  return deps.orders.execute({
    orderId,
    commandId,
    by: behalfOfStaff(act),
    command: { type: "RecordDispatch", data: { attempt: null, dispatchedAt } },
  });
}

/** A repeat gets the first result, even if the order would refuse it now. @throws Refused */
async function assertMayReport(
  deps: OrderDependencies,
  orderId: string,
  fact: StaffFact,
  commandId: string,
): Promise<void> {
  if (await deps.orders.knows(orderId, commandId)) return;
  const { order } = await deps.orders.load(orderId);
  assertStaffMayReport(order, fact, deps.now().toISOString());
}

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
export function cancelByStaff(deps: OrderDependencies, orderId: string, act: StaffAct): Promise<OrderResult> {
  const reason = act.reason === "customerAsked" ? "customerRequest" : "staffRequest";
  const commandId = staffCommandId(deps, orderId, "cancel", act);
  return cancelOrder(deps, orderId, reason, behalfOfStaff(act), commandId);
}

/** Amends an application before submission, or in answer to the GRO's question. */
export const amendByStaff = (
  deps: OrderDependencies,
  orderId: string,
  amendment: Amendment,
  act: StaffAct,
): Promise<OrderResult> => {
  const key = staffKey(orderId, "amend", act.by.userId, act.idempotencyKey);
  return amendApplication(deps, orderId, amendment, key, behalfOfStaff(act));
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

/** The address is right: what did not arrive is sent again. */
export const sendAgain = (deps: OrderDependencies, orderId: string, act: StaffAct): Promise<OrderResult> => {
  const key = staffKey(orderId, "send-again", act.by.userId, act.idempotencyKey);
  return correctContact(deps, orderId, {}, key, behalfOfStaff(act));
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

/**
 * Adds a note to an order, its text sealed. Notes count as contact data and are destroyed with it.
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

/** Actions available in bulk. `dispatchedAt` is ISO 8601 in UTC; an empty note is none. */
type ActOnMany = { readonly note: string } & (
  | { readonly action: "requestSubmission" }
  | { readonly action: "recordDispatch"; readonly dispatchedAt: string }
  | { readonly action: "addNote" }
);

/**
 * The outcome for one order. `done`: now, or by an earlier identical request. `unchanged`: nothing to do. `refused`:
 * forbidden by a rule. `failed`: can be tried again.
 */
export type BulkOutcome =
  | { readonly orderId: string; readonly outcome: "done" | "unchanged"; readonly position: Position }
  | { readonly orderId: string; readonly outcome: "refused"; readonly rule: string }
  | { readonly orderId: string; readonly outcome: "failed"; readonly error: unknown };

/** Orders handled in parallel: each takes a few small reads and one append. */
const abreast = 4;

/**
 * Carries out an action on each order by a separate command; failures do not affect the others.
 * @returns each outcome
 */
export async function actOnMany(
  deps: OrderDependencies,
  orderIds: readonly string[],
  act: StaffAct,
  what: ActOnMany,
): Promise<BulkOutcome[]> {
  const outcomes = new Map<string, BulkOutcome>();
  const waiting = [...orderIds];
  const work = async () => {
    for (let orderId = waiting.shift(); orderId !== undefined; orderId = waiting.shift())
      outcomes.set(orderId, await actOnOne(deps, orderId, act, what));
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return orderIds.flatMap((orderId) => outcomes.get(orderId) ?? []);
}

async function actOnOne(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
  what: ActOnMany,
): Promise<BulkOutcome> {
  try {
    const before = await deps.orders.load(orderId);
    const isRepeat = await isRepeated(deps, orderId, act, what);
    const result = await perform(deps, orderId, act, what);
    const changed = result.revision !== before.revision;
    if (!changed && !isRepeat) return { orderId, outcome: "unchanged", position: result.position };
    const noted =
      what.note === "" || what.action === "addNote" ? result : await addNote(deps, orderId, what.note, act);
    return { orderId, outcome: "done", position: noted.position };
  } catch (error) {
    if (error instanceof Refused) return { orderId, outcome: "refused", rule: error.rule };
    return { orderId, outcome: "failed", error };
  }
}

function perform(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
  what: ActOnMany,
): Promise<OrderResult> {
  switch (what.action) {
    case "requestSubmission":
      return requestSubmission(deps, orderId, behalfOfStaff(act));
    case "recordDispatch":
      return recordDispatch(deps, orderId, what.dispatchedAt, act);
    case "addNote":
      return addNote(deps, orderId, what.note, act);
  }
}

/**
 * Whether this very request acted on the order before. Unknown for submission requests, which all derive the same
 * command.
 */
async function isRepeated(
  deps: OrderDependencies,
  orderId: string,
  act: StaffAct,
  { action }: ActOnMany,
): Promise<boolean> {
  if (action === "requestSubmission") return false;
  return deps.orders.knows(
    orderId,
    staffCommandId(deps, orderId, action === "addNote" ? "note" : "RecordDispatch", act),
  );
}
