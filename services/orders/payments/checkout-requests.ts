import * as contract from "../../../contract/orders/checkouts.ts";
import type { Presented } from "../../../contract/request.ts";
import type { Checkout } from "../../../domain/checkout/checkout.ts";
import { Refused } from "../../../domain/decider.ts";
import { isUnpaid } from "../../../domain/order/phases.ts";
import type { Order } from "../../../domain/order/state.ts";
import { poundsOf } from "../../../domain/pricing/money.ts";
import type { Position } from "../../../infra/event-store/event-store.ts";
import { ifReadable } from "../../../infra/event-store/stream-unreadable.ts";
import { notFound } from "../../gateway/errors/problem.ts";
import { authorizeForOrder, behalfOf, type Caller, keyFor } from "../../gateway/guards/identify.ts";
import { orderIdIn } from "../../gateway/guards/validate.ts";
import { route } from "../../gateway/route.ts";
import { type ClientKey, clientCommandId } from "../command-ids.ts";
import type { OrderDependencies } from "../dependencies.ts";
import type { OnBehalf, OrderResult } from "../orders.ts";
import { presentStatus } from "../requests/present-orders.ts";
import { requestSubmission } from "../submission/submit-order.ts";
import { allOf, confirmOrderPayment, onBehalfIn } from "./provider-reports.ts";
import { latest, requestCheckoutPayment } from "./request-payment.ts";

type Opened = {
  readonly checkout: Checkout;
  readonly orders: readonly Order[];
  readonly position: Position;
};

/**
 * Opens a checkout of orders that can be paid for. Its id derives from the client's key, so a repeat is the same one.
 * @throws Refused `unknown-order`, and where an order is paid for or over
 */
export async function openCheckout(
  deps: OrderDependencies,
  orderIds: readonly string[],
  key: ClientKey | undefined,
  by: OnBehalf,
): Promise<Opened> {
  const commandId = clientCommandId(deps.deriveId, deps.newId, key);
  const checkoutId = deps.deriveId("checkout", commandId);
  const orders = await ordersOf(deps, orderIds);
  const over = orders.find(({ phase }) => !isUnpaid(phase));
  // Sent again, it may find them paid.
  if (over && (await deps.checkouts.find(checkoutId)) === undefined) throw alreadyOver(over);
  const command = { type: "OpenCheckout" as const, data: { checkoutId, orderIds: [...orderIds] } };
  const opened = await deps.checkouts.execute({ checkoutId, commandId, by, command });
  return { ...opened, orders };
}

const alreadyOver = ({ phase }: Order): Refused =>
  new Refused({ code: "forbidden-in-phase", phase, rule: "already-paid" });

const ordersOf = async (
  { orders }: Pick<OrderDependencies, "orders">,
  orderIds: readonly string[],
): Promise<readonly Order[]> =>
  (await Promise.all(orderIds.map((orderId) => orders.load(orderId)))).map(({ order }) => order);

/**
 * Asks the provider whether a checkout is paid for, confirms it in every order, and requests the submission of each that
 * is paid for.
 * @throws as `confirmOrderPayment`; StreamUnreadable once the others are submitted
 */
export async function submitCheckout(
  deps: OrderDependencies,
  { orderIds }: Checkout,
  by: OnBehalf,
): Promise<readonly OrderResult[]> {
  const seen = await Promise.all(orderIds.map((orderId) => ifReadable(deps.orders.lastSeen(orderId))));
  const unpaid = seen.find((one) => one && isUnpaid(one.order.phase))?.order.orderId;
  // What it pays for is confirmed in all that can be read.
  if (unpaid !== undefined) await confirmOrderPayment(deps, unpaid, onBehalfIn(by, unpaid));
  return allOf(orderIds.map((orderId) => submitIfPaid(deps, orderId, onBehalfIn(by, orderId))));
}

/** As it is, where it is over by then, or not paid for. */
async function submitIfPaid(deps: OrderDependencies, orderId: string, by: OnBehalf): Promise<OrderResult> {
  try {
    return await requestSubmission(deps, orderId, by);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return deps.orders.load(orderId);
  }
}

const payableTotal = (orders: readonly Order[]): number =>
  orders.reduce((sum, { phase, quotedTotalPence }) => sum + (isUnpaid(phase) ? quotedTotalPence : 0), 0);

const presentCheckout = ({
  checkout,
  orders,
}: Opened): Presented<typeof contract.openCheckout.answers.schema> => ({
  id: checkout.checkoutId,
  totalAmount: poundsOf(payableTotal(orders)),
  orders: orders.map(({ orderId, orderNumber, quotedTotalPence }) => ({
    id: orderId,
    orderNumber,
    totalAmount: poundsOf(quotedTotalPence),
  })),
});

/** Only for a caller who may work on each of its orders: to others it does not exist. */
async function admitted(
  { checkouts }: Pick<OrderDependencies, "checkouts">,
  caller: Caller,
  id: unknown,
): Promise<Checkout> {
  const checkoutId = orderIdIn(id);
  const checkout = checkoutId === undefined ? undefined : await checkouts.lastSeen(checkoutId);
  if (!checkout) throw notFound();
  await Promise.all(checkout.orderIds.map((orderId) => authorizeForOrder(caller, orderId)));
  return checkout;
}

/** The party that opens a checkout or pays for it: a customer is named by its first order. */
const behalfIn = (
  [orderId = ""]: readonly string[],
  { caller, correlationId }: { readonly caller: Caller; readonly correlationId: string },
): OnBehalf => behalfOf({ orderId, caller, correlationId });

export const open = route(contract.openCheckout, ({ deps }) => async (call) => {
  const { orderIds } = call.body;
  await Promise.all(orderIds.map((orderId) => authorizeForOrder(call.caller, orderId)));
  const key = keyFor("open-checkout", call.idempotencyKey);
  const opened = await openCheckout(deps, orderIds, key, behalfIn(orderIds, call));
  return { body: presentCheckout(opened), position: opened.position };
});

export const pay = route(contract.payCheckout, ({ deps }) => async (call) => {
  const checkout = await admitted(deps, call.caller, call.request.params.id);
  const { amountPence } = call.body;
  const by = behalfIn(checkout.orderIds, call);
  const { clientSecret, position } = await requestCheckoutPayment(deps, checkout, amountPence, by);
  return { body: { clientSecret }, position };
});

export const reportPaid = route(contract.reportCheckoutPaid, ({ deps }) => async (call) => {
  const checkout = await admitted(deps, call.caller, call.request.params.id);
  const orders = await submitCheckout(deps, checkout, behalfIn(checkout.orderIds, call));
  const { position } = latest(orders);
  const body = { id: checkout.checkoutId, orders: orders.map(({ order }) => presentStatus(order)) };
  return { body, position };
});
