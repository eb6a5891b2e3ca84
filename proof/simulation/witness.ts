import { z } from "zod";
import { exists, type Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { AppendRequest, EventStore } from "../../infra/event-store/event-store.ts";
import { createOrders } from "../../services/orders/orders.ts";
import type { Application, Automation } from "../../services/providers/gro/automation.ts";
import type { Mailer } from "../../services/providers/smtp/mailer.ts";
import type { RecordToSeal, Vault } from "../../services/vault/vault.ts";
import type { TestAutomation } from "../../testing/providers/fake-providers.ts";
import type { MemoryPayments } from "../../testing/providers/memory-payments.ts";
import type { MemoryVault } from "../../testing/vault/memory-vault.ts";
import type { Acknowledged } from "./customers.ts";
import type { Fate, Remote } from "./network.ts";
import { settings } from "./product.ts";

/** The promise to customers, and the time that a sweep may take. */
const purgedWithinMs = 180_000;
/** What is due this long and not done will not be done. */
const mostLateMs = 600_000;

const bothSlowMs = 15_000;

const sentMail = z.object({ template: z.string(), about: z.string() });

export type Outside = {
  readonly store: EventStore;
  readonly vault: MemoryVault;
  readonly payments: MemoryPayments;
  readonly automation: TestAutomation;
  readonly mailer: Mailer;
  readonly now: () => Date;
  readonly tell: (words: () => string) => void;
  readonly count: (what: string) => void;
  /** From then on nothing goes wrong. */
  readonly calmFromMs: number;
};

/**
 * Sees all that happens outside the product, and knows what must not. It reads the log itself, past every cache and fault.
 */
export class Witness {
  readonly vault: Vault;
  readonly automation: Automation;
  readonly mailer: Mailer;
  readonly acknowledged: Acknowledged[] = [];
  readonly #outside: Outside;
  readonly #orders;
  readonly #orderIds = new Set<string>();
  readonly #subjects = new Map<string, string>();
  readonly #applications = new Map<string, Application>();
  /** Mails that left and are not on record yet, with whether anything went wrong since. */
  readonly #unrecorded = new Map<string, { isExcused: boolean }>();
  readonly #recorded = new Set<string>();
  /** A machine that sends after a pause, or a copy on its way when its machine died, cannot know of the other. */
  #excusedUntilMs = 0;
  /**
   * While the mail server is slow, a mail is kept from others by a note in the database: not while that is slow as well.
   */
  #slowMailAtMs = 0;
  #slowStorageAtMs = 0;
  readonly #found: string[] = [];

  constructor(outside: Outside) {
    this.#outside = outside;
    this.#orders = createOrders({ store: outside.store, random: () => 0.5, now: outside.now });
    this.vault = this.#watchedVault(outside.vault);
    this.automation = this.#watchedAutomation(outside.automation);
    this.mailer = {
      ...outside.mailer,
      send: async (mail) => {
        this.#mailed(mail.messageId);
        await outside.mailer.send(mail);
      },
    };
  }

  /** A fault: a mail that left and is not on record may now be sent again. */
  disrupted(remote: Remote, fate: Fate): void {
    const atMs = this.#outside.now().getTime();
    if (remote === "mail" && fate === "slow") this.#slowMailAtMs = atMs;
    if (remote === "list" || remote === "log") this.#slowStorageAtMs = atMs;
    if (fate === "slow") return;
    for (const mail of this.#unrecorded.values()) mail.isExcused = true;
    const isUnanswered = remote === "mail" && (fate === "late" || fate === "answer lost");
    const excusedForMs = fate.startsWith("pauses")
      ? 900_000
      : fate.startsWith("dies") || isUnanswered
        ? 180_000
        : 0;
    this.#excusedUntilMs = Math.max(this.#excusedUntilMs, atMs + excusedForMs);
  }

  appended({ stream, events }: AppendRequest): void {
    if (stream.startsWith("order-")) this.#orderIds.add(stream.slice("order-".length));
    for (const event of events) {
      this.#outside.count(event.type);
      if (event.type !== "MailSent" && event.type !== "ConfirmationSent") continue;
      const { template, about } = sentMail.parse(event.data);
      const messageId = `${template}.${about}`;
      this.#unrecorded.delete(messageId);
      this.#recorded.add(messageId);
    }
  }

  subjectOf(recordIds: readonly string[]): string {
    return (
      recordIds.map((recordId) => this.#subjects.get(recordId)).find((subject) => subject !== undefined) ?? ""
    );
  }

  /** All that went wrong, in the words of the domain. */
  async findings(): Promise<readonly string[]> {
    for (const orderId of this.#orderIds) {
      const order = await this.#read(orderId);
      if (!order) continue;
      this.#outside.count(`ended ${order.phase}`);
      for (const words of [
        ...this.#submissionsOf(order),
        ...(await this.#moneyOf(order)),
        ...this.#dueOf(order),
        ...(await this.#dataOf(order)),
      ])
        this.#found.push(`order ${orderId}, ${order.phase}: ${words}`);
    }
    for (const each of this.acknowledged) {
      const order = await this.#read(each.orderId);
      if (!order || !isKept(order, each))
        this.#found.push(`order ${each.orderId}: acknowledged and lost: ${each.what.kind}`);
    }
    return this.#found;
  }

  async #read(orderId: string): Promise<Order | undefined> {
    try {
      const { order } = await this.#orders.load(orderId);
      return exists(order) ? order : undefined;
    } catch (error) {
      this.#found.push(`order ${orderId} cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  #mailed(messageId: string): void {
    this.#outside.tell(() => `mail: ${messageId}`);
    const earlier = this.#unrecorded.get(messageId);
    const isAgain = this.#recorded.has(messageId) || (earlier && !earlier.isExcused);
    const nowMs = this.#outside.now().getTime();
    const isAllSlow = nowMs - Math.min(this.#slowMailAtMs, this.#slowStorageAtMs) < bothSlowMs;
    const isExcused = nowMs < this.#excusedUntilMs || isAllSlow;
    if (isAgain && !isExcused) this.#found.push(`mailed twice: ${messageId}`);
    this.#unrecorded.set(messageId, { isExcused });
  }

  #watchedVault(vault: MemoryVault): Vault {
    return {
      ...vault,
      seal: async (record: RecordToSeal) => {
        this.#subjects.set(record.recordId, record.subject);
        return vault.seal(record);
      },
      destroy: async (recordIds) => {
        for (const orderId of this.#orderIds) {
          const order = await this.#read(orderId);
          const ref = order?.vault.application;
          const isNeeded =
            order && ["Priced", "AwaitingPayment", "Paid", "Confirmed", "Submitting"].includes(order.phase);
          if (isNeeded && ref && recordIds.includes(ref))
            this.#found.push(
              `order ${orderId}, ${order.phase}: its application was destroyed before it was submitted`,
            );
        }
        return vault.destroy(recordIds);
      },
    };
  }

  #watchedAutomation(automation: TestAutomation): Automation {
    return {
      ...automation,
      submit: async (application) => {
        const accepted = await automation.submit(application);
        if (!this.#applications.has(application.key)) this.#applications.set(application.key, application);
        return accepted;
      },
    };
  }

  #submissionsOf(order: Order): string[] {
    const own = [...this.#applications.values()].filter(
      ({ orderNumber }) => orderNumber === order.orderNumber,
    );
    const found: string[] = [];
    if (own.length > 1) found.push(`submitted ${own.length} times`);
    if (own.length > 0 && order.submissions === 0) found.push("the GRO has it, and the log does not say so");
    if (own.length === 0 && order.submissions > 0)
      found.push("the log says it was submitted, and it was not");
    return found;
  }

  async #moneyOf(order: Order): Promise<string[]> {
    const { payments } = this.#outside;
    const found: string[] = [];
    for (const intent of payments.intents.values()) {
      if (intent.orderId !== order.orderId || intent.status !== "succeeded") continue;
      const payment = order.payments.find(({ intentId }) => intentId === intent.id);
      if (!payment) found.push(`charged ${intent.amountPence}, and the log does not say so`);
    }
    const paid = sum(order.payments.map(({ amountPence }) => amountPence));
    const refunds = await Promise.all(order.payments.map(({ intentId }) => payments.refundsOf(intentId)));
    const refunded = sum(refunds.flat().map(({ amountPence }) => amountPence));
    if (refunded > paid) found.push(`refunded ${refunded} of ${paid}`);
    const isOver = order.phase === "Cancelled" || order.phase === "Failed";
    if (isOver && paid > 0 && refunded !== paid) found.push(`over, with ${refunded} refunded of ${paid}`);
    const price = order.variant?.totalPence ?? 0;
    if (order.submissions > 0 && !isOver && paid - refunded !== price)
      found.push(`submitted for ${paid - refunded} instead of ${price}`);
    const isWaiting = ["Paid", "Confirmed", "Submitting"].includes(order.phase);
    if (isWaiting) found.push("paid, and neither submitted nor refunded");
    return found;
  }

  #dueOf(order: Order): string[] {
    const at = this.#outside.now();
    return owed(order, at.toISOString(), settings)
      .filter(({ dueAt }) => at.getTime() - Date.parse(dueAt) > mostLateMs)
      .map(({ name, dueAt }) => `${name} is due since ${dueAt}`);
  }

  async #dataOf(order: Order): Promise<string[]> {
    const { submission, end, purges, orderId } = order;
    const since = submission?.recordedAt ?? end?.at;
    if (since === undefined) return [];
    const found: string[] = [];
    const { purgedAt } = purges.application;
    const byMs = Math.max(Date.parse(since), this.#outside.calmFromMs) + purgedWithinMs;
    if (purgedAt === null || Date.parse(purgedAt) > byMs)
      found.push(`data needed until ${since} was purged at ${purgedAt}`);
    const left = (await this.#outside.vault.recordsOf(orderId, "application")).length;
    if (left > 0) found.push(`${left} records of the application are still there`);
    return found;
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);

/** Whether the log has what a customer was told. */
function isKept(order: Order, { what }: Acknowledged): boolean {
  switch (what.kind) {
    case "created":
      return true;
    case "priced":
      return order.variant !== null;
    case "payable":
      return order.intents.count > 0;
    case "submission":
      return order.promise !== null;
    case "cancelled":
      return order.end !== null;
    default:
      return what satisfies never;
  }
}
