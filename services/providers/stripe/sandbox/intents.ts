import type { Client, Pool } from "../../../../infra/postgres/pool.ts";

/** The bank's answer to a card. Codes and sentences are in Stripe's format. */
export type CardAnswer =
  | { kind: "paid" }
  | { kind: "authenticate" }
  | { kind: "declined"; code: string; declineCode: string | null; message: string };

const declined = (declineCode: string, message = "Your card was declined."): CardAnswer => ({
  kind: "declined",
  code: "card_declined",
  declineCode,
  message,
});
const faulty = (code: string, message: string): CardAnswer => ({
  kind: "declined",
  code,
  declineCode: null,
  message,
});

/** The bank's answer to any card past its expiry month. */
export const expiredCard = faulty("expired_card", "Your card has expired.");

/** https://docs.stripe.com/testing: Stripe's own numbers, so tests transfer to Stripe. */
const cards: Readonly<Record<string, CardAnswer>> = {
  "4242424242424242": { kind: "paid" },
  "4000002500003155": { kind: "authenticate" },
  "4000000000000002": declined("generic_decline"),
  "4000000000009995": declined("insufficient_funds", "Your card has insufficient funds."),
  "4000000000000069": expiredCard,
  "4000000000000127": faulty("incorrect_cvc", "Your card's security code is incorrect."),
  "4000000000000119": faulty(
    "processing_error",
    "An error occurred while processing your card. Try again in a little bit.",
  ),
};

const notATestCard = declined(
  "test_mode_live_card",
  "Your card was declined. This is a sandbox: use one of the test cards named below the form.",
);

/** The bank's answer to a card number (digits only). Any number that is not a test card's is refused. */
export const answerOfCard = (number: string): CardAnswer => cards[number] ?? notATestCard;

const tokens: Readonly<Record<string, CardAnswer>> = {
  pm_card_visa: { kind: "paid" },
  pm_card_authenticationRequired: { kind: "authenticate" },
  pm_card_chargeDeclined: declined("generic_decline"),
  pm_card_chargeDeclinedInsufficientFunds: declined(
    "insufficient_funds",
    "Your card has insufficient funds.",
  ),
};

/** The bank's answer to one of Stripe's test payment methods, as used by a server; undefined if unknown. */
export const answerOfToken = (paymentMethod: string): CardAnswer | undefined => tokens[paymentMethod];

/** An error in Stripe's format. */
export class StripeRefusal extends Error {
  override name = "StripeRefusal";
  readonly status: number;
  readonly type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  readonly code: string | undefined;
  readonly declineCode: string | undefined;
  readonly intent: Intent | undefined;
  constructor(
    status: number,
    message: string,
    more: {
      type?: StripeRefusal["type"];
      code?: string;
      declineCode?: string | undefined;
      intent?: Intent;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.type = more.type ?? "invalid_request_error";
    this.code = more.code;
    this.declineCode = more.declineCode;
    this.intent = more.intent;
  }
}

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

export type IntentChange = { intent: Intent; event: string };

const requireOpen = (intent: Intent, verb: string): void => {
  if (intent.status === "succeeded" || intent.status === "canceled") {
    throw new StripeRefusal(400, `This PaymentIntent could not be ${verb}: its status is ${intent.status}.`, {
      code: "payment_intent_unexpected_state",
      intent,
    });
  }
};

const authenticationFailed: Failure = {
  code: "payment_intent_authentication_failure",
  declineCode: null,
  message:
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

const failed = (intent: Intent, failure: Failure): IntentChange => ({
  intent: { ...intent, status: "requires_payment_method", failure, returnUrl: null },
  event: "payment_intent.payment_failed",
});
const paid = (intent: Intent): IntentChange => ({
  intent: { ...intent, status: "succeeded", failure: null, returnUrl: null },
  event: "payment_intent.succeeded",
});

/** Applies the bank's answer to an open intent. @throws StripeRefusal when it is no longer open */
export function charge(intent: Intent, answer: CardAnswer, returnUrl: string | null): IntentChange {
  requireOpen(intent, "confirmed");
  if (answer.kind === "paid") return paid(intent);
  if (answer.kind === "declined") {
    const { code, declineCode, message } = answer;
    return failed(intent, { code, declineCode, message });
  }
  return {
    intent: { ...intent, status: "requires_action", returnUrl },
    event: "payment_intent.requires_action",
  };
}

/** Ends a 3-D Secure challenge. @throws StripeRefusal when none is open */
export function authenticate(intent: Intent, passed: boolean): IntentChange {
  if (intent.status !== "requires_action") {
    throw new StripeRefusal(400, `No challenge is open: the status is ${intent.status}.`, {
      code: "payment_intent_unexpected_state",
      intent,
    });
  }
  return passed ? paid(intent) : failed(intent, authenticationFailed);
}

/** @throws StripeRefusal when it is already paid or cancelled */
export function cancel(intent: Intent): IntentChange {
  requireOpen(intent, "canceled");
  return {
    intent: { ...intent, status: "canceled", returnUrl: null },
    event: "payment_intent.canceled",
  };
}

const columns = `id, amount, currency, status, client_secret as "clientSecret", metadata, failure,
  return_url as "returnUrl", created_at as "createdAt"`;

const noSuchIntent = () => new StripeRefusal(404, "No such payment_intent.", { code: "resource_missing" });

/** @throws StripeRefusal (404) when there is none */
export async function readIntent(database: Pool | Client, id: string): Promise<Intent> {
  const { rows } = await database.query<Intent>({
    name: "sandbox-read-intent",
    text: `select ${columns} from sandbox.intents where id = $1`,
    values: [id],
  });
  const [intent] = rows;
  if (!intent) throw noSuchIntent();
  return intent;
}

/** The intent of a client secret. @throws StripeRefusal (404) for a wrong id and a wrong secret alike */
export async function readIntentOf(pool: Pool, clientSecret: string): Promise<Intent> {
  const intent = await readIntent(pool, clientSecret.split("_secret_")[0] ?? "");
  if (intent.clientSecret !== clientSecret) throw noSuchIntent();
  return intent;
}

/** Reads and locks it until the transaction ends. @throws StripeRefusal (404) */
export async function lockIntent(client: Client, id: string): Promise<Intent> {
  const { rows } = await client.query<Intent>(
    `select ${columns} from sandbox.intents where id = $1 for update`,
    [id],
  );
  const [intent] = rows;
  if (!intent) throw noSuchIntent();
  return intent;
}

/** Newest first. With a metadata field: only those with this value. */
export async function listIntents(
  pool: Pool,
  limit: number,
  metadata?: { name: string; value: string },
): Promise<Intent[]> {
  const { rows } = await pool.query<Intent>(
    `select ${columns} from sandbox.intents
     where $1::text is null or metadata ->> $1 = $2 order by created_at desc, id limit $3`,
    [metadata?.name ?? null, metadata?.value ?? null, limit],
  );
  return rows;
}

export const insertedColumns =
  "id, amount, currency, status, client_secret, metadata, failure, return_url, created_at";

/** In the order of `insertedColumns`. */
export const insertedValues = (intent: Intent): readonly unknown[] => [
  intent.id,
  intent.amount,
  intent.currency,
  intent.status,
  intent.clientSecret,
  intent.metadata,
  intent.failure,
  intent.returnUrl,
  intent.createdAt,
];

/** Stores an intent without an event: of a past that is made up. */
export async function saveIntent(client: Client, intent: Intent): Promise<void> {
  await client.query(
    `insert into sandbox.intents (${insertedColumns}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [...insertedValues(intent)],
  );
}
