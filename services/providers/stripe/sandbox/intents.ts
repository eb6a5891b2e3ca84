import type { Client, Pool } from "../../../../infra/postgres/pool.ts";
import type { CardAnswer } from "./cards/test-cards.ts";
import type { Failure, Intent } from "./intent.ts";
import { StripeRefusal } from "./refusal.ts";

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
export async function readIntent(pool: Pool, id: string): Promise<Intent> {
  const { rows } = await pool.query<Intent>(`select ${columns} from sandbox.intents where id = $1`, [id]);
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

/** Inserts, or updates the mutable fields. */
export async function saveIntent(client: Client, intent: Intent): Promise<void> {
  await client.query(
    `insert into sandbox.intents
       (id, amount, currency, status, client_secret, metadata, failure, return_url, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update
       set status = excluded.status, failure = excluded.failure, return_url = excluded.return_url`,
    [
      intent.id,
      intent.amount,
      intent.currency,
      intent.status,
      intent.clientSecret,
      intent.metadata,
      intent.failure,
      intent.returnUrl,
      intent.createdAt,
    ],
  );
}
