import { useCallback, useEffect, useRef, useState } from "react";
import { useSWRConfig } from "swr";
import { openCheckout, payCheckout } from "../../../../contract/orders/checkouts.ts";
import { chooseVariant, createPaymentIntent, openOrder } from "../../../../contract/orders/ordering.ts";
import { cancelOrder } from "../../../../contract/orders/own-records.ts";
import { showOrder } from "../../../../contract/orders/tracking.ts";
import type { ProblemCode } from "../../../../contract/request.ts";
import { ApiError, referenceWords } from "../../../api/problem.ts";
import { newIdempotencyKey } from "../../../api/request.ts";
import { send } from "../../../api/send.ts";
import { notePlaced, placedOrders } from "../../../ordering/checkout/finish-order.ts";
import { attemptFor, givenUp, type OrderAttempt } from "../../../ordering/checkout/order-attempt.ts";
import type { PlacedOrder } from "../../../ordering/checkout/placed-orders.ts";
import {
  AlreadyPaid,
  askedIn,
  type OrderCalls,
  type OrderRequest,
  orderRequestsOf,
  prepareOrder,
} from "../../../ordering/checkout/prepare-order.ts";
import { attempts, draftStore } from "../../../ordering/current-order.ts";
import { certificatesOf } from "../../../ordering/draft/basket.ts";
import { useConfig } from "../../../site/config.ts";
import { todayInLondon } from "../../../ui/dates.ts";
import { toasts } from "../../../ui/toasts/toasts.ts";
import { useCosts } from "../wizard.tsx";

/** Progress of creating the order in step 5. `problems` are the server's messages about a refusal. */
export type OrderSetup =
  | { state: "preparing" }
  | { state: "paid"; attempt: OrderAttempt }
  /** Certificates of this draft are paid for: in another tab, or by a charge whose outcome this one did not see. */
  | { state: "ordered before"; placed: readonly PlacedOrder[] }
  | { state: "ready"; attempt: OrderAttempt; clientSecret: string }
  /** `charging`: a payment for it is under way, perhaps from a copied tab. */
  | { state: "created"; attempt: OrderAttempt; problems: readonly string[]; charging: boolean }
  /** The card is being charged for an order that this draft would replace. */
  | { state: "charging" }
  | { state: "failed"; problems: readonly string[]; wasCancelled?: true };

type GiveUp = (attempt: OrderAttempt) => void;

const preparingFailed = "There was a problem preparing your payment. Please try again.";
const completingFailed = "Failed to complete order. Please try again.";
const cancelledMeanwhile = ({ orders }: OrderAttempt): string =>
  orders.length === 1
    ? "The order was cancelled before it was paid. Trying again creates a new one."
    : "An order was cancelled before it was paid. Trying again orders all certificates of the list. To leave one out, go back and remove it.";

/**
 * Creates the order once on entering step 5. `retry` continues from the failed call, reporting `failure` if it fails
 * again. `giveUp` is for an order whose payment was cancelled, in another tab or because it was never paid: the next
 * try creates a new one. `mayPay` is asked before the charge: another tab may have paid for the draft meanwhile.
 */
