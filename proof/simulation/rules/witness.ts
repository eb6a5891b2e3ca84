import { z } from "zod";
import type { Share } from "../../../domain/checkout/shares.ts";
import { orderIdOf } from "../../../domain/order/events.ts";
import { exists, type Order } from "../../../domain/order/state.ts";
import { draftIdOf } from "../../../domain/saved-draft/events.ts";
import { draftOwed, isDraftOpen, type SavedDraft } from "../../../domain/saved-draft/state.ts";
import { ticketIdOf } from "../../../domain/ticket/events.ts";
import { namedTicketRecords } from "../../../domain/ticket/state.ts";
import type { AppendRequest, EventStore, NewEvent } from "../../../infra/event-store/event-store.ts";
import { createSavedDrafts } from "../../../services/orders/drafts/saved-drafts.ts";
import { createOrders } from "../../../services/orders/orders.ts";
import type { Application, Automation } from "../../../services/providers/gro/automation.ts";
import type { Mail, Mailer } from "../../../services/providers/smtp/mailer.ts";
import { createTickets } from "../../../services/tickets/tickets.ts";
import type { Vault } from "../../../services/vault/vault.ts";
import type { TestAutomation } from "../../../testing/providers/fake-providers.ts";
import type { MemoryVault } from "../../../testing/vault/memory-vault.ts";
import { type Acknowledge, Wishes } from "../people/site.ts";
import type { Bank } from "../platform/bank.ts";
import type { Arrival, Fate } from "../platform/network.ts";
import type { Life } from "../platform/virtual-time.ts";
import { BounceWatch } from "./bounce-watch.ts";
import { brokenDraftRules } from "./draft-rules.ts";
import type { Evidence } from "./evidence.ts";
import { MailWatch } from "./mail-watch.ts";
import { MoneyWatch } from "./money-watch.ts";
import { brokenOrderRules, owedToOrder } from "./order-rules.ts";
import { brokenTicketRules, owedToTicket, type TicketSeen } from "./ticket-rules.ts";
import { ToldWatch } from "./told-watch.ts";
import { Watched } from "./watched.ts";

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const startedPurge = z.object({ records: z.array(z.object({ ref: z.string() })) });
const endedPurge = z.object({ startedBy: z.string() });
const requestedIntent = z.object({
  intentId: z.string(),
  shares: z.array(z.object({ orderId: z.string(), amountPence: z.int() })),
});
const receivedPayment = z.object({
  type: z.enum(["PaymentConfirmed", "PaymentReceivedUnexpectedly"]),
  data: z.object({ intentId: z.string(), amountPence: z.int() }),
});
const openedDispute = z.object({
  type: z.literal("DisputeOpened"),
  data: z.object({ disputeId: z.string(), amountPence: z.int() }),
});
const refundByHand = z.object({
  type: z.literal("RefundIssued"),
  data: z.object({ refundId: z.null(), providerRefundId: z.string(), amountPence: z.int() }),
});
const sentMail = z.object({ template: z.string(), about: z.string() });
const linkedDrafts = z.object({ draftIds: z.array(z.string()) });

export type Outside = {
  readonly store: EventStore;
  readonly vault: MemoryVault;
  readonly bank: Bank;
  readonly automation: TestAutomation;
  readonly mailer: Mailer;
  /** A mail has reached its mailbox. */
  readonly arrived: (mail: Mail, stream: string) => void;
  readonly now: () => Date;
  readonly nowMs: () => number;
  readonly tell: (words: () => string) => void;
  readonly count: (what: string) => void;
  /** From then on nothing goes wrong. */
  readonly calmFromMs: number;
};

/**
 * Sees all that happens outside the product, and knows what must not. It reads the log itself, past every cache and
 * fault.
 */
export class Witness {
  readonly vault: Vault;
  readonly automation: Automation;
  readonly mailer: (arrival: Arrival) => Mailer;
  readonly acknowledge: Acknowledge;
  readonly wishes = new Wishes();
  readonly #outside: Outside;
  readonly #orders: Watched<Order>;
  readonly #tickets: Watched<TicketSeen>;
  readonly #drafts: Watched<SavedDraft>;
  readonly mails: MailWatch;
  readonly #bounces = new BounceWatch();
  readonly #told = new ToldWatch();
  readonly #money = new MoneyWatch();
  readonly #subjects = new Map<string, string>();
  readonly #applications = new Map<string, Application>();
  /** Orders by the drafts that they complete, and when each had ended its own. */
  readonly #orderOfDraft = new Map<string, string>();
  readonly #draftsEndedAt = new Map<string, string>();
  /** What purges under way named, by the event that started them. */
  readonly #purges = new Map<string, readonly { readonly ref: string }[]>();
  readonly #named = new Set<string>();
  readonly #shares = new Map<string, readonly Share[]>();
  readonly #received = new Map<string, readonly Share[]>();
  readonly #disputed = new Map<string, readonly Share[]>();
  readonly #refundedByHand = new Map<string, readonly Share[]>();
  readonly #found: string[] = [];

