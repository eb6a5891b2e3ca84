import type { createPaymentIntent, openOrder } from "../../../contract/orders/ordering.ts";
import type { Answered } from "../../../contract/request.ts";
import {
  orderPayloadOf,
  type VariantPayload,
  variantPayloadOf,
} from "../../../domain/forms/order-payload.ts";
import { personalDetailsSchema } from "../../../domain/forms/personal-details.ts";
import { validDetails } from "../draft/certificate-answers.ts";
import type { Draft } from "../draft/draft.ts";
import type { OrderAttempt } from "./order-attempt.ts";

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

/** @throws Error for an incomplete draft, which cannot reach step 5 */
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
 * The calls that make an order payable, and the attempt's store; passed in for tests of each failure.
 */
export interface OrderCalls {
  openOrder: (order: OrderRequest["order"], key: string) => Promise<Answered<typeof openOrder>>;
  chooseVariant: (orderId: string, variant: VariantPayload, key: string) => Promise<unknown>;
  createPaymentIntent: (
    orderId: string,
    amount: number,
    key: string,
  ) => Promise<Answered<typeof createPaymentIntent>>;
  cancelReplaced: (orderId: string, key: string) => Promise<void>;
  keep: (attempt: OrderAttempt) => OrderAttempt;
}

/**
 * Advances an attempt: cancels the order it replaces, creates its own, chooses the certificate, requests the payment.
 * Saves progress after each call, so the next run continues from there.
 * @throws the failing call's error
 */
export async function prepareOrder(
  attempt: OrderAttempt,
  request: OrderRequest,
  calls: OrderCalls,
): Promise<OrderAttempt> {
  const free = await withoutReplaced(attempt, calls);
  const ordered = await withOrder(free, request, calls);
  if (ordered.orderId === null || ordered.clientSecret !== null) return ordered;
  await calls.chooseVariant(ordered.orderId, request.variant(ordered.reference ?? ""), ordered.key);
  const { clientSecret } = await calls.createPaymentIntent(
    ordered.orderId,
    request.order.totalAmount,
    ordered.key,
  );
  return calls.keep({ ...ordered, clientSecret });
}

/** Cancels the earlier draft's order first: otherwise both could be paid. */
async function withoutReplaced(attempt: OrderAttempt, calls: OrderCalls): Promise<OrderAttempt> {
  if (attempt.replaces === null) return attempt;
  await calls.cancelReplaced(attempt.replaces, attempt.key);
  return calls.keep({ ...attempt, replaces: null });
}

async function withOrder(
  attempt: OrderAttempt,
  request: OrderRequest,
  calls: OrderCalls,
): Promise<OrderAttempt> {
  if (attempt.orderId !== null) return attempt;
  const { id, orderNumber, reference } = await calls.openOrder(request.order, attempt.key);
  return calls.keep({ ...attempt, orderId: id, orderNumber, reference });
}
