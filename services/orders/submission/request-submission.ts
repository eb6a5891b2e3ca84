import * as ordering from "../../../contract/orders/ordering.ts";
import { behalfOf } from "../../gateway/guards/identify.ts";
import { holderRoute } from "../../gateway/routing/route.ts";
import { commandIds } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { confirmOrderPayment } from "../payments/confirm-payment.ts";
import { presentStatus } from "../requests/present-orders.ts";

/** Requests submission of a paid order. Browser and policy derive the same command. @throws Refused `not-paid` */
export function requestSubmission(
  deps: OrderDependencies,
  orderId: string,
  by: OnBehalf,
): Promise<OrderResult> {
  return deps.orders.execute({
    orderId,
    commandId: commandIds.submissionRequested(orderId),
    by,
    command: { type: "RequestSubmission", data: {} },
  });
}

export const submitOrder = holderRoute(ordering.submitOrder, ({ deps }) => async (call) => {
  await confirmOrderPayment(deps, call.orderId, behalfOf(call));
  const { order, position } = await requestSubmission(deps, call.orderId, behalfOf(call));
  return { body: presentStatus(order), position };
});
