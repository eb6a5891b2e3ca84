import type { CreateOrderRequest } from "../../../domain/forms/order-requests.ts";
import type { VariantRequest } from "../../../domain/forms/variant-request.ts";
import { addVariant } from "../../orders/add-variant.ts";
import { cancelOrder } from "../../orders/cancel-order.ts";
import { createOrder } from "../../orders/create-order.ts";
import { confirmOrderPayment } from "../../orders/payments/confirm-payment.ts";
import { requestPayment } from "../../orders/payments/request-payment.ts";
import { requestSubmission } from "../../orders/submission/request-submission.ts";
import type { CancelRequest } from "../order-bodies.ts";
import type { Parts } from "../parts.ts";
import { presentCreated, presentStatus } from "../presenters/orders.ts";
import { keyReused } from "../problem.ts";
import type { Answer, Call, OrderCall } from "../route.ts";
import { behalfOf, keyFor } from "./behalf.ts";

/**
 * POST /api/orders: whoever opens an order holds it from then on. A repeat that could not be compared proves nothing, since the
 * order's own key is gone: only its holder is told of it again.
 */
export const openOrder =
  ({ desk, access }: Parts) =>
  async (call: Call<CreateOrderRequest>): Promise<Answer> => {
    const key = keyFor("open-order", call.idempotencyKey);
    const { order, position, compared } = await createOrder(desk, call.body, key, call.correlationId);
    if (!compared && !call.caller.holds(order.orderId)) throw keyReused();
    access.grant(call.request, call.response, order.orderId);
    return { status: 201, body: presentCreated(order), position };
  };

/** POST /api/orders/{id}/variants */
export const chooseVariant =
  ({ desk }: Parts) =>
  async (call: OrderCall<VariantRequest>): Promise<Answer> => {
    const key = keyFor(`variant ${call.orderId}`, call.idempotencyKey);
    const { order, position } = await addVariant(desk, call.orderId, call.body, key, behalfOf(call));
    return { status: 201, body: presentStatus(order), position };
  };

/** POST /api/create-payment-intent */
export const createPaymentIntent =
  ({ desk }: Parts) =>
  async (call: OrderCall<{ amountPence: number }>): Promise<Answer> => {
    const { amountPence } = call.body;
    const { clientSecret, position } = await requestPayment(desk, call.orderId, amountPence, behalfOf(call));
    return { body: { clientSecret }, position };
  };

/** POST /api/orders/{id}/status: the browser says that it paid, the provider says whether it did. */
export const reportPaid =
  ({ desk }: Parts) =>
  async (call: OrderCall): Promise<Answer> => {
    const { order, position } = await confirmOrderPayment(desk, call.orderId, behalfOf(call));
    return { body: presentStatus(order), position };
  };

/** POST /api/orders/{id}/submit */
export const submitOrder =
  ({ desk }: Parts) =>
  async (call: OrderCall): Promise<Answer> => {
    await confirmOrderPayment(desk, call.orderId, behalfOf(call));
    const { order, position } = await requestSubmission(desk, call.orderId, behalfOf(call));
    return { body: presentStatus(order), position };
  };

/** POST /api/orders/{id}/cancel */
export const cancel =
  ({ desk }: Parts) =>
  async (call: OrderCall<CancelRequest>): Promise<Answer> => {
    const by = behalfOf(call);
    const asked = call.body.reason;
    const reason = by.actor.kind === "staff" && asked === "customerRequest" ? "staffRequest" : asked;
    const { order, position } = await cancelOrder(desk, call.orderId, reason, by);
    return { body: presentStatus(order), position };
  };
