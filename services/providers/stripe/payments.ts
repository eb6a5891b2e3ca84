/** What an intent pays for: an order alone, or a checkout of several. */
export type Payer = { orderId: string } | { checkoutId: string };

/** A payment intent of the provider, parsed. Amounts in integer pence. */
export type Intent = {
  id: string;
  status: "unpaid" | "processing" | "succeeded" | "cancelled";
  amountPence: number;
  currency: string;
  /** The order that it pays for, or the checkout of several, as the metadata say. */
  orderId: string | undefined;
  checkoutId: string | undefined;
  attempt: number | undefined;
  /** Never logged, never stored by us. */
  clientSecret: string;
  /** The provider's code for the last failed attempt, undefined if none. */
  failureCode: string | undefined;
};

export type ProviderRefund = {
  id: string;
  /** Our refund's id, from the metadata. */
  refundId: string | undefined;
  intentId: string;
  amountPence: number;
  status: "pending" | "succeeded" | "failed";
  failureCode: string | undefined;
};

/** A chargeback requested by the cardholder. */
export type ProviderDispute = {
  id: string;
  /** Undefined when the payment had no intent, and so was not ours. */
  intentId: string | undefined;
  amountPence: number;
  reason: string;
  /** Undefined while undecided. */
  outcome: "won" | "lost" | "warningClosed" | undefined;
};

/** A verified webhook is only a pointer: the intent, refund or dispute is then retrieved. */
export type PaymentNotice =
  | { eventId: string; kind: "intent"; intentId: string; outcome: "succeeded" | "failed" }
  | { eventId: string; kind: "refund"; intentId: string; refundId: string }
  | { eventId: string; kind: "dispute"; disputeId: string }
  | { eventId: string; kind: "other" };

/** A period at the provider, `from` inclusive, `until` exclusive. Whole seconds. */
type NoticeSpan = { readonly from: Date; readonly until: Date };

/** One page of notices, newest first. */
type UndeliveredPage = {
  readonly notices: readonly PaymentNotice[];
  /** Cursor of the next, older page; undefined on the last. */
  readonly next: string | undefined;
};

/** Port of the card provider, Stripe and its sandbox alike. */
export interface Payments {
  createIntent(request: Payer & { amountPence: number; attempt: number }): Promise<Intent>;
  retrieveIntent(intentId: string): Promise<Intent>;
  /** Returns the resulting intent: `succeeded` if the customer paid first. */
  cancelIntent(intentId: string): Promise<Intent>;
  intentsOf(orderId: string): Promise<Intent[]>;
  /** Looks up earlier refunds with this refund id before making one, so a retry never refunds twice. */
  refund(request: { refundId: string; intentId: string; amountPence: number }): Promise<ProviderRefund>;
  refundsOf(intentId: string): Promise<ProviderRefund[]>;
  retrieveDispute(disputeId: string): Promise<ProviderDispute>;
  /**
   * Events without a delivered webhook within the last 30 days. @throws PaymentsRefused when `after` is no longer known
   */
  undeliveredNotices(span: NoticeSpan, after?: string): Promise<UndeliveredPage>;
  /** @throws WebhookRefused for a wrong signature or one older than 300 s */
  readWebhook(rawBody: Buffer, signature: string | undefined): PaymentNotice;
}

export class WebhookRefused extends Error {
  override name = "WebhookRefused";
}
/** The provider could not be reached or answered with an error: the outcome is unknown, retry. */
export class PaymentsUnavailable extends Error {
  override name = "PaymentsUnavailable";
}
/** The provider refused: retrying unchanged gives the same answer. */
export class PaymentsRefused extends Error {
  override name = "PaymentsRefused";
  readonly code:
    | "notFound"
    | "wrongState"
    | "nothingLeftToRefund"
    | "otherBodyUnderSameKey"
    | "unauthorized"
    | "invalid";
  constructor(code: PaymentsRefused["code"]) {
    super(`The payment provider refused: ${code}.`);
    this.code = code;
  }
}
