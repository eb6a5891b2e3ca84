import { orderReference } from "../../domain/reference.ts";
import { addVariant } from "../api/add-variant.ts";
import { cancelOrder } from "../api/cancel-order.ts";
import { createOrder } from "../api/create-order.ts";
import { createPaymentIntent } from "../api/create-payment-intent.ts";
import { ApiError } from "../api/problem.ts";
import { now } from "../clock.ts";
import { attempts } from "./attempts.ts";
import { attemptFor, type OrderAttempt } from "./order-attempt.ts";
import type { OrderRequest } from "./order-request.ts";
import { type OrderCalls, prepareOrder } from "./prepare-order.ts";

const calls: OrderCalls = {
  createOrder,
  addVariant,
  createPaymentIntent,
  cancelReplaced,
  keep: attempts.write,
};

/** Runs under way by the attempt's key: React runs effects twice, and an impatient customer clicks twice. */
const underWay = new Map<string, Promise<OrderAttempt>>();

/** The attempt at this request, made now if there is none. */
export const attemptAt = (request: OrderRequest): OrderAttempt =>
  attempts.write(
    attemptFor(request.asked, attempts.read(), {
      key: newKey(),
      reference: orderReference(now().getFullYear(), Math.floor(Math.random() * 1000)),
    }),
  );

/** Makes the order of this request payable, once however often it is called. @throws whatever the failing call throws */
export function startOrder(request: OrderRequest): Promise<OrderAttempt> {
  const attempt = attemptAt(request);
  const known = underWay.get(attempt.key);
  if (known) return known;
  const run = prepareOrder(attempt, request, calls).finally(() => underWay.delete(attempt.key));
  underWay.set(attempt.key, run);
  return run;
}

/** An order that is gone, or was never ours, stands in nobody's way. */
async function cancelReplaced(orderId: string, key: string): Promise<void> {
  try {
    await cancelOrder(orderId, "replaced", key);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return;
    throw failure;
  }
}

/** Version 4 without `randomUUID`, which browsers give to secure origins only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join("-");
}
