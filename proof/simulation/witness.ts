import { z } from "zod";
import { orderIdOf } from "../../domain/order/events.ts";
import { exists, type Order } from "../../domain/order/state.ts";
import type { AppendRequest, EventStore, NewEvent } from "../../infra/event-store/event-store.ts";
import { createOrders } from "../../services/orders/orders.ts";
import type { Application, Automation } from "../../services/providers/gro/automation.ts";
import type { Mailer } from "../../services/providers/smtp/mailer.ts";
import type { RecordToSeal, Vault } from "../../services/vault/vault.ts";
import type { TestAutomation } from "../../testing/providers/fake-providers.ts";
import type { MemoryPayments } from "../../testing/providers/memory-payments.ts";
import type { MemoryVault } from "../../testing/vault/memory-vault.ts";
import type { Fate, Remote } from "./network.ts";
import { brokenRules, dueBy, type Evidence, isKept } from "./rules.ts";
import type { Acknowledged } from "./site.ts";

const bothSlowMs = 15_000;

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const startedPurge = z.object({ records: z.array(z.object({ ref: z.string() })) });
const endedPurge = z.object({ startedBy: z.string() });
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
  /** How often staff wished to give an order's customer something back. */
  readonly goodwill = new Map<string, number>();
  readonly #outside: Outside;
  readonly #orders;
  readonly #orderIds = new Set<string>();
  /** Orders as read since their last event. */
  readonly #current = new Map<string, Promise<Order | undefined>>();
  readonly #subjects = new Map<string, string>();
  readonly #applications = new Map<string, Application>();
  /** Mails that left and are not on record yet, with whether anything went wrong since. */
  readonly #unrecorded = new Map<string, { isExcused: boolean }>();
  readonly #recorded = new Set<string>();
  /** A machine that sends after a pause, or a copy on its way when its machine died, cannot know of the other. */
  #excusedUntilMs = 0;
  /**
   * While the mail server is slow, or the log that records the mail, a note on the task list keeps it from others; but
   * not while the list, or the log from which it is filled, is slow as well.
   */
  readonly #slowAtMs = new Map<Remote, number>();
  #storageFaultAtMs = 0;
  /** What purges under way named, by the event that started them. */
  readonly #purges = new Map<string, readonly { readonly ref: string }[]>();
  readonly #named = new Set<string>();
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
    if (remote === "list" || remote === "log") this.#storageFaultAtMs = atMs;
    if (fate === "slow") {
      this.#slowAtMs.set(remote, atMs);
      return;
    }
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
    const orderId = orderIdOf(stream);
    if (orderId !== undefined) {
      this.#orderIds.add(orderId);
      this.#current.delete(orderId);
    }
    for (const event of events) {
      this.#outside.count(event.type);
      for (const [id] of JSON.stringify(event.data).matchAll(uuids)) this.#named.add(id);
      this.#purged(event);
      if (event.type !== "MailSent" && event.type !== "ConfirmationSent") continue;
      const { template, about } = sentMail.parse(event.data);
      const messageId = `${template}.${about}`;
      this.#unrecorded.delete(messageId);
      this.#recorded.add(messageId);
    }
  }

  /** A receipt says that what the purge named is gone. */
  #purged({ id, type, data }: NewEvent): void {
    const started = startedPurge.safeParse(data);
    if (type.endsWith("PurgeStarted") && started.success) this.#purges.set(id, started.data.records);
    const ended = endedPurge.safeParse(data);
    if (!type.endsWith("Purged") || !ended.success) return;
    const named = this.#purges.get(ended.data.startedBy) ?? [];
    const left = named.filter(({ ref }) => this.#outside.vault.records.has(ref));
    if (left.length > 0)
      this.#found.push(`${type} says that ${left.length} records are gone, and they are there`);
  }

  subjectOf(recordIds: readonly string[]): string {
    return (
      recordIds.map((recordId) => this.#subjects.get(recordId)).find((subject) => subject !== undefined) ?? ""
    );
  }

  /** Whether every rule holds already, and nothing falls due until then. */
  async isSettled(untilMs: number): Promise<boolean> {
    for (const orderId of this.#orderIds) {
      const order = await this.#read(orderId);
      if (!order || dueBy(order, this.#outside.now(), untilMs).length > 0) return false;
      if ((await brokenRules(order, this.#evidence())).length > 0) return false;
    }
    return true;
  }

  /** All that went wrong, in the words of the domain. */
  async findings(): Promise<readonly string[]> {
    for (const orderId of this.#orderIds) {
      const order = await this.#read(orderId);
      if (!order) continue;
      this.#outside.count(`ended ${order.phase}`);
      for (const words of await brokenRules(order, this.#evidence()))
        this.#found.push(`order ${orderId}, ${order.phase}: ${words}`);
    }
    for (const each of this.acknowledged) {
      const order = await this.#read(each.orderId);
      if (!order || !isKept(order, each))
        this.#found.push(`order ${each.orderId}: acknowledged and lost: ${each.what.kind}`);
    }
    return this.#found;
  }

  #evidence(): Evidence {
    const { vault, payments, now, calmFromMs } = this.#outside;
    const [applications, goodwill, named] = [this.#applications, this.goodwill, this.#named];
    return { vault, payments, named, applications, goodwill, now: now(), calmFromMs };
  }

  #read(orderId: string): Promise<Order | undefined> {
    const current = this.#current.get(orderId) ?? this.#readAgain(orderId);
    this.#current.set(orderId, current);
    return current;
  }

  async #readAgain(orderId: string): Promise<Order | undefined> {
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
    const slow = (remote: Remote) => nowMs - (this.#slowAtMs.get(remote) ?? 0) < bothSlowMs;
    const isStorageFaulty = nowMs - this.#storageFaultAtMs < bothSlowMs;
    const isAllSlow = (slow("mail") && isStorageFaulty) || (slow("log") && slow("list"));
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
}
