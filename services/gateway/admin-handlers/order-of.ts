import { Refused } from "../../../domain/decider.ts";
import type { PastEvent } from "../../commands/order-history.ts";
import { type NameOf, presentEntries } from "../admin-presenters/order/timeline.ts";
import { byNumber } from "../handlers/order-reads.ts";
import type { Parts } from "../parts.ts";
import { notFound, Problem } from "../problem.ts";
import type { StaffCall } from "../route.ts";

/** An order with its whole history: at least one event, the last of them the order as it stands. */
export type KnownOrder = {
  readonly orderId: string;
  readonly history: readonly PastEvent[];
  readonly now: PastEvent;
};

/** The order that a call of the back office names in its address. @throws Problem 404 */
export async function orderOf(parts: Parts, { request }: Pick<StaffCall, "request">): Promise<KnownOrder> {
  const { orderId } = await byNumber(parts, String(request.params.orderNumber));
  return historyOf(parts, orderId);
}

/** @throws Problem 404 when the log has no such order */
export async function historyOf({ orderHistory }: Parts, orderId: string): Promise<KnownOrder> {
  const history = await orderHistory(orderId);
  const now = history.at(-1);
  if (!now) throw notFound();
  return { orderId, history, now };
}

/** The names of all who worked on an order. */
export const namesIn = ({ directory }: Parts, history: readonly PastEvent[]): Promise<NameOf> =>
  directory.namesOf(history.flatMap(({ metadata: { actor } }) => (actor.kind === "staff" ? [actor.id] : [])));

/**
 * Tells whoever was too slow what happened since they looked.
 * @throws Problem 409 with the newer entries of the timeline; what else was thrown goes on
 */
export async function withNewerEntries<T>(
  parts: Parts,
  orderId: string,
  seenRevision: number,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "changed-meanwhile") throw error;
    const { history } = await historyOf(parts, orderId);
    const nameOf = await namesIn(parts, history);
    throw new Problem(409, "changed-meanwhile", "It has changed since you looked: please look again.", {
      members: {
        revision: history.length - 1,
        since: presentEntries(history, nameOf, seenRevision + 1),
      },
    });
  }
}
