import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { confirmIntent } from "../commands/confirm-payment.ts";
import type { Desk } from "../commands/desk.ts";
import type { OnBehalf, Told } from "../commands/orders.ts";
import { recordDispute } from "../commands/record-dispute.ts";
import { PaymentsUnavailable } from "../payments/payments.ts";
import { placeOf } from "./error-place.ts";
import { searchLostNotices } from "./lost-notices.ts";
import { claimOpenPayments, type OpenPayment } from "./reconcile-list.ts";
import { createRounds } from "./rounds.ts";

/** Asked about at once. Stripe takes a hundred requests a second of a live account, and customers' come first. */
const pageSize = 10;
/** So many pages a round at most; what is left over waits for the next. */
const mostPages = 50;
export const reconcileEverySeconds = 60;

export type ReconcileParts = {
  readonly pool: Pool;
  readonly desk: Desk;
  /** @throws OtherLogAnswers when another log has taken the place of the database's, or the store's faults */
  readonly confirmLog: () => Promise<void>;
  readonly everySeconds: number;
};

export type Reconciliation = {
  /** Asks about everything that waits to be asked about by now, as far as one round goes. */
  once(): Promise<void>;
  start(): void;
  /** Ends after what is in hand. */
  stop(): Promise<void>;
};

/**
 * Asks the payment provider about what our log has as undecided, so that no lost notice loses a payment, and after the notices themselves that were
 * lost (`lost-notices.ts`). What it learns becomes the same commands as a notice's; whoever is second changes nothing. Any number of processes may do it side by side.
 */
export function createReconciliation(parts: ReconcileParts): Reconciliation {
  const { pool, desk, confirmLog, everySeconds } = parts;
  const rounds = createRounds(everySeconds, round);

  async function once(): Promise<void> {
    for (let page = 0; page < mostPages && !rounds.stopping.aborted; page += 1) {
      await confirmLog();
      const open = await claimOpenPayments(pool, desk.now(), pageSize);
      const reached = await Promise.all(open.map((payment) => settle(desk, payment)));
      // A provider that is away is left alone until the next round; what was claimed comes round again.
      if (open.length < pageSize || reached.includes(false)) return;
    }
  }

  async function round(): Promise<void> {
    await once().catch((error: unknown) =>
      desk.log.error(
        { code: nameOfFault(error), place: placeOf(error) },
        "open payments could not be looked at",
      ),
    );
    await searchLostNotices(parts, rounds.stopping).catch((error: unknown) =>
      desk.log.warn(
        { code: nameOfFault(error), place: placeOf(error) },
        "the payment provider's undelivered events could not be asked for",
      ),
    );
  }

  return { once, start: rounds.start, stop: rounds.stop };
}

/** @returns false when the provider could not be asked */
async function settle(desk: Desk, payment: OpenPayment): Promise<boolean> {
  const { kind, providerId, orderId } = payment;
  const by: OnBehalf = {
    actor: { kind: "system", id: "reconciliation" },
    correlationId: desk.newId(),
  };
  try {
    const told = kind === "intent" ? await askIntent(desk, payment, by) : await askDispute(desk, payment, by);
    // Each is a notice that did not come: the operator should look at the webhook's endpoint.
    if (told)
      desk.log.warn({ orderId, kind, providerId }, "the payment provider knew what no notice had told");
    return true;
  } catch (error) {
    const code = nameOfFault(error);
    desk.log.warn(
      { orderId, kind, providerId, code, place: placeOf(error) },
      "an open payment could not be settled",
    );
    return !(error instanceof PaymentsUnavailable);
  }
}

/** Money alone counts: a card that was refused leaves the order as payable as it was. */
async function askIntent(
  desk: Desk,
  { providerId, orderId }: OpenPayment,
  by: OnBehalf,
): Promise<Told | undefined> {
  const intent = await desk.payments.retrieveIntent(providerId);
  if (intent.status !== "succeeded") return undefined;
  return confirmIntent(desk, orderId, intent, by);
}

async function askDispute(
  desk: Desk,
  { providerId, orderId }: OpenPayment,
  by: OnBehalf,
): Promise<Told | undefined> {
  const dispute = await desk.payments.retrieveDispute(providerId);
  if (dispute.outcome === undefined || dispute.intentId === undefined) return undefined;
  return recordDispute(desk, orderId, dispute.intentId, dispute, by);
}
