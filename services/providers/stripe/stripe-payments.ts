import Stripe from "stripe";
import { z } from "zod";
import { intentKey } from "../../../domain/order/payment/provider-keys.ts";
import {
  type Intent,
  type Payments,
  PaymentsRefused,
  PaymentsUnavailable,
  type ProviderRefund,
  WebhookRefused,
} from "./payments.ts";
import {
  parseDispute,
  parseIntent,
  parseNotice,
  parseRefund,
  stripeApiVersion,
  takenEvents,
} from "./stripe-answers.ts";

export type StripeSettings = {
  secretKey: string;
  webhookSecret: string;
  now: () => Date;
  /** Overrides Stripe's host and https, for the sandbox and tests only; no setting reaches this. */
  host?: string;
  port?: number;
  protocol?: "http" | "https";
  /** Time-out of one try; there are three. */
  timeoutMs?: number;
};

/** Time-out of one try, while the customer waits. */
const usualTimeoutMs = 10_000;
/**
 * After a time-out, a broken connection, a 409 or a server error, each after half a second or more, under the same
 * idempotency key. Not after 429.
 */
const retries = 2;
const toleranceSeconds = 300;
/** The provider's largest page; an order has a handful of intents and refunds. */
const pageSize = 100;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

/** The card provider through Stripe's own SDK. Its metadata hold our ids and no personal data. */
export function createStripePayments(settings: StripeSettings): Payments {
  const { host, port, protocol } = settings;
  const stripe = new Stripe(settings.secretKey, {
    ...(host && { host }),
    ...(port && { port }),
    ...(protocol && { protocol }),
    apiVersion: stripeApiVersion,
    timeout: settings.timeoutMs ?? usualTimeoutMs,
    maxNetworkRetries: retries,
    telemetry: false,
  });

  const retrieveIntent = (intentId: string): Promise<Intent> =>
    asking(async () => parseIntent(await stripe.paymentIntents.retrieve(intentId)));

  const refundsOf = (intentId: string): Promise<ProviderRefund[]> =>
    asking(async () => {
      const page = await stripe.refunds.list({ payment_intent: intentId, limit: pageSize });
      return page.data.map(parseRefund);
    });

  return {
    retrieveIntent,
    refundsOf,
    retrieveDispute: (disputeId) =>
      asking(async () => parseDispute(await stripe.disputes.retrieve(disputeId))),
    createIntent: async ({ amountPence, attempt, ...payer }) => {
      const { intent, replayed } = await asking(async () => {
        const answer = await stripe.paymentIntents.create(
          {
            amount: amountPence,
            currency: "gbp",
            allowed_payment_method_types: ["card"],
            metadata: { ...payer, attempt: String(attempt) },
          },
          { idempotencyKey: intentKey(payer, attempt, amountPence) },
        );
        return {
          intent: parseIntent(answer),
          replayed: answer.lastResponse.headers["idempotent-replayed"] === "true",
        };
      });
      // A replay shows the intent as created: it may have been paid or cancelled since.
      return replayed ? retrieveIntent(intent.id) : intent;
    },
    cancelIntent: async (intentId) => {
      try {
        return await asking(async () => parseIntent(await stripe.paymentIntents.cancel(intentId)));
      } catch (error) {
        if (error instanceof PaymentsRefused && error.code === "wrongState") return retrieveIntent(intentId);
        throw error;
      }
    },
    intentsOf: (orderId) =>
      asking(async () => {
        const query = `metadata['orderId']:'${z.uuid().parse(orderId)}'`;
        const page = await stripe.paymentIntents.search({ query, limit: pageSize });
        return page.data.map(parseIntent);
      }),
    refund: async ({ refundId, intentId, amountPence }) => {
      const earlier = (await refundsOf(intentId)).find((refund) => refund.refundId === refundId);
      if (earlier) return earlier;
      return asking(async () =>
        parseRefund(
          await stripe.refunds.create(
            { payment_intent: intentId, amount: amountPence, metadata: { refundId } },
            { idempotencyKey: refundId },
          ),
        ),
      );
    },
    undeliveredNotices: ({ from, until }, after) =>
      asking(async () => {
        const page = await stripe.events.list({
          delivery_success: false,
          types: [...takenEvents],
          created: { gte: secondsOf(from), lt: secondsOf(until) },
          limit: pageSize,
          ...(after !== undefined && { starting_after: after }),
        });
        return {
          notices: page.data.map(parseNotice),
          next: page.has_more ? page.data.at(-1)?.id : undefined,
        };
      }),
    readWebhook: (rawBody, signature) => {
      try {
        return parseNotice(
          stripe.webhooks.constructEvent(
            rawBody,
            signature ?? "",
            settings.webhookSecret,
            toleranceSeconds,
            undefined,
            settings.now().getTime(),
          ),
        );
      } catch (error) {
        throw new WebhookRefused("The webhook was not sent by the payment provider, or is too old.", {
          cause: error,
        });
      }
    },
  };
}

/** Runs one call; SDK errors become one of the port's two errors. */
async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const code = refusalOf(error);
    if (code) throw new PaymentsRefused(code);
    throw new PaymentsUnavailable("The payment provider could not be asked.", { cause: error });
  }
}

function refusalOf(error: unknown): PaymentsRefused["code"] | undefined {
  if (error instanceof Stripe.errors.StripeIdempotencyError) return "otherBodyUnderSameKey";
  if (
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError
  ) {
    return "unauthorized";
  }
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return undefined;
  if (error.code === "resource_missing") return "notFound";
  if (error.code === "payment_intent_unexpected_state") return "wrongState";
  if (error.code === "charge_already_refunded") return "nothingLeftToRefund";
  return "invalid";
}