export function useOrderSetup(): {
  setup: OrderSetup;
  retry: () => void;
  giveUp: GiveUp;
  mayPay: () => boolean;
  orderAnother: () => void;
} {
  const { data: config, error: configError } = useConfig();
  const { costs, loading } = useCosts();
  const [setup, setSetup] = useState<OrderSetup>({ state: "preparing" });
  const { mutate } = useSWRConfig();
  const started = useRef(false);

  const mayPay = (): boolean => {
    const placed = placedBefore();
    if (placed.length > 0) setSetup({ state: "ordered before", placed });
    return placed.length === 0;
  };

  const run = async (failureText: string): Promise<void> => {
    setSetup({ state: "preparing" });
    const before = attempts.read();
    // A paid order is finished, whatever has changed in the draft or the prices since.
    if (before?.paid) return setSetup({ state: "paid", attempt: before });
    if (!mayPay()) return;
    try {
      if (!config) throw configError ?? new Error("The configuration is missing");
      const { termsVersion, consentVersion } = config;
      const terms = { termsVersion, consentVersion, today: todayInLondon() };
      const totals = costs.map(({ totalPence }) => totalPence);
      // Not the draft of this render: another copy has just renewed it.
      setSetup(setupOf(await startOrders(orderRequestsOf(draftStore.current(), totals, terms))));
    } catch (failure) {
      if (failure instanceof AlreadyPaid) {
        notePlaced(failure.orderNumbers);
        return void mayPay();
      }
      toasts.show({ title: "Error", description: failureText, variant: "destructive" });
      setSetup(setupAfter(failure));
      // A refused total means that prices have changed: the summary shows the new ones at once.
      await mutate((key) => Array.isArray(key) && key[0] === "prices");
    }
  };

  const settled = !loading && (config !== undefined || configError !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, as soon as prices and configuration are known.
  useEffect(() => {
    if (!settled || started.current) return;
    started.current = true;
    void run(preparingFailed);
  }, [settled]);

  const giveUp = useCallback<GiveUp>((attempt) => {
    attempts.write(givenUp(attempt));
    setSetup({ state: "failed", problems: [cancelledMeanwhile(attempt)], wasCancelled: true });
  }, []);

  return {
    setup,
    giveUp,
    mayPay,
    orderAnother: () => {
      draftStore.renew(placedBefore().map(({ draftId }) => draftId));
      void run(preparingFailed);
    },
    retry: () => void run(setup.state === "created" ? completingFailed : preparingFailed),
  };
}

/** What was paid for from this draft, but for the orders of this attempt. */
function placedBefore(): PlacedOrder[] {
  const own = (attempts.read()?.orders ?? []).map(({ orderNumber }) => orderNumber);
  return certificatesOf(draftStore.current()).flatMap(({ id }) => placedOrders.before(id, own) ?? []);
}

function setupOf(attempt: OrderAttempt): OrderSetup {
  const { clientSecret } = attempt;
  if (attempt.paid) return { state: "paid", attempt };
  return clientSecret === null
    ? { state: "created", attempt, problems: [], charging: false }
    : { state: "ready", attempt, clientSecret };
}

function setupAfter(failure: unknown): OrderSetup {
  const attempt = attempts.read();
  const problems = problemsOf(failure);
  const charging = hasCode(failure, "payment-processing");
  if (attempt && attempt.orders.length > 0) return { state: "created", attempt, problems, charging };
  // Before this attempt has an order, only one that it replaces can be being paid.
  return charging ? { state: "charging" } : { state: "failed", problems };
}

function problemsOf(failure: unknown): string[] {
  if (!(failure instanceof ApiError)) return [];
  if (failure.fields.length > 0) return failure.fields.map(({ message }) => message);
  return failure.status < 500 && failure.detail ? [failure.detail] : [...referenceWords(failure)];
}

const calls: OrderCalls = {
  openOrder: (body, idempotencyKey) => send(openOrder, { body }, { idempotencyKey }),
  chooseVariant: (id, body, idempotencyKey) =>
    send(chooseVariant, { params: { id }, body }, { idempotencyKey }),
  createPaymentIntent: (orderId, amount, idempotencyKey) =>
    send(createPaymentIntent, { body: { amount, orderId } }, { idempotencyKey }),
  openCheckout: (orderIds, idempotencyKey) =>
    send(openCheckout, { body: { orderIds: [...orderIds] } }, { idempotencyKey }),
  payCheckout: (id, amount, idempotencyKey) =>
    send(payCheckout, { params: { id }, body: { amount } }, { idempotencyKey }),
  cancelReplaced,
  keep: attempts.write,
};

/** Runs in progress by attempt key: React runs effects twice, and impatient customers click twice. */
const underWay = new Map<string, Promise<OrderAttempt>>();

/** The attempt for these requests, created if there is none. */
const attemptAt = (requests: readonly OrderRequest[]): OrderAttempt =>
  attempts.write(attemptFor(askedIn(requests), attempts.read(), newIdempotencyKey()));

/**
 * Makes the orders of these requests payable; concurrent calls share one run.
 * @throws the failing call's error
 */
function startOrders(requests: readonly OrderRequest[]): Promise<OrderAttempt> {
  const attempt = attemptAt(requests);
  const known = underWay.get(attempt.key);
  if (known) return known;
  const run = prepareOrder(attempt, requests, calls)
    .catch((failure: unknown) => {
      giveUpWhereWrong(failure);
      throw failure;
    })
    .finally(() => underWay.delete(attempt.key));
  underWay.set(attempt.key, run);
  return run;
}

/** An order's quote is fixed: if the price has changed, the next try creates a new order that replaces it. */
function giveUpWhereWrong(failure: unknown): void {
  const reached = attempts.read();
  if (hasCode(failure, "wrong-amount") && reached) attempts.write(givenUp(reached));
}

/** A missing order, or one that is not ours, does not block a new one. */
async function cancelReplaced(id: string, idempotencyKey: string): Promise<string | null> {
  try {
    await send(cancelOrder, { params: { id }, body: { reason: "replaced" } }, { idempotencyKey });
    return null;
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return null;
    if (!hasCode(failure, "forbidden-in-phase")) throw failure;
    return (await send(showOrder, { params: { id } })).orderNumber;
  }
}

const hasCode = (failure: unknown, code: ProblemCode): boolean =>
  failure instanceof ApiError && failure.code === code;
