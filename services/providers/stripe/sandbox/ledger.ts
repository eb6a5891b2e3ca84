import type { JsonObject } from "../../../../infra/json.ts";
import type { Client } from "../../../../infra/postgres/pool.ts";
import type { Deliveries } from "../../sandbox/deliveries.ts";
import { takenEvents } from "../stripe-answers.ts";
import {
  authenticate,
  type CardAnswer,
  cancel,
  charge,
  type Intent,
  type IntentChange,
  lockIntent,
  saveIntent,
} from "./intents.ts";
import { disputeJson, eventJson, intentJson, refundJson } from "./presenting.ts";
import {
  addDispute,
  addRefund,
  closeDispute,
  type Dispute,
  type dispositions,
  type Refund,
} from "./refunds-and-disputes.ts";

/** Sandbox behaviour: `hostile` delivers webhooks of all types, twice, late and out of order; `fail` makes refunds fail. */
export type StripeBehaviour = { webhooks: "ok" | "hostile"; refunds: "ok" | "fail" };

/** The product's endpoint asks for these types only, as it does at Stripe. */
const isTaken = (type: string): boolean => takenEvents.some((taken) => taken === type);

type LedgerParts = {
  deliveries: Deliveries;
  behaviour: () => StripeBehaviour;
  /** Maximum delay of a hostile webhook. */
  latestMs: number;
  now: () => Date;
  newId: () => string;
  random: () => number;
};

/**
 * The only place where intents, refunds and disputes change. Each change is stored with its event and pending webhooks,
 * so a crash loses none. Methods that take a client run in its transaction.
 */
export class Ledger {
  readonly #parts: LedgerParts;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** Runs changes in one transaction, then sends their webhooks. */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.#parts.deliveries.transaction(work);
  }

  open(client: Client, wanted: Pick<Intent, "amount" | "currency" | "metadata">): Promise<Intent> {
    const id = this.#shortId("pi");
    const clientSecret = `${id}_secret_${this.#token()}`;
    const rest = { failure: null, returnUrl: null, createdAt: this.#parts.now() };
    const intent: Intent = { ...wanted, ...rest, id, clientSecret, status: "requires_payment_method" };
    return this.#apply(client, { intent, event: "payment_intent.created" });
  }

  /** @param locked in this transaction @throws StripeRefusal when it is not open */
  charge(client: Client, locked: Intent, answer: CardAnswer, returnUrl: string | null): Promise<Intent> {
    return this.#apply(client, charge(locked, answer, returnUrl));
  }

  /** @throws StripeRefusal when no challenge of this intent is open */
  async authenticate(client: Client, id: string, passed: boolean): Promise<Intent> {
    return this.#apply(client, authenticate(await lockIntent(client, id), passed));
  }

  /** @throws StripeRefusal when there is no such open intent */
  async cancel(client: Client, id: string): Promise<Intent> {
    return this.#apply(client, cancel(await lockIntent(client, id)));
  }

  /** @throws StripeRefusal when less than the amount remains of the payment */
  async refund(
    client: Client,
    wanted: { intentId: string; amount: number | undefined; metadata: Record<string, string> },
  ): Promise<Refund> {
    const intent = await lockIntent(client, wanted.intentId);
    const fails = this.#parts.behaviour().refunds === "fail";
    const refund: Refund = {
      id: this.#shortId("re"),
      intentId: intent.id,
      amount: wanted.amount ?? intent.amount,
      status: fails ? "failed" : "succeeded",
      failureReason: fails ? "expired_or_canceled_card" : null,
      metadata: wanted.metadata,
      createdAt: this.#parts.now(),
    };
    await addRefund(client, intent, refund);
    await this.#notify(client, "refund.created", refundJson(refund));
    await this.#notify(client, fails ? "refund.failed" : "refund.updated", refundJson(refund));
    return refund;
  }

  /** The cardholder requests a chargeback. @throws StripeRefusal when there is nothing to dispute */
  async dispute(
    client: Client,
    wanted: { intentId: string; amount?: number | undefined; reason: Dispute["reason"] },
  ): Promise<Dispute> {
    const intent = await lockIntent(client, wanted.intentId);
    const dispute: Dispute = {
      id: this.#shortId("du"),
      intentId: intent.id,
      amount: wanted.amount ?? intent.amount,
      reason: wanted.reason,
      status: "needs_response",
      createdAt: this.#parts.now(),
    };
    await addDispute(client, intent, dispute);
    await this.#notify(client, "charge.dispute.created", disputeJson(dispute));
    return dispute;
  }

  /** The bank decides, or we accepted the loss. @throws StripeRefusal when it is already decided */
  async closeDispute(client: Client, id: string, status: (typeof dispositions)[number]): Promise<Dispute> {
    const dispute = await closeDispute(client, id, status);
    await this.#notify(client, "charge.dispute.updated", disputeJson(dispute));
    await this.#notify(client, "charge.dispute.closed", disputeJson(dispute));
    return dispute;
  }

  async #apply(client: Client, { intent, event }: IntentChange): Promise<Intent> {
    await saveIntent(client, intent);
    // The secret gives access to the intent, so webhooks omit it.
    await this.#notify(client, event, { ...intentJson(intent), client_secret: null });
    return intent;
  }

  async #notify(client: Client, type: string, object: JsonObject): Promise<void> {
    const at = this.#parts.now();
    const id = this.#shortId("evt");
    const body = eventJson(id, type, object, at);
    await client.query("insert into sandbox.events (id, type, body, created_at) values ($1, $2, $3, $4)", [
      id,
      type,
      body,
      at,
    ]);
    const message = { target: "stripe", messageId: id, body: JSON.stringify(body) } as const;
    if (!isTaken(type) && this.#parts.behaviour().webhooks !== "hostile") return;
    for (const delayMs of this.#delaysMs()) {
      await this.#parts.deliveries.add(client, { ...message, delayMs });
    }
  }

  /** One immediate delivery; in hostile mode, two at random times. */
  #delaysMs(): number[] {
    const { behaviour, random, latestMs } = this.#parts;
    return behaviour().webhooks === "hostile" ? [random() * latestMs, random() * latestMs] : [0];
  }

  #shortId(prefix: string): string {
    return `${prefix}_${this.#token()}`;
  }

  #token(): string {
    return this.#parts.newId().replaceAll("-", "");
  }
}
