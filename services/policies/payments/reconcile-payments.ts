import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { isStorageError, type StorageWatch } from "../../../infra/telemetry/storage/storage-watch.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import type { OnBehalf, OrderResult } from "../../orders/orders.ts";
import { confirmIntent } from "../../orders/payments/provider-reports.ts";
import { recordDispute } from "../../orders/payments/returns.ts";
import { PaymentsUnavailable } from "../../providers/stripe/payments.ts";
import { placeOf } from "../perform-task.ts";
import { createRounds } from "../rounds.ts";
import { searchLostNotices } from "./lost-notices.ts";
import { claimOpenPayments, type OpenPayment, returnOpenPayments } from "./reconcile-list.ts";

/** Parallel requests. Stripe allows a hundred a second for a live account, and customers come first. */
const pageSize = 10;
/** Page limit for a round; the rest waits for the next. */
const mostPages = 50;
export const reconcileEverySeconds = 60;

type ReconcileParts = {
  readonly pool: Pool;
  readonly deps: OrderDependencies;
  /** @throws OtherLogAnswers when another log has replaced the database's own, or the store's errors */
  readonly confirmLog: () => Promise<void>;
  readonly everySeconds: number;
  readonly storage?: StorageWatch;
};

type Reconciliation = {
  once(): Promise<void>;
  start(): void;
  /** Waits for work in progress, then stops. */
  stop(): Promise<void>;
};

/**
 * Asks the payment provider about payments our log has as undecided, so no lost notice loses a payment, and then
 * searches for lost notices (`lost-notices.ts`). Answers become the same commands as notices; the second of two changes
 * nothing. Safe to run in several processes at once.
 */
export function createReconciliation(parts: ReconcileParts): Reconciliation {
  const { pool, deps, confirmLog, everySeconds, storage } = parts;
  const rounds = createRounds(everySeconds, round);

  async function once(): Promise<void> {
    for (let page = 0; page < mostPages && !rounds.stopping.aborted; page += 1) {
      await confirmLog();
      const open = await claimOpenPayments(pool, deps.now(), pageSize);
      const outcomes = await Promise.all(open.map((payment) => settle(deps, payment)));
      const kept = outcomes.flatMap((outcome) => (outcome instanceof NotKept ? [outcome] : []));
      if (kept.length > 0) await giveBack(kept);
      // An unreachable provider is left alone until the next round; claimed payments come round again.
      if (open.length < pageSize || kept.length > 0 || outcomes.includes("unreached")) return;
    }
  }

  /** A failure of our own storage is not a check: the next round repeats it. */
  async function giveBack(kept: readonly NotKept[]): Promise<void> {
    for (const { cause } of kept) storage?.suspect(cause);
    await storage?.over(rounds.stopping);
    const payments = kept.map(({ payment }) => payment);
    await returnOpenPayments(pool, payments, deps.now());
  }

  async function round(): Promise<void> {
    await once().catch((error: unknown) => {
      const facts = { code: nameOfError(error), place: placeOf(error) };
      if (storage && isStorageError(error)) storage.suspect(error);
      else deps.log.error(facts, "open payments could not be checked");
    });
    await searchLostNotices(parts, rounds.stopping).catch((error: unknown) => {
      const facts = { code: nameOfError(error), place: placeOf(error) };
      if (storage && isStorageError(error)) storage.suspect(error);
      else deps.log.warn(facts, "the payment provider's undelivered events could not be asked for");
    });
  }

  return { once, start: rounds.start, stop: rounds.stop };
}

/** The provider's answer could not be stored: our own storage failed. */
class NotKept {
  readonly payment: OpenPayment;
  readonly cause: unknown;
  constructor(payment: OpenPayment, cause: unknown) {
    this.payment = payment;
    this.cause = cause;
  }
}

async function settle(
  deps: OrderDependencies,
  payment: OpenPayment,
): Promise<"asked" | "unreached" | NotKept> {
  const { kind, providerId, orderId } = payment;
  const by: OnBehalf = {
    actor: { kind: "system", id: "reconciliation" },
    correlationId: deps.newId(),
  };
  try {
    const result =
      kind === "intent" ? await askIntent(deps, payment, by) : await askDispute(deps, payment, by);
    // A missed notice: the operator should check the webhook endpoint.
    if (result)
      deps.log.warn({ orderId, kind, providerId }, "the payment provider reported a change without a notice");
    return "asked";
  } catch (error) {
    if (isStorageError(error)) return new NotKept(payment, error);
    const code = nameOfError(error);
    deps.log.warn(
      { orderId, kind, providerId, code, place: placeOf(error) },
      "an open payment could not be resolved",
    );
    return error instanceof PaymentsUnavailable ? "unreached" : "asked";
  }
}

/** Only payment counts: a refused card leaves the order as payable as before. */
async function askIntent(
  deps: OrderDependencies,
  { providerId, orderId }: OpenPayment,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const intent = await deps.payments.retrieveIntent(providerId);
  if (intent.status !== "succeeded") return undefined;
  return confirmIntent(deps, orderId, intent, by);
}

async function askDispute(
  deps: OrderDependencies,
  { providerId, orderId }: OpenPayment,
  by: OnBehalf,
): Promise<OrderResult | undefined> {
  const dispute = await deps.payments.retrieveDispute(providerId);
  if (dispute.outcome === undefined || dispute.intentId === undefined) return undefined;
  return recordDispute(deps, orderId, dispute.intentId, dispute, by);
}