  constructor(outside: Outside) {
    this.#outside = outside;
    this.mails = new MailWatch(outside.nowMs);
    this.#orders = this.#watchedOrders();
    this.#tickets = this.#watchedTickets();
    this.#drafts = this.#watchedDrafts();
    this.acknowledge = {
      order: this.#orders.acknowledge,
      ticket: (id, words, holds) => this.#tickets.acknowledge(id, words, ({ ticket }) => holds(ticket)),
      draft: this.#drafts.acknowledge,
    };
    this.vault = this.#watchedVault(outside.vault);
    this.automation = this.#watchedAutomation(outside.automation);
    this.mailer = (arrival) => ({
      ...outside.mailer,
      send: async (mail) => {
        outside.tell(() => `mail: ${mail.messageId}`);
        const [template = "", about = ""] = mail.messageId.split(".");
        this.#found.push(
          ...this.mails.sent(mail.messageId, arrival),
          ...this.#bounces.left(template, about),
          ...this.#told.sent(mail),
        );
        await outside.mailer.send(mail);
        outside.arrived(mail, this.#bounces.streamOf(about) ?? "");
      },
    });
  }

  /** A call of a machine went wrong. */
  disturbed(from: Life, name: string, fate: Fate, forMs?: number): void {
    this.#outside.count(fate);
    if (name === "beat") this.mails.disturbed(from, forMs);
  }

  /** A worker was asked to stop while nothing was wrong. */
  stopped(isThere: boolean): void {
    if (isThere) this.#found.push("a worker that was asked to stop keeps its row, and its subjects");
  }

  appended({ stream, events }: AppendRequest): void {
    const orderId = orderIdOf(stream);
    const ids = [orderId, ticketIdOf(stream), draftIdOf(stream)];
    for (const [n, watched] of this.#all().entries()) {
      const id = ids[n];
      if (id !== undefined) watched.changed(id);
    }
    for (const event of events) {
      this.#outside.count(event.type);
      for (const [id] of JSON.stringify(event.data).matchAll(uuids)) this.#named.add(id);
      this.#purged(event);
      const intent = requestedIntent.safeParse(event.data);
      if (intent.success) this.#shares.set(intent.data.intentId, intent.data.shares);
      if (orderId !== undefined) this.#ordered(orderId, event);
      this.#found.push(...this.#bounces.appended(stream, event));
      this.#mailed(orderId, event);
    }
  }

