import * as ordering from "../../../contract/orders/ordering.ts";
import * as own from "../../../contract/orders/own-records.ts";
import { keyReused } from "../../gateway/errors/problem.ts";
import { behalfOf, keyFor } from "../../gateway/routing/behalf.ts";
import { holderRoute, route } from "../../gateway/routing/route.ts";
import { addVariant } from "../add-variant.ts";
import { cancelOrder } from "../cancel-order.ts";
import { createOrder } from "../create-order.ts";
import { confirmOrderPayment } from "../payments/confirm-payment.ts";
import { requestPayment } from "../payments/request-payment.ts";
import { requestSubmission } from "../submission/request-submission.ts";
import { presentCreated, presentStatus } from "./present-orders.ts";

/**
 * POST /api/orders: whoever opens an order holds it from then on. A repeat that could not be compared proves nothing, since the
 * order's own key is gone: only its holder is told of it again.
 */
export const openOrder = route(ordering.openOrder, ({ desk, access }) => async (call) => {
  const key = keyFor("open-order", call.idempotencyKey);
  const { order, position, compared } = await createOrder(desk, call.body, key, call.correlationId);
  if (!compared && !call.caller.holds(order.orderId)) throw keyReused();
  access.grant(call.request, call.response, order.orderId);
  return { body: presentCreated(order), position };
});

export const chooseVariant = holderRoute(ordering.chooseVariant, ({ desk }) => async (call) => {
  const key = keyFor(`variant ${call.orderId}`, call.idempotencyKey);
  const { order, position } = await addVariant(desk, call.orderId, call.body, key, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const createPaymentIntent = holderRoute(ordering.createPaymentIntent, ({ desk }) => async (call) => {
  const { amountPence } = call.body;
  const { clientSecret, position } = await requestPayment(desk, call.orderId, amountPence, behalfOf(call));
  return { body: { clientSecret }, position };
});

/** The browser says that it paid, the provider says whether it did. */
export const reportPaid = holderRoute(ordering.reportPaid, ({ desk }) => async (call) => {
  const { order, position } = await confirmOrderPayment(desk, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const submitOrder = holderRoute(ordering.submitOrder, ({ desk }) => async (call) => {
  await confirmOrderPayment(desk, call.orderId, behalfOf(call));
  const { order, position } = await requestSubmission(desk, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const cancel = holderRoute(own.cancelOrder, ({ desk }) => async (call) => {
  const by = behalfOf(call);
  const asked = call.body.reason;
  const reason = by.actor.kind === "staff" && asked === "customerRequest" ? "staffRequest" : asked;
  const { order, position } = await cancelOrder(desk, call.orderId, reason, by);
  return { body: presentStatus(order), position };
});
