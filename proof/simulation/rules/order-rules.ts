import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import { settings } from "../platform/product.ts";
import { type Evidence, goneByMs, overdue, recordsLeft } from "./evidence.ts";
import { brokenMoneyRules } from "./money-rules.ts";

// What must hold of an order at the end, in the words of the domain.

export async function brokenOrderRules(order: Order, evidence: Evidence): Promise<string[]> {
  return [
    ...submissionsOf(order, evidence),
    ...(await brokenMoneyRules(order, evidence)),
    ...overdue(owedToOrder(order, evidence.now), evidence),
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

export const owedToOrder = (order: Order, now: Date) => owed(order, now.toISOString(), settings);

async function applicationDataOf(order: Order, evidence: Evidence): Promise<string[]> {
  const { submission, end, purges, orderId } = order;
  const since = submission?.recordedAt ?? end?.at;
  if (since === undefined) return [];
  const found: string[] = [];
  const { purgedAt } = purges.application;
  if (purgedAt === null || Date.parse(purgedAt) > goneByMs(since, evidence))
    found.push(`data needed until ${since} was purged at ${purgedAt}`);
  const left = await recordsLeft(orderId, "application", evidence);
  if (left.length > 0) found.push(`${left.length} records of the application are still there`);
  return found;
}

/** All of it is there, or all of it is gone. */
async function contactDataOf({ orderId, vault: { contact } }: Order, evidence: Evidence): Promise<string[]> {
  const left = await recordsLeft(orderId, "contact", evidence);
  if (contact === null)
    return left.length > 0 ? [`${left.length} records of the contact are still there`] : [];
  return left.includes(contact) ? [] : ["its contact is needed, and gone"];
}
