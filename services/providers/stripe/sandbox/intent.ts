type IntentStatus = "requires_payment_method" | "requires_action" | "succeeded" | "canceled";

export type Failure = { code: string; declineCode: string | null; message: string };

/** A payment intent as Stripe would store it. Amount in the currency's smallest unit. */
export type Intent = {
  id: string;
  amount: number;
  currency: string;
  status: IntentStatus;
  clientSecret: string;
  metadata: Readonly<Record<string, string>>;
  failure: Failure | null;
  returnUrl: string | null;
  createdAt: Date;
};
