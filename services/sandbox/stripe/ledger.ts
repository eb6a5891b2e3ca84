import type { JsonObject } from "../../../infra/json.ts";
import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import type { Deliveries } from "../deliveries.ts";
import {
  authenticate,
  cancel,
  charge,
  type Intent,
  type IntentChange,
  lockIntent,
  saveIntent,
} from "./intents.ts";
import { eventJson, intentJson, refundJson } from "./presenting.ts";
import { addRefund, type Refund } from "./refunds.ts";
import type { CardAnswer } from "./test-cards.ts";

/** How the stand-in treats its receivers: told to, it delivers webhooks twice, late and out of order, or fails refunds. */
export type StripeBehaviour = { webhooks: "ok" | "hostile"; refunds: "ok" | "fail" };

/**
 * The only place where intents and refunds change. Each change is stored with the event that tells of it and the
 * webhooks that are owed for it, so a crash loses none.
 */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(parts: {
  pool: Pool;
  deliveries: Deliveries;
  behaviour: () => StripeBehaviour;
  /** How late a hostile webhook may come. */
  latestMs: number;
  now: () => Date;
  newId: () => string;
  random: () => number;
}) {
  const { pool, deliveries, behaviour, latestMs, now, newId, random } = parts;
  const shortId = (prefix: string): string => `${prefix}_${newId().replaceAll("-", "")}`;

  const tell = async (client: Client, type: string, object: JsonObject): Promise<void> => {
    const at = now();
    const id = shortId("evt");
    const body = eventJson(id, type, object, at);
    await client.query("insert into sandbox.events (id, type, body, created_at) values ($1, $2, $3, $4)", [
      id,
      type,
      body,
      at,
    ]);
    const delaysMs = behaviour().webhooks === "hostile" ? [random() * latestMs, random() * latestMs] : [0];
    for (const delayMs of delaysMs) {
      await deliveries.add(client, { target: "stripe", messageId: id, body: JSON.stringify(body), delayMs });
    }
  };

  const apply = async (client: Client, { intent, event }: IntentChange): Promise<Intent> => {
    await saveIntent(client, intent);
    // The secret opens the intent to whoever reads it, so it does not travel with the news.
    await tell(client, event, { ...intentJson(intent), client_secret: null });
    return intent;
  };

  const changing =
    <Rest extends readonly unknown[]>(change: (intent: Intent, ...rest: Rest) => IntentChange) =>
    async (client: Client, intentId: string, ...rest: Rest): Promise<Intent> =>
      apply(client, change(await lockIntent(client, intentId), ...rest));

  return {
    open: (client: Client, wanted: Pick<Intent, "amount" | "currency" | "metadata">): Promise<Intent> => {
      const id = shortId("pi");
      const clientSecret = `${id}_secret_${newId().replaceAll("-", "")}`;
      const rest = { failure: null, returnUrl: null, createdAt: now() };
      const intent: Intent = { ...wanted, ...rest, id, clientSecret, status: "requires_payment_method" };
      return apply(client, { intent, event: "payment_intent.created" });
    },
    charge: changing<[answer: CardAnswer, returnUrl: string | null]>(charge),
    authenticate: changing<[passed: boolean]>(authenticate),
    cancel: changing<[]>(cancel),
    refund: async (
      client: Client,
      wanted: { intentId: string; amount: number | undefined; metadata: Record<string, string> },
    ): Promise<Refund> => {
      const intent = await lockIntent(client, wanted.intentId);
      const fails = behaviour().refunds === "fail";
      const refund: Refund = {
        id: shortId("re"),
        intentId: intent.id,
        amount: wanted.amount ?? intent.amount,
        status: fails ? "failed" : "succeeded",
        failureReason: fails ? "expired_or_canceled_card" : null,
        metadata: wanted.metadata,
        createdAt: now(),
      };
      await addRefund(client, intent, refund);
      await tell(client, "refund.created", refundJson(refund));
      await tell(client, fails ? "refund.failed" : "refund.updated", refundJson(refund));
      return refund;
    },
    /** Runs changes in one transaction, then has the webhooks delivered. */
    transaction: async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
      const result = await inTransaction(pool, work);
      deliveries.wake();
      return result;
    },
  };
}
