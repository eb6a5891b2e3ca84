import { nameOfFault } from "../../../infra/following/follower-faults.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { isStorageFault, type StorageWatch } from "../../../infra/storage/storage-watch.ts";
import type { Desk } from "../../orders/dependencies.ts";
import type { OnBehalf, Told } from "../../orders/orders.ts";
import { confirmIntent } from "../../orders/payments/confirm-payment.ts";
import { recordDispute } from "../../orders/payments/record-dispute.ts";
import { PaymentsUnavailable } from "../../providers/stripe/payments.ts";
import { placeOf } from "../perform-task.ts";
import { createRounds } from "../rounds.ts";
import { searchLostNotices } from "./lost-notices.ts";
import { claimOpenPayments, type OpenPayment, returnOpenPayments } from "./reconcile-list.ts";

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
  readonly storage?: StorageWatch;
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
  const { pool, desk, confirmLog, everySeconds, storage } = parts;
  const rounds = createRounds(everySeconds, round);

  async function once(): Promise<void> {
    for (let page = 0; page < mostPages && !rounds.stopping.aborted; page += 1) {
      await confirmLog();
      const open = await claimOpenPayments(pool, desk.now(), pageSize);
      const outcomes = await Promise.all(open.map((payment) => settle(desk, payment)));
      const kept = outcomes.flatMap((outcome) => (outcome instanceof NotKept ? [outcome] : []));
      if (kept.length > 0) await giveBack(kept);
      // A provider that is away is left alone until the next round; what was claimed comes round again.
      if (open.length < pageSize || kept.length > 0 || outcomes.includes("unreached")) return;
    }
  }

  /** That our storage failed is no asking: the next round asks again. */
  async function giveBack(kept: readonly NotKept[]): Promise<void> {
    for (const { cause } of kept) storage?.suspect(cause);
    await storage?.over(rounds.stopping);
    const payments = kept.map(({ payment }) => payment);
    await returnOpenPayments(pool, payments, desk.now());
  }

  async function round(): Promise<void> {
    await once().catch((error: unknown) => {
      const facts = { code: nameOfFault(error), place: placeOf(error) };
      if (storage && isStorageFault(error)) storage.suspect(error);
      else desk.log.error(facts, "open payments could not be looked at");
    });
    await searchLostNotices(parts, rounds.stopping).catch((error: unknown) => {
      const facts = { code: nameOfFault(error), place: placeOf(error) };
      if (storage && isStorageFault(error)) storage.suspect(error);
      else desk.log.warn(facts, "the payment provider's undelivered events could not be asked for");
    });
  }

  return { once, start: rounds.start, stop: rounds.stop };
}

/** What the provider said could not be kept: our own storage failed. */
class NotKept {
  readonly payment: OpenPayment;
  readonly cause: unknown;
  constructor(payment: OpenPayment, cause: unknown) {
    this.payment = payment;
    this.cause = cause;
  }
}

async function settle(desk: Desk, payment: OpenPayment): Promise<"asked" | "unreached" | NotKept> {
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
    return "asked";
  } catch (error) {
    if (isStorageFault(error)) return new NotKept(payment, error);
    const code = nameOfFault(error);
    desk.log.warn(
      { orderId, kind, providerId, code, place: placeOf(error) },
      "an open payment could not be settled",
    );
    return error instanceof PaymentsUnavailable ? "unreached" : "asked";
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
