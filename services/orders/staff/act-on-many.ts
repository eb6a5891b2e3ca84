import { Refused } from "../../../domain/decider.ts";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { requestSubmission } from "../submission/submit-order.ts";
import { addNote, recordDispatch } from "./staff-actions.ts";

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
export type Outcome =
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
): Promise<Outcome[]> {
  const outcomes = new Map<string, Outcome>();
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
): Promise<Outcome> {
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
