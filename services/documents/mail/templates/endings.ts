import type { ReturnAtEnd } from "../../../../domain/order/payment/refund-tasks.ts";
import type { CancellationReason, FailureCause, FailureReason } from "../../../../domain/order/vocabulary.ts";
import { formatPounds } from "../../../../domain/pricing/money.ts";
import { groFees } from "../../../../domain/pricing/price-list.ts";
import { writtenMoment } from "../../dates.ts";
import {
  button,
  facts,
  heading,
  type Letter,
  type Occasion,
  type OneOfSeveral,
  paragraph,
  section,
} from "../letter.ts";

const toTheCard = "It will reach the card you paid with in 5 to 10 working days.";
const seeOrder = (values: Occasion) => button("See your order", values.trackingLink);

const whyCancelled: Readonly<Record<CancellationReason, (on: string) => string>> = {
  customerRequest: (on) => `As you asked, we cancelled your order on ${on}.`,
  staffRequest: (on) => `We cancelled your order on ${on}.`,
  expired: (on) => `Your order was not paid in time, so it was cancelled on ${on}.`,
  replaced: (on) => `You placed a new order with changed details, so this one was cancelled on ${on}.`,
  unconfirmed: (on) =>
    `We must send you a confirmation before we can submit your application. We could not deliver it for seven days, so your order was cancelled on ${on}.`,
};

/** What goes back to the customer: in all, and what of it is refunded now. The rest went back before. */
type Money = Omit<ReturnAtEnd, "reason">;

export const inAll = (returns: readonly Money[]): Money => ({
  claimedPence: sumOf(returns.map(({ claimedPence }) => claimedPence)),
  refundPence: sumOf(returns.map(({ refundPence }) => refundPence)),
});

const alreadyReturned = ({ claimedPence, refundPence }: Money): string =>
  formatPounds(claimedPence - refundPence);

/** That everything goes back that was paid for something. */
function allGoesBack(what: string, money: Money): string {
  const { claimedPence, refundPence } = money;
  const refund = formatPounds(refundPence);
  if (refundPence === claimedPence)
    return `We are refunding everything you paid for ${what}, ${refund}. ${toTheCard}`;
  if (refundPence === 0)
    return `Everything you paid for ${what}, ${formatPounds(claimedPence)}, has already gone back to you.`;
  return `We are refunding the rest of what you paid for ${what}, ${refund}: ${alreadyReturned(money)} has already gone back to you. ${toTheCard}`;
}

type CancelledValues = Occasion & {
  reason: CancellationReason;
  cancelledAt: string;
  money: Money;
};

export const cancelled = (values: CancelledValues): Letter => ({
  subject: "Your order was cancelled",
  blocks: [
    paragraph(whyCancelled[values.reason](writtenMoment(values.cancelledAt))),
    paragraph("Nothing was submitted to the General Register Office, and we have deleted your application."),
    paragraph(allGoesBack("it", values.money)),
    seeOrder(values),
  ],
});

const whyAllCancelled: Readonly<Record<CancellationReason, string>> = {
  customerRequest: "As you asked, we have cancelled these orders.",
  staffRequest: "We have cancelled these orders.",
  expired: "These orders were not paid in time, so they were cancelled.",
  replaced: "You placed new orders with changed details, so these were cancelled.",
  unconfirmed:
    "We must send you a confirmation before we can submit your applications. We could not deliver it for seven days, so these orders were cancelled.",
};

type CancelledOrder = OneOfSeveral & Pick<CancelledValues, "cancelledAt" | "money">;

export const cancelledTogether = (reason: CancellationReason, orders: readonly CancelledOrder[]): Letter => ({
  subject: "Your orders were cancelled",
  blocks: [
    paragraph(whyAllCancelled[reason]),
    paragraph("Nothing was submitted to the General Register Office, and we have deleted your applications."),
    ...orders.flatMap((order) =>
      section(
        order,
        facts(
          { name: "Order number", value: order.orderNumber },
          { name: "Cancelled", value: writtenMoment(order.cancelledAt) },
          ...(order.money.refundPence < order.money.claimedPence
            ? [{ name: "Already returned", value: alreadyReturned(order.money) }]
            : []),
          { name: "Refund", value: formatPounds(order.money.refundPence) },
        ),
        button(`See order ${order.orderNumber}`, order.trackingLink),
      ),
    ),
    heading("Your refund"),
    paragraph(allGoesBack("these orders", inAll(orders.map(({ money }) => money)))),
  ],
});

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, pence) => sum + pence, 0);

type CancellationTooLateValues = Occasion & { submittedAt: string };

