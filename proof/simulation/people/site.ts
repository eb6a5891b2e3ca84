import { setTimeout as delay } from "node:timers/promises";
import { Refused } from "../../../domain/decider.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { SavedDraft } from "../../../domain/saved-draft/state.ts";
import type { Ticket } from "../../../domain/ticket/state.ts";
import { between } from "../../../services/operations/seed/seeded-random.ts";
import type { Amendment } from "../../../services/orders/amend-application.ts";
import type { OrderDependencies } from "../../../services/orders/dependencies.ts";
import type { OnBehalf } from "../../../services/orders/orders.ts";
import { PaymentNotReceived, PaymentProcessing } from "../../../services/orders/payments/provider-reports.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import type { TestAutomation } from "../../../testing/providers/fake-providers.ts";
import type { Bank } from "../platform/bank.ts";

/** Notes what people were told: it must hold in the log at the end. */
export type Acknowledge = {
  order(orderId: string, words: string, holds: (order: Order) => boolean): void;
  ticket(ticketId: string, words: string, holds: (ticket: Ticket) => boolean): void;
  draft(draftId: string, words: string, holds: (draft: SavedDraft) => boolean): void;
};

/** The product as people and providers reach it. */
export type Site = {
  readonly random: () => number;
  readonly newId: () => string;
  readonly now: () => Date;
  readonly bank: Bank;
  readonly automation: TestAutomation;
  readonly tell: (words: () => string) => void;
  readonly acknowledge: Acknowledge;
  /** Refunds by staff of an order, and messages in a ticket after the first: there may be fewer, and never more. */
  readonly wishes: Wishes;
  /** From then on nothing goes wrong. */
  readonly calmFromMs: number;
  /** Goes on beside what its caller does next. */
  aside(work: Promise<void>): void;
  /** Sends a request to one of the machines. @throws NoAnswer, and what its handler throws */
  request<T>(name: string, handle: (deps: OrderDependencies) => Promise<T>): Promise<T>;
};

/** How often something was wished for, by the id of an order or a ticket. */
export class Wishes {
  readonly #counts = new Map<string, number>();

  add(id: string): void {
    this.#counts.set(id, this.of(id) + 1);
  }

  of(id: string): number {
    return this.#counts.get(id) ?? 0;
  }
}

/** The connection broke, the machine died, or the answer took too long. */
export class NoAnswer extends Error {
  override name = "NoAnswer";
}

export const variant = variantRequest("2026-11-21").parse(variantBody());

export const behalfOf = ({ newId }: Site, orderId: string): OnBehalf => ({
  actor: { kind: "customer", id: orderId },
  correlationId: newId(),
});

/** Another application each time. */
export const amended = ({ newId }: Site): Amendment => ({
  application: { ...variant.application, gro: `amended ${newId()}` },
  groReferenceKnown: true,
});

const mostTries = 8;

export const chance = ({ random }: Site, share: number): boolean => random() < share;

export const waits = ({ random }: Site, leastMs: number, mostMs: number): Promise<void> =>
  delay(between(random, leastMs, mostMs));

/** Sends a request, and now and then a second one at the same moment. @returns what was answered */
export async function clicked<T>(
  site: Site,
  twice: number,
  name: string,
  handle: (deps: OrderDependencies) => Promise<T>,
): Promise<T[]> {
  const clicks = chance(site, twice) ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: clicks }, () => persist(site, name, handle)));
  return answers.filter((answer) => answer !== undefined);
}

/** What a double click made. @throws if it made two */
export function onlyOne(ids: readonly string[]): string | undefined {
  const [id, other] = new Set(ids);
  if (other !== undefined) throw new Error(`A double click made both ${id} and ${other}.`);
  return id;
}

/** As a browser does: once more after no answer, or one that asks to try later. Undefined if refused, or given up. */
export async function persist<T>(
  site: Site,
  name: string,
  handle: (deps: OrderDependencies) => Promise<T>,
): Promise<T | undefined> {
  for (let tries = 1; tries <= mostTries; tries++) {
    try {
      return await site.request(name, handle);
    } catch (error) {
      if (error instanceof Refused) return undefined;
      const isEarly = error instanceof PaymentProcessing || error instanceof PaymentNotReceived;
      await delay(isEarly ? 2_000 : between(site.random, 500, 10_000));
    }
  }
  return undefined;
}

/** Waits until the trouble is over, and what it delayed has arrived. */
export const afterTrouble = async (site: Site): Promise<void> => {
  await delay(Math.max(0, site.calmFromMs - site.now().getTime()));
  await waits(site, 240_000, 420_000);
};

const mostDeliveries = 40;

/** A provider sends a notice until it is taken, sometimes twice and late. */
export function notify(
  site: Site,
  provider: string,
  take: (deps: OrderDependencies, by: OnBehalf) => Promise<unknown>,
): void {
  const copies = site.random() < 0.3 ? 2 : 1;
  for (let copy = 0; copy < copies; copy++) site.aside(deliver(site, provider, take));
}

async function deliver(site: Site, provider: string, take: Parameters<typeof notify>[2]): Promise<void> {
  const by: OnBehalf = { actor: { kind: "provider", id: provider }, correlationId: site.newId() };
  await waits(site, 50, 20_000);
  for (let tries = 1; tries <= mostDeliveries; tries++) {
    try {
      await site.request(`${provider} notice`, (deps) => take(deps, by));
      return;
    } catch {
      await delay(Math.min(5_000 * 2 ** tries, 120_000));
    }
  }
}
