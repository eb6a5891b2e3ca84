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
 * POST /api/orders: the caller becomes the order's holder. A repeat that could not be compared, because the order's key is destroyed, proves
 * nothing: only the existing holder gets the order again.
 */
export const openOrder = route(ordering.openOrder, ({ deps, access }) => async (call) => {
  const key = keyFor("open-order", call.idempotencyKey);
  const { order, position, compared } = await createOrder(deps, call.body, key, call.correlationId);
  if (!compared && !call.caller.holds(order.orderId)) throw keyReused();
  access.grant(call.request, call.response, order.orderId);
  return { body: presentCreated(order), position };
});

export const chooseVariant = holderRoute(ordering.chooseVariant, ({ deps }) => async (call) => {
  const key = keyFor(`variant ${call.orderId}`, call.idempotencyKey);
  const { order, position } = await addVariant(deps, call.orderId, call.body, key, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const createPaymentIntent = holderRoute(ordering.createPaymentIntent, ({ deps }) => async (call) => {
  const { amountPence } = call.body;
  const { clientSecret, position } = await requestPayment(deps, call.orderId, amountPence, behalfOf(call));
  return { body: { clientSecret }, position };
});

/** The browser reports a payment; the provider confirms it. */
export const reportPaid = holderRoute(ordering.reportPaid, ({ deps }) => async (call) => {
  const { order, position } = await confirmOrderPayment(deps, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const submitOrder = holderRoute(ordering.submitOrder, ({ deps }) => async (call) => {
  await confirmOrderPayment(deps, call.orderId, behalfOf(call));
  const { order, position } = await requestSubmission(deps, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});

export const cancel = holderRoute(own.cancelOrder, ({ deps }) => async (call) => {
  const by = behalfOf(call);
  const asked = call.body.reason;
  const reason = by.actor.kind === "staff" && asked === "customerRequest" ? "staffRequest" : asked;
  const { order, position } = await cancelOrder(deps, call.orderId, reason, by);
  return { body: presentStatus(order), position };
});