  #mailed(orderId: string | undefined, { type, data }: NewEvent): void {
    if (orderId !== undefined && type === "ContactCorrected") this.#told.corrected(orderId);
    if (type === "MailBounced") {
      const { template, about } = sentMail.parse(data);
      this.mails.cameBack(`${template}.${about}`);
      this.#told.cameBack(`${template}.${about}`);
    }
    // A worker that is cut off may say so of one that another has just sent: it is sent again after a correction.
    if (type === "MailUndeliverable" || type === "ConfirmationUndeliverable") {
      const { template, about } = sentMail.parse(data);
      this.mails.cameBack(`${template}.${about}`);
    }
    if (type !== "MailSent" && type !== "ConfirmationSent") return;
    const { template, about } = sentMail.parse(data);
    this.mails.recorded(`${template}.${about}`);
    if (orderId !== undefined) this.#found.push(...this.#told.recorded(orderId, template, about));
  }

  #ordered(orderId: string, event: NewEvent): void {
    const words = this.#money.appended(orderId, event);
    this.#found.push(...words.map((each) => `order ${orderId}: ${each}`));
    const note = (amounts: Map<string, readonly Share[]>, id: string, amountPence: number) =>
      amounts.set(id, [...(amounts.get(id) ?? []), { orderId, amountPence }]);
    const received = receivedPayment.safeParse(event);
    if (received.success) note(this.#received, received.data.data.intentId, received.data.data.amountPence);
    const disputed = openedDispute.safeParse(event);
    if (disputed.success) note(this.#disputed, disputed.data.data.disputeId, disputed.data.data.amountPence);
    const byHand = refundByHand.safeParse(event);
    if (byHand.success)
      note(this.#refundedByHand, byHand.data.data.providerRefundId, byHand.data.data.amountPence);
    if (event.type === "SavedDraftsEnded")
      this.#draftsEndedAt.set(orderId, this.#outside.now().toISOString());
    if (event.type !== "SavedDraftsLinked") return;
    for (const draftId of linkedDrafts.parse(event.data).draftIds) this.#orderOfDraft.set(draftId, orderId);
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
    for (const watched of this.#all()) if (!(await watched.isSettled(untilMs))) return false;
    return true;
  }

  /** All that went wrong, in the words of the domain. */
  async findings(): Promise<readonly string[]> {
    for (const watched of this.#all()) this.#found.push(...(await watched.findings(this.#outside.count)));
    this.#found.push(...this.#bounces.findings());
    return this.#found;
  }

  #all() {
    return [this.#orders, this.#tickets, this.#drafts] as const;
  }

  #evidence(): Evidence {
    const { vault, bank, now, calmFromMs } = this.#outside;
    const [applications, wishes, named] = [this.#applications, this.wishes, this.#named];
    const [shares, received, disputed] = [this.#shares, this.#received, this.#disputed];
    const money = { shares, received, disputed, refundedByHand: this.#refundedByHand };
    return { vault, bank, named, applications, wishes, ...money, now: now(), calmFromMs };
  }

  #reading() {
    const { store, now } = this.#outside;
    return { store, random: () => 0.5, now };
  }

  #watchedOrders(): Watched<Order> {
    const orders = createOrders(this.#reading());
    return new Watched({
      name: "order",
      read: async (orderId) => {
        const { order } = await orders.load(orderId);
        return exists(order) ? order : undefined;
      },
      phase: ({ phase }) => phase,
      owed: async (order) => owedToOrder(order, this.#outside.now()),
      broken: (order) => brokenOrderRules(order, this.#evidence()),
      needed: ({ phase, vault }) =>
        ["Priced", "AwaitingPayment", "Paid", "Confirmed", "Submitting"].includes(phase)
          ? [vault.application]
          : [],
    });
  }

  #watchedTickets(): Watched<TicketSeen> {
    const tickets = createTickets(this.#reading());
    const orderOf = async ({ ticket: { linkedOrder } }: TicketSeen) =>
      linkedOrder ? this.#orders.read(linkedOrder.orderId) : undefined;
    return new Watched({
      name: "ticket",
      read: async (ticketId) => {
        const [{ ticket }, history] = [await tickets.load(ticketId), await tickets.history(ticketId)];
        return { ticket, history };
      },
      phase: ({ ticket }) => ticket.phase,
      owed: async (seen) => owedToTicket(seen, await orderOf(seen)),
      broken: async (seen) => brokenTicketRules(seen, await orderOf(seen), this.#evidence()),
      needed: ({ ticket }) =>
        ticket.phase === "Closed" ? [] : namedTicketRecords(ticket).map(({ ref }) => ref),
    });
  }

  #watchedDrafts(): Watched<SavedDraft> {
    const drafts = createSavedDrafts(this.#reading());
    return new Watched({
      name: "saved draft",
      read: async (draftId) => (await drafts.find(draftId))?.draft,
      phase: ({ end }) => end?.rule ?? "open",
      owed: async (draft) => draftOwed(draft),
      broken: (draft) => {
        const endedAt = this.#draftsEndedAt.get(this.#orderOfDraft.get(draft.draftId) ?? "");
        return brokenDraftRules(draft, endedAt, this.#evidence());
      },
      needed: (draft) =>
        isDraftOpen(draft, this.#outside.now().toISOString())
          ? [draft.draftRef, draft.mail && draft.linkRef]
          : [],
    });
  }

  #watchedVault(vault: MemoryVault): Vault {
    const watched =
      (seal: Vault["seal"]): Vault["seal"] =>
      async (record) => {
        this.#subjects.set(record.recordId, record.subject);
        return seal(record);
      };
    const { recordsOfAppend } = vault;
    return {
      ...vault,
      seal: watched(vault.seal),
      ...(recordsOfAppend && {
        recordsOfAppend: () => {
          const records = recordsOfAppend();
          return { ...records, seal: watched(records.seal) };
        },
      }),
      destroy: async (recordIds) => {
        for (const watched of this.#all()) this.#found.push(...(await watched.destroyed(recordIds)));
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
