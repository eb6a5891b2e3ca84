import { chooseVariant, createPaymentIntent, openOrder } from "../../../contract/orders/ordering.ts";
import { cancelOrder } from "../../../contract/orders/own-records.ts";
import { ApiError } from "../../api/problem.ts";
import { newIdempotencyKey } from "../../api/request.ts";
import { send } from "../../api/send.ts";
import { attempts } from "../current-order.ts";
import { attemptFor, givenUp, type OrderAttempt } from "./order-attempt.ts";
import type { OrderRequest } from "./prepare-order.ts";
import { type OrderCalls, prepareOrder } from "./prepare-order.ts";

const calls: OrderCalls = {
  openOrder: (body, idempotencyKey) => send(openOrder, { body }, { idempotencyKey }),
  chooseVariant: (id, body, idempotencyKey) =>
    send(chooseVariant, { params: { id }, body }, { idempotencyKey }),
  createPaymentIntent: (orderId, amount, idempotencyKey) =>
    send(createPaymentIntent, { body: { amount, orderId } }, { idempotencyKey }),
  cancelReplaced,
  keep: attempts.write,
};

/** Runs in progress by attempt key: React runs effects twice, and impatient customers click twice. */
const underWay = new Map<string, Promise<OrderAttempt>>();

/** The attempt for this request, created if there is none. */
const attemptAt = (request: OrderRequest): OrderAttempt =>
  attempts.write(attemptFor(request.asked, attempts.read(), newIdempotencyKey()));

/**
 * Makes this request's order payable; concurrent calls share one run.
 * @throws the failing call's error
 */
export function startOrder(request: OrderRequest): Promise<OrderAttempt> {
  const attempt = attemptAt(request);
  const known = underWay.get(attempt.key);
  if (known) return known;
  const run = prepareOrder(attempt, request, calls)
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
  const wrong = failure instanceof ApiError && failure.code === "wrong-amount";
  if (wrong && reached) attempts.write(givenUp(reached));
}

/** A missing order, or one that is not ours, does not block a new one. */
async function cancelReplaced(id: string, idempotencyKey: string): Promise<void> {
  try {
    await send(cancelOrder, { params: { id }, body: { reason: "replaced" } }, { idempotencyKey });
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return;
    throw failure;
  }
}
