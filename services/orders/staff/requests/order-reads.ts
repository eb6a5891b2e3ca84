import * as contract from "../../../../contract/staff-orders/order-page.ts";
import { Refused } from "../../../../domain/decider.ts";
import { notFound, Problem } from "../../../gateway/errors/problem.ts";
import type { HandlerDependencies } from "../../../gateway/parts.ts";
import { type StaffCall, staffRoute } from "../../../gateway/route.ts";
import type { PastEvent } from "../../orders.ts";
import { byNumber } from "../../requests/order-reads.ts";
import { refusalSentence } from "../page/code-words.ts";
import { presentOrderPage } from "../page/order-page.ts";
import { type NameOf, presentEntries, presentStateAt, presentTimeline } from "../page/timeline.ts";

export const showOrderPage = staffRoute(contract.showOrderPage, (parts) => async (call) => {
  const { orderId, history, now } = await orderOf(parts, call);
  const { checkoutId } = now.order;
  const [jobs, duplicates, together, nameOf] = await Promise.all([
    parts.orderJobs(now.order),
    parts.queries.duplicatesOf([orderId]),
    checkoutId === undefined ? [] : parts.queries.ordersOfCheckout(checkoutId),
    namesIn(parts, history),
  ]);
  const beside = { jobs, duplicates: duplicates.get(orderId) ?? [], together };
  const seen = { at: parts.deps.now().toISOString(), by: call.by, nameOf };
  return { body: presentOrderPage(history, now, beside, seen) };
});

/** With ?at=, the order right after the event of that revision. */
export const showTimeline = staffRoute(contract.showTimeline, (parts) => async (call) => {
  const { at } = call.body;
  const { history } = await orderOf(parts, call);
  if (at === undefined) return { body: presentTimeline(history, await namesIn(parts, history)) };
  const past = history[at];
  if (!past) throw notFound();
  return { body: presentStateAt(past, history[at - 1]) };
});

/** An order with its whole history: at least one event; the last holds the current order. */
type KnownOrder = {
  readonly orderId: string;
  readonly history: readonly PastEvent[];
  readonly now: PastEvent;
};

/** The order named in the path. @throws Problem 404 */
export async function orderOf(
  dependencies: HandlerDependencies,
  { request }: Pick<StaffCall, "request">,
): Promise<KnownOrder> {
  const { orderId } = await byNumber(dependencies, String(request.params.orderNumber));
  return historyOf(dependencies, orderId);
}

/** @throws Problem 404 if the log has no such order */
export async function historyOf({ orderHistory }: HandlerDependencies, orderId: string): Promise<KnownOrder> {
  const history = await orderHistory(orderId);
  const now = history.at(-1);
  if (!now) throw notFound();
  return { orderId, history, now };
}

/** Names of the staff who worked on an order. */
export const namesIn = ({ directory }: HandlerDependencies, history: readonly PastEvent[]): Promise<NameOf> =>
  directory.namesOf(history.flatMap(({ metadata: { actor } }) => (actor.kind === "staff" ? [actor.id] : [])));

/**
 * Explains a refusal in words, and for an outdated page lists what has happened since.
 * @throws Problem 409 with the rule, or with the newer timeline entries; any other error unchanged
 */
export async function refusedInWords<T>(
  dependencies: HandlerDependencies,
  orderId: string,
  seenRevision: number,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { code, phase, rule } = error;
    if (code === "changed-meanwhile") throw await changedSince(dependencies, orderId, seenRevision);
    if (code !== "forbidden-in-phase") throw error;
    throw new Problem("forbidden-in-phase", refusalSentence(rule), { members: { phase, rule } });
  }
}

async function changedSince(
  dependencies: HandlerDependencies,
  orderId: string,
  seenRevision: number,
): Promise<Problem> {
  const { history } = await historyOf(dependencies, orderId);
  const since = presentEntries(history, await namesIn(dependencies, history), seenRevision + 1);
  return new Problem("changed-meanwhile", "The order has changed since you loaded it.", {
    members: { revision: history.length - 1, since },
  });
}
