import { type Share, totalOf } from "../../checkout/shares.ts";
import { Refused } from "../../decider.ts";
import { priceListAt, priceOf } from "../../pricing/price-list.ts";
import type { OrderEvent } from "../events.ts";
import { cellOf, isUnpaid } from "../phases.ts";
import { assertFresh, type Decisions, forbidden, mostPaymentFailures } from "../rules.ts";
import type { Order } from "../state.ts";
import { nextRefundId, refundHold, returnedPence } from "./money.ts";

/** An order's quote is fixed: if the quote is wrong, no other amount helps, only another order. */
const wrongAmount = (order: Order, totalPence: number, unitPricePence: number): Refused =>
  new Refused({
    code: "wrong-amount",
    phase: order.phase,
    rule: order.quotedTotalPence === totalPence ? "total-is-price-times-copies" : "quoted-otherwise",
    details: { totalPence, unitPricePence },
  });

/**
 * Checks, before the payment provider is called, that this order may be paid with this amount.
 * @throws Refused otherwise: wrong phase, no variant, terms or consent missing, or another total
 */
export function assertPayable(order: Order, amountPence: number): void {
  const cell = cellOf("RequestPayment", order.phase);
  if (cell !== "allowed") throw forbidden(order, cell);
  if (order.variant === null) throw forbidden(order, "variant-missing");
  if (order.terms === null) throw forbidden(order, "terms-not-accepted");
  if (order.consent === null) throw forbidden(order, "consent-missing");
  const { totalPence, unitPricePence } = order.variant;
  if (amountPence !== totalPence) throw wrongAmount(order, totalPence, unitPricePence);
}

/**
 * The same for orders that are paid for together.
 * @returns what each is to have of it
 */
export function assertPayableTogether(orders: readonly Order[], amountPence: number): Share[] {
  const shares = orders.map((order) => {
    const { orderId, variant } = order;
    const ownPence = orders.length === 1 ? amountPence : (variant?.totalPence ?? 0);
    assertPayable(order, ownPence);
    return { orderId, amountPence: ownPence };
  });
  const totalPence = totalOf(shares);
  if (totalPence === amountPence) return shares;
  throw new Refused({
    code: "wrong-amount",
    phase: "AwaitingPayment",
    rule: "total-of-all-orders",
    details: { totalPence },
  });
}

/**
 * Refunds money that was not due, less what went back before we knew of the payment: at once or, where that has to
 * wait, by policy afterwards.
 */
function refundOfUnexpected(order: Order, intentId: string, paidPence: number): OrderEvent[] {
  const amountPence = paidPence - returnedPence(order, intentId);
  if (refundHold(order) !== undefined || amountPence <= 0) return [];
  const refundId = nextRefundId(order);
  const data = { refundId, intentId, amountPence, reason: "unexpectedPayment", proposal: null } as const;
  return [{ type: "RefundRequested", data }];
}

/** Choosing what to order, and paying for it. */
export const paymentDecisions: Decisions<
  "AddVariant" | "RequestPayment" | "ConfirmPayment" | "RecordPaymentFailure"
> = {
  AddVariant(order, { amountPence, applicationRef, priceLists, ...choice }, { at }) {
    const price = priceOf(choice, priceListAt(order.variant?.pricedAt ?? at, priceLists));
    if (amountPence !== price.totalPence || order.quotedTotalPence !== price.totalPence) {
      throw wrongAmount(order, price.totalPence, price.unitPricePence);
    }
    const previousApplicationRef = order.vault.application;
    if (previousApplicationRef === applicationRef) return [];
    assertFresh(order, applicationRef);
    const data = { ...choice, ...price, applicationRef };
    return previousApplicationRef === null
      ? [{ type: "VariantAdded", data }]
      : [{ type: "VariantReplaced", data: { ...data, previousApplicationRef } }];
  },

  RequestPayment(order, data) {
    assertPayable(order, data.amountPence);
    const { open, count } = order.intents;
    if (open?.intentId === data.intentId) return [];
    if (open && open.intentId !== data.closedIntentId) {
      throw forbidden(order, "payment-open", { intentId: open.intentId });
    }
    if (data.attempt !== count + 1) throw forbidden(order, "wrong-attempt", { attempt: count + 1 });
    return [{ type: "PaymentRequested", data }];
  },

  ConfirmPayment(order, { intentId, amountPence }) {
    if (order.payments.some((payment) => payment.intentId === intentId)) return [];
    if (isUnpaid(order.phase) && order.variant?.totalPence === amountPence) {
      return [{ type: "PaymentConfirmed", data: { intentId, amountPence } }];
    }
    return [
      { type: "PaymentReceivedUnexpectedly", data: { intentId, amountPence } },
      ...refundOfUnexpected(order, intentId, amountPence),
    ];
  },

  RecordPaymentFailure: ({ counts }, data) =>
    (counts.PaymentFailed ?? 0) < mostPaymentFailures ? [{ type: "PaymentFailed", data }] : [],
};
