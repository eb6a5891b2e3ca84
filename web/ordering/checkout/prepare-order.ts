import type { openCheckout, payCheckout } from "../../../contract/orders/checkouts.ts";
import type { createPaymentIntent, openOrder } from "../../../contract/orders/ordering.ts";
import type { Answered } from "../../../contract/request.ts";
import {
  orderPayloadOf,
  type VariantPayload,
  variantPayloadOf,
} from "../../../domain/forms/order-payload.ts";
import { personalDetailsSchema } from "../../../domain/forms/personal-details.ts";
import { penceOf, poundsOf } from "../../../domain/pricing/money.ts";
import { certificatesOf } from "../draft/basket.ts";
import { validDetails } from "../draft/certificate-answers.ts";
import type { Draft } from "../draft/draft.ts";
import { keyOf, type OrderAttempt } from "./order-attempt.ts";

/** Inputs from outside the draft: prices, agreed versions, the day in London. */
interface OrderTerms {
  totalPence: number;
  termsVersion: number;
  consentVersion: number;
  today: string;
}

/** The request bodies for a draft; the variant's still lacks its reference. */
export interface OrderRequest {
  order: ReturnType<typeof orderPayloadOf> & {
    readonly savedDrafts: readonly string[];
    readonly draftId?: string;
  };
  variant: (reference: string) => VariantPayload;
  /** The request as text: equal for equal requests. */
  asked: string;
}

/**
 * The request for the certificate that is open.
 * @throws Error for an incomplete draft, which cannot reach step 5
 */
export function orderRequestOf(draft: Draft, terms: OrderTerms): OrderRequest {
  const person = personalDetailsSchema.parse(draft.personalDetails);
  const { totalPence, termsVersion, consentVersion } = terms;
  const signature = draft.signature.trim();
  const consents = { signature, termsVersion, consentVersion };
  const order = {
    ...orderPayloadOf(person, totalPence, consents),
    savedDrafts: draft.savedKeys,
    ...(!draft.isAnotherCopy && { draftId: draft.id }),
  };
  const { fullCertificates, shortCertificates, isPriority } = draft.certificateOptions;
  const choice = { fullCopies: fullCertificates, shortCopies: shortCertificates, isPriority, totalPence };
  const valid = validDetails(draft, terms.today);
  if (!valid) throw new Error("The certificate's details are not complete");
  const variant = (reference: string) =>
    variantPayloadOf(person, valid.type, valid.details, { ...choice, reference });
  return { order, variant, asked: JSON.stringify([order, variant("")]) };
}

/**
 * The requests for all certificates of a draft; `totalsPence` has what each costs.
 * @throws as `orderRequestOf`
 */
export const orderRequestsOf = (
  draft: Draft,
  totalsPence: readonly number[],
  terms: Omit<OrderTerms, "totalPence">,
): OrderRequest[] =>
  certificatesOf(draft).map((certificate, place) =>
    orderRequestOf({ ...draft, ...certificate }, { ...terms, totalPence: totalsPence[place] ?? 0 }),
  );

/** The requests as one text: equal for equal requests. */
export const askedIn = (requests: readonly OrderRequest[]): string =>
  requests.map(({ asked }) => asked).join();

/**
 * The calls that make orders payable, and the attempt's store; passed in for tests of each failure.
 */
export interface OrderCalls {
  openOrder: (order: OrderRequest["order"], key: string) => Promise<Answered<typeof openOrder>>;
  chooseVariant: (orderId: string, variant: VariantPayload, key: string) => Promise<unknown>;
  createPaymentIntent: (
    orderId: string,
    amount: number,
    key: string,
  ) => Promise<Answered<typeof createPaymentIntent>>;
  openCheckout: (orderIds: readonly string[], key: string) => Promise<Answered<typeof openCheckout>>;
  payCheckout: (checkoutId: string, amount: number, key: string) => Promise<Answered<typeof payCheckout>>;
  /** Cancels an order of an earlier draft; its number if it is paid for, and stays. */
  cancelReplaced: (orderId: string, key: string) => Promise<string | null>;
  keep: (attempt: OrderAttempt) => OrderAttempt;
}

