/** A payment intent as the provider tells it, parsed. Amounts in integer pence. */
export type Intent = {
  id: string;
  status: "unpaid" | "processing" | "succeeded" | "cancelled";
  amountPence: number;
  currency: string;
  orderId: string | undefined;
  attempt: number | undefined;
  /** Never logged, never stored by us. */
  clientSecret: string;
  /** The provider's code of the last failed attempt, undefined when there was none. */
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

/** A cardholder asked the bank for the money back. */
export type ProviderDispute = {
  id: string;
  /** Undefined when the payment had no intent, and so was none of ours. */
  intentId: string | undefined;
  amountPence: number;
  /** The provider's own word. */
  reason: string;
  /** Undefined while nobody has decided. */
  outcome: "won" | "lost" | "warningClosed" | undefined;
};

/** A verified webhook says only where to look: the intent, refund or dispute is then retrieved. */
export type PaymentNotice =
  | { eventId: string; kind: "intent"; intentId: string }
  | { eventId: string; kind: "refund"; intentId: string; refundId: string }
  | { eventId: string; kind: "dispute"; disputeId: string }
  | { eventId: string; kind: "other" };

/** A span of time in which something happened at the provider: `from` counts in, `until` does not. Whole seconds. */
export type NoticeSpan = { readonly from: Date; readonly until: Date };

/** One page of notices, newest first. */
export type UndeliveredPage = {
  readonly notices: readonly PaymentNotice[];
  /** Asks for the next, older page; undefined on the last. */
  readonly next: string | undefined;
};

/** The port of the card provider, Stripe and its sandbox alike. */
export interface Payments {
  createIntent(request: { orderId: string; amountPence: number; attempt: number }): Promise<Intent>;
  retrieveIntent(intentId: string): Promise<Intent>;
  /** Answers the intent as it then is: `succeeded` when the customer was faster. */
  cancelIntent(intentId: string): Promise<Intent>;
  intentsOf(orderId: string): Promise<Intent[]>;
  /** Asks for earlier refunds with this refund id before making one, so that a retry never refunds twice. */
  refund(request: { refundId: string; intentId: string; amountPence: number }): Promise<ProviderRefund>;
  refundsOf(intentId: string): Promise<ProviderRefund[]>;
  retrieveDispute(disputeId: string): Promise<ProviderDispute>;
  /** What it could not tell us by webhook, or not yet, of a span within its memory (30 days). @throws PaymentsRefused when `after` is forgotten */
  undeliveredNotices(span: NoticeSpan, after?: string): Promise<UndeliveredPage>;
  /** @throws WebhookRefused on a wrong signature or one older than 300 s */
  readWebhook(rawBody: Buffer, signature: string | undefined): PaymentNotice;
}

export class WebhookRefused extends Error {
  override name = "WebhookRefused";
}
/** The provider could not be reached or answered with a fault: nothing is known, try again. */
export class PaymentsUnavailable extends Error {
  override name = "PaymentsUnavailable";
}
/** The provider understood and said no: trying again unchanged gives the same answer. */
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
