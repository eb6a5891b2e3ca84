import { Refused } from "../../../domain/decider.ts";
import type { Position } from "../../../infra/event-store/event-store.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OrderResult } from "../orders.ts";
import { requestSubmission } from "../submission/request-submission.ts";
import { addNote } from "./add-note.ts";
import { behalfOfStaff, type StaffAct, staffCommandId } from "./staff-act.ts";
import { recordDispatch } from "./staff-actions.ts";

/** What makes sense for many orders at once. `dispatchedAt` is ISO 8601 in UTC; an empty note is none. */
export type ActOnMany = { readonly note: string } & (
  | { readonly action: "requestSubmission" }
  | { readonly action: "recordDispatch"; readonly dispatchedAt: string }
  | { readonly action: "addNote" }
);

/**
 * What came of one order. `done`: now, or by the same request sent before. `unchanged`: it was so already. `refused`: a rule forbids it, and
 * nothing happened. `failed`: it can be tried again.
 */
export type Outcome =
  | { readonly orderId: string; readonly outcome: "done" | "unchanged"; readonly position: Position }
  | { readonly orderId: string; readonly outcome: "refused"; readonly rule: string }
  | { readonly orderId: string; readonly outcome: "failed"; readonly error: unknown };

/** So many orders at a time: each is a few small reads and one append. */
const abreast = 4;

/** Does the same to each order, each by its own command, and says of each what came of it. None hinders another. */
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

/** Whether the order was told this very act before. Whoever asks for a submission asks for the same: then nobody can tell. */
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