/** Orders of an earlier draft turned out to be paid for: in another tab, or by a charge whose outcome was not seen. */
export class AlreadyPaid extends Error {
  override name = "AlreadyPaid";
  readonly orderNumbers: readonly string[];
  constructor(orderNumbers: readonly string[]) {
    super(`Paid for already: ${orderNumbers.join(", ")}`);
    this.orderNumbers = orderNumbers;
  }
}

/**
 * Advances an attempt: cancels the orders it replaces; creates its own, one after the other, each with its certificate;
 * requests the payment. Saves progress after each call, so the next run continues from there.
 * @throws AlreadyPaid, and the failing call's error
 */
export async function prepareOrder(
  attempt: OrderAttempt,
  requests: readonly OrderRequest[],
  calls: OrderCalls,
): Promise<OrderAttempt> {
  if (attempt.clientSecret !== null) return attempt;
  const free = await withoutReplaced(attempt, calls);
  const ordered = await withOrders(free, requests, calls);
  const payable = await withCheckout(ordered, calls);
  const { clientSecret } = await askForPayment(payable, requests, calls);
  return calls.keep({ ...payable, clientSecret });
}

/** Cancels the earlier draft's orders first: otherwise both could be paid. Those paid for already are kept. */
async function withoutReplaced(attempt: OrderAttempt, calls: OrderCalls): Promise<OrderAttempt> {
  let reached = attempt;
  const paid: string[] = [];
  for (const orderId of attempt.replaces) {
    const orderNumber = await calls.cancelReplaced(orderId, attempt.key);
    if (orderNumber !== null) paid.push(orderNumber);
    else
      reached = calls.keep({ ...reached, replaces: reached.replaces.filter((other) => other !== orderId) });
  }
  if (paid.length === 0) return reached;
  calls.keep({ ...reached, replaces: [] });
  throw new AlreadyPaid(paid);
}

/** The last order that was created may not have its certificate yet. */
async function withOrders(
  attempt: OrderAttempt,
  requests: readonly OrderRequest[],
  calls: OrderCalls,
): Promise<OrderAttempt> {
  let reached = attempt;
  for (const [place, request] of requests.entries()) {
    if (place < attempt.orders.length - 1) continue;
    reached = await withOrder(reached, place, request, calls);
  }
  return reached;
}

async function withOrder(
  attempt: OrderAttempt,
  place: number,
  request: OrderRequest,
  calls: OrderCalls,
): Promise<OrderAttempt> {
  const key = keyOf(attempt, place);
  const order = attempt.orders[place] ?? (await created(request, key, calls));
  const reached = calls.keep({ ...attempt, orders: attempt.orders.toSpliced(place, 1, order) });
  await calls.chooseVariant(order.orderId, request.variant(order.reference), key);
  return reached;
}

async function created({ order }: OrderRequest, key: string, calls: OrderCalls) {
  const { id: orderId, orderNumber, reference } = await calls.openOrder(order, key);
  return { orderId, orderNumber, reference };
}

/** One order alone needs no checkout. */
async function withCheckout(attempt: OrderAttempt, calls: OrderCalls): Promise<OrderAttempt> {
  if (attempt.orders.length === 1 || attempt.checkoutId !== null) return attempt;
  const ids = attempt.orders.map(({ orderId }) => orderId);
  const { id: checkoutId } = await calls.openCheckout(ids, attempt.key);
  return calls.keep({ ...attempt, checkoutId });
}

function askForPayment(
  { orders: [first], checkoutId, key }: OrderAttempt,
  requests: readonly OrderRequest[],
  calls: OrderCalls,
): Promise<{ clientSecret: string }> {
  const amount = poundsOf(requests.reduce((sum, { order }) => sum + (penceOf(order.totalAmount) ?? 0), 0));
  return checkoutId === null
    ? calls.createPaymentIntent(first?.orderId ?? "", amount, key)
    : calls.payCheckout(checkoutId, amount, key);
}
