import type { Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { Application } from "../../services/providers/gro/automation.ts";
import type { MemoryPayments } from "../../testing/providers/memory-payments.ts";
import type { MemoryVault } from "../../testing/vault/memory-vault.ts";
import { settings } from "./product.ts";
import type { Acknowledged } from "./site.ts";

// What must hold of an order at the end, in the words of the domain.

/** The promise to customers, and the time that a sweep may take. */
const purgedWithinMs = 180_000;
/** What is due this long and not done will not be done. */
const mostLateMs = 600_000;

export type Evidence = {
  readonly vault: MemoryVault;
  readonly payments: MemoryPayments;
  /**
   * Ids in the log. A record that none names was left by a machine that died between sealing and appending: the sweep
   * takes it after an hour, later than any seed lives.
   */
  readonly named: ReadonlySet<string>;
  /** Those that the GRO accepted, by key. */
  readonly applications: ReadonlyMap<string, Application>;
  /** How often staff wished to give something back. */
  readonly goodwill: ReadonlyMap<string, number>;
  readonly now: Date;
  /** From then on nothing went wrong. */
  readonly calmFromMs: number;
};

export async function brokenRules(order: Order, evidence: Evidence): Promise<string[]> {
  return [
    ...submissionsOf(order, evidence),
    ...(await moneyOf(order, evidence)),
    ...dueOf(order, evidence),
    ...(await applicationDataOf(order, evidence)),
    ...(await contactDataOf(order, evidence)),
  ];
}

function submissionsOf(order: Order, { applications }: Evidence): string[] {
  const own = [...applications.values()].filter(({ orderNumber }) => orderNumber === order.orderNumber);
  const found: string[] = [];
  // Once more with the answer to a question of the GRO.
  const most = order.replacedAt === null ? 1 : 2;
  if (own.length > most) found.push(`submitted ${own.length} times`);
  if (own.length > order.submissions) found.push("the GRO has it, and the log does not say so");
  if (own.length < order.submissions) found.push("the log says it was submitted, and it was not");
  return found;
}

async function moneyOf(order: Order, { payments, goodwill }: Evidence): Promise<string[]> {
  const found = uncountedCharges(order, payments);
  const paid = sum(order.payments);
  const refunds = await Promise.all(order.payments.map(({ intentId }) => payments.refundsOf(intentId)));
  const refunded = sum(refunds.flat());
  if (refunded > paid) found.push(`refunded ${refunded} of ${paid}`);
  const given = order.refunds.filter(({ reason }) => reason === "staffDecision");
  const wished = goodwill.get(order.orderId) ?? 0;
  if (given.length > wished) found.push(`gave back ${given.length} times instead of ${wished}`);
  const isOver = order.phase === "Cancelled" || order.phase === "Failed";
  if (isOver && paid > 0 && refunded !== paid) found.push(`over, with ${refunded} refunded of ${paid}`);
  const price = order.variant?.totalPence ?? 0;
  const kept = paid - refunded + sum(given);
  if (order.submissions > 0 && !isOver && kept !== price)
    found.push(`submitted for ${kept} instead of ${price}`);
  const isWaiting = ["Paid", "Confirmed", "Submitting"].includes(order.phase);
  if (isWaiting) found.push("paid, and neither submitted nor refunded");
  return found;
}

function uncountedCharges({ orderId, payments }: Order, { intents }: MemoryPayments): string[] {
  const known = new Set(payments.map(({ intentId }) => intentId));
  return [...intents.values()]
    .filter((intent) => intent.orderId === orderId && intent.status === "succeeded" && !known.has(intent.id))
    .map(({ amountPence }) => `charged ${amountPence}, and the log does not say so`);
}

const sum = (amounts: readonly { readonly amountPence: number }[]) =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);

/** What the order is owed as it stands, due by then. */
export const dueBy = (order: Order, now: Date, thenMs: number) =>
  owed(order, now.toISOString(), settings).filter(({ dueAt }) => Date.parse(dueAt) <= thenMs);

const dueOf = (order: Order, { now }: Evidence): string[] =>
  dueBy(order, now, now.getTime() - mostLateMs).map(({ name, dueAt }) => `${name} is due since ${dueAt}`);

async function applicationDataOf(order: Order, { vault, named, calmFromMs }: Evidence): Promise<string[]> {
  const { submission, end, purges, orderId } = order;
  const since = submission?.recordedAt ?? end?.at;
  if (since === undefined) return [];
  const found: string[] = [];
  const { purgedAt } = purges.application;
  const byMs = Math.max(Date.parse(since), calmFromMs) + purgedWithinMs;
  if (purgedAt === null || Date.parse(purgedAt) > byMs)
    found.push(`data needed until ${since} was purged at ${purgedAt}`);
  const left = (await vault.recordsOf(orderId, "application")).filter(({ recordId }) => named.has(recordId));
  if (left.length > 0) found.push(`${left.length} records of the application are still there`);
  return found;
}

/** All of it is there, or all of it is gone. */
async function contactDataOf(
  { orderId, vault: { contact } }: Order,
  { vault, named }: Evidence,
): Promise<string[]> {
  const left = (await vault.recordsOf(orderId, "contact")).filter(({ recordId }) => named.has(recordId));
  if (contact === null)
    return left.length > 0 ? [`${left.length} records of the contact are still there`] : [];
  const isThere = left.some(({ recordId }) => recordId === contact);
  return isThere ? [] : ["its contact is needed, and gone"];
}

/** Whether the log has what was promised. */
export function isKept(order: Order, { what }: Acknowledged): boolean {
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
    case "goodwill":
      return order.refunds.some(({ reason }) => reason === "staffDecision");
    case "erasure":
      return order.erasureRequestedAt !== null || order.vault.contact === null;
    default:
      return what satisfies never;
  }
}