/** A cancellation that arrived after submission had started. */
export const cancellationTooLate = (values: CancellationTooLateValues): Letter => ({
  subject: "It was too late to cancel your order",
  blocks: [
    paragraph(
      `You asked us to cancel your order. By then your application was on its way, and we now know that the General Register Office (GRO) received it on ${writtenMoment(values.submittedAt)}.`,
    ),
    paragraph(
      "Our service is complete and the GRO fee has been paid, so the order goes ahead and your certificate will be sent to you.",
    ),
    seeOrder(values),
  ],
});

type FailedValues = Occasion & {
  cause: FailureCause;
  reason: FailureReason;
  /** True if it failed before anything was submitted. */
  isUnsubmitted: boolean;
  /** Undefined when no rule requires a refund. */
  money: Money | undefined;
};

const whyFailed: Readonly<Record<FailureReason, string>> = {
  submissionFailed: "We were not able to submit your application to the General Register Office (GRO).",
  recordNotFound:
    "The General Register Office (GRO) searched its records and did not find the one you asked for.",
  detailsInsufficient:
    "The details given were not enough for the General Register Office (GRO) to search for the record.",
  notEligible: "The General Register Office (GRO) cannot issue this certificate.",
  serviceError: "Something went wrong on our side.",
};

function whyItFailed({ reason, isUnsubmitted }: FailedValues): string {
  if (!isUnsubmitted || reason === "submissionFailed") return whyFailed[reason];
  const why = reason === "recordNotFound" ? "The record you asked for was not found." : whyFailed[reason];
  return `${why} Your application was not submitted.`;
}

function moneyOfFailure({ cause, isUnsubmitted, money }: FailedValues, supportEmail: string): string {
  if (money === undefined) {
    return `Our terms do not provide for a refund in this case. If you think this is wrong, email ${supportEmail} and a person will look into it.`;
  }
  if (cause === "ours")
    return `This is our error, not yours, and we are sorry. ${allGoesBack("this order", money)}`;
  if (isUnsubmitted) return allGoesBack("this order", money);
  const { claimedPence, refundPence } = money;
  const claimed = formatPounds(claimedPence);
  const kept = `it keeps ${formatPounds(groFees.keptWhenNotFoundPence)} of each fee for the search.`;
  if (refundPence === claimedPence)
    return `We are refunding what the GRO returns to us, ${claimed}: ${kept} ${toTheCard}`;
  const returned = `The GRO returns ${claimed} to us: ${kept}`;
  return refundPence === 0
    ? `${returned} You have already had at least that much back, so there is nothing more to refund.`
    : `${returned} ${alreadyReturned(money)} has already gone back to you, so we are refunding ${formatPounds(refundPence)}. ${toTheCard}`;
}

export const failed = (values: FailedValues, { supportEmail }: { supportEmail: string }): Letter => ({
  subject: "We could not complete your order",
  blocks: [
    paragraph(whyItFailed(values)),
    paragraph(moneyOfFailure(values, supportEmail)),
    paragraph("We have deleted what was left of your application."),
    seeOrder(values),
  ],
});

type RefundedValues = Occasion & {
  amountPence: number;
  way: "card" | "bankTransfer";
  refundedAt: string;
};

type RefundedOrder = OneOfSeveral & Omit<RefundedValues, keyof Occasion>;

export const refundedTogether = (orders: readonly RefundedOrder[]): Letter => ({
  subject: `We refunded ${formatPounds(sumOf(orders.map(({ amountPence }) => amountPence)))}`,
  blocks: [
    paragraph("We made a refund for each of these orders."),
    ...orders.flatMap((order) =>
      section(
        order,
        facts(
          { name: "Order number", value: order.orderNumber },
          { name: "Refunded", value: formatPounds(order.amountPence) },
          { name: "When", value: writtenMoment(order.refundedAt) },
        ),
        paragraph(onItsWay[order.way]),
        button(`See order ${order.orderNumber}`, order.trackingLink),
      ),
    ),
  ],
});

const onItsWay: Readonly<Record<RefundedValues["way"], string>> = {
  card: toTheCard,
  bankTransfer:
    "Your card did not accept the refund, so we are sending it to your bank account by bank transfer.",
};

export const refunded = (values: RefundedValues): Letter => ({
  subject: `We refunded ${formatPounds(values.amountPence)}`,
  blocks: [
    paragraph(
      `On ${writtenMoment(values.refundedAt)} we refunded ${formatPounds(values.amountPence)} for this order. ${onItsWay[values.way]}`,
    ),
    seeOrder(values),
  ],
});
