import type { JsonObject } from "../../../../infra/json.ts";
import type { Client, Pool } from "../../../../infra/postgres/pool.ts";
import type { Deliveries } from "../../sandbox/deliveries.ts";
import { Latest } from "../../sandbox/http-server.ts";
import { takenEvents } from "../stripe-answers.ts";
import { type Answer, type Asked, ok } from "./answers.ts";
import {
  authenticate,
  type CardAnswer,
  cancel,
  charge,
  type Intent,
  type IntentChange,
  lockIntent,
  readIntentOf,
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
import { type Announced, changeOf, eventOf, openingOf } from "./statements.ts";

/** Sandbox behaviour: `hostile` delivers webhooks of all types, twice, late and out of order; `fail` makes refunds fail. */
export type StripeBehaviour = { webhooks: "ok" | "hostile"; refunds: "ok" | "fail" };

/** The product's endpoint asks for these types only, as it does at Stripe. */
const isTaken = (type: string): boolean => takenEvents.some((taken) => taken === type);

/** Reads the intent to change; again if it changed meanwhile. */
type Reading = () => Promise<Intent>;

type LedgerParts = {
  pool: Pool;
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
 * so a crash loses none. Methods that take a client run in its transaction, others in one statement.
 */
export class Ledger {
  readonly #parts: LedgerParts;
  /** As they were opened. Most are paid next, which then needs no reading. */
  readonly #opened = new Latest<Intent>(100);

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  /** Runs changes in one transaction, then sends their webhooks. */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return this.#parts.deliveries.transaction(work);
  }

  /** Opens an intent and stores the answer that shows it. @returns undefined when the key has an answer already */
  async open(
    asked: Asked,
    wanted: Pick<Intent, "amount" | "currency" | "metadata">,
  ): Promise<Answer | undefined> {
    const id = this.#shortId("pi");
    const clientSecret = `${id}_secret_${this.#token()}`;
    const rest = { failure: null, returnUrl: null, createdAt: this.#parts.now() };
    const intent: Intent = { ...wanted, ...rest, id, clientSecret, status: "requires_payment_method" };
    const answer = ok(intentJson(intent));
    const announced = this.#announcedIntent("payment_intent.created", intent);
    const fact = await this.#parts.deliveries.tell(openingOf(asked, answer, intent, announced));
    if (!fact) return undefined;
    this.#opened.add(intent);
    return answer;
  }

  /** @throws StripeRefusal when the intent is not open */
  charge(read: Reading, answer: CardAnswer, returnUrl: string | null, client: Client): Promise<Intent> {
    return this.#change(read, (intent) => charge(intent, answer, returnUrl), { client });
  }

  /** The same from the card fields, which know the intent's secret: in one statement if it was opened just before. */
  chargeCard(clientSecret: string, answer: CardAnswer, returnUrl: string | null): Promise<Intent> {
    const opened = this.#opened.all.find((intent) => intent.clientSecret === clientSecret);
    const read = () => readIntentOf(this.#parts.pool, clientSecret);
    return this.#change(read, (intent) => charge(intent, answer, returnUrl), { opened });
  }

  /** @throws StripeRefusal when no challenge of the intent is open */
  authenticate(read: Reading, passed: boolean): Promise<Intent> {
    return this.#change(read, (intent) => authenticate(intent, passed));
  }

  /** @throws StripeRefusal when the intent is not open */
  cancel(read: Reading, client: Client): Promise<Intent> {
    return this.#change(read, cancel, { client });
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

  /**
   * Decides on the intent as it was opened or is read, and stores the change if the intent is still the same. Otherwise
   * another change came first, and this one is decided again.
   */
  async #change(
    read: Reading,
    decide: (intent: Intent) => IntentChange,
    { opened, client }: { opened?: Intent | undefined; client?: Client } = {},
  ): Promise<Intent> {
    for (let before = opened ?? (await read()); ; before = await read()) {
      const { intent, event } = decide(before);
      const announced = this.#announcedIntent(event, intent);
      if (await this.#parts.deliveries.tell(changeOf(before, intent, announced), client)) return intent;
    }
  }

  async #notify(client: Client, type: string, object: JsonObject): Promise<void> {
    await this.#parts.deliveries.tell(eventOf(this.#announced(type, object)), client);
  }

  /** The secret gives access to the intent, so webhooks omit it. */
  #announcedIntent(type: string, intent: Intent): Announced {
    return this.#announced(type, { ...intentJson(intent), client_secret: null });
  }

  #announced(type: string, object: JsonObject): Announced {
    const at = this.#parts.now();
    const id = this.#shortId("evt");
    const body = eventJson(id, type, object, at);
    const message = { target: "stripe", messageId: id, body: JSON.stringify(body) } as const;
    const delays = isTaken(type) || this.#parts.behaviour().webhooks === "hostile" ? this.#delaysMs() : [];
    return { id, type, body, at, messages: delays.map((delayMs) => ({ ...message, delayMs })) };
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
