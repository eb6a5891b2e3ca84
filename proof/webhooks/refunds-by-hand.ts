import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { capturedPence, unassignedRefunds, wentBackPence } from "../../domain/order/payment/money.ts";
import type { Order } from "../../domain/order/state.ts";
import { between } from "../../services/operations/seed/seeded-random.ts";
import { createOrders } from "../../services/orders/orders.ts";
import type { Site } from "../faults/site.ts";
import { wish } from "../speed/load/order.ts";

/** A payment that went through, and what it is for. */
export type Payment = {
  readonly intentId: string;
  readonly orders: readonly { readonly id: string; readonly orderNumber: string }[];
};

type RefundOptions = {
  readonly random: () => number;
  /** How long the orders of a payment may take to hear of its refund, and to divide it. */
  readonly withinMs: number;
  /** Resolves once every webhook has been passed on as often as it is to be. */
  readonly settled: () => Promise<void>;
};

type RefundReport = {
  readonly assigned: number;
  readonly disputed: number;
  readonly whole: number;
  readonly findings: readonly string[];
};

/**
 * What becomes of a refund: two members of staff assign it at once, a dispute about the rest divides it, or it takes all
 * and leaves no choice.
 */
const fates = ["assigned", "disputed", "whole"] as const;

/** As it was made at the provider. */
type Made = { readonly id: string; readonly amountPence: number };

/**
 * Someone refunds each payment for several orders by hand at the provider, and names none. Each refund must be assigned or divided
 * once, no order may give back more than its share, and what all of them give back is what the provider gave back.
 */
export async function refundByHand(
  site: Site,
  payments: readonly Payment[],
  { random, withinMs, settled }: RefundOptions,
): Promise<RefundReport> {
  const { load } = createOrders({ store: site.log.store, random: Math.random, now: () => new Date() });
  const ordersOf = ({ orders }: Payment) => Promise.all(orders.map(async ({ id }) => (await load(id)).order));
  const staff = await Promise.all([
    tokenOf(site, "Robin Ellis", "staff"),
    tokenOf(site, "Morgan Hughes", "manager"),
  ]);
  const findings: string[] = [];
  const counts = { assigned: 0, disputed: 0, whole: 0 };

  /** Waits in vain where a claim does not hold, which is found out later. */
  async function until(payment: Payment, isSo: (orders: readonly Order[]) => boolean): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline && !isSo(await ordersOf(payment))) await delay(200);
  }

  /** Each gives the whole to another order. */
  async function assign(payment: Payment, { id, amountPence }: Made): Promise<void> {
    const [first] = payment.orders;
    if (!first) return;
    const { revision } = await load(first.id);
    const statuses = await Promise.all(
      staff.map(async (token, nth) => {
        const shares = [{ orderId: payment.orders[nth]?.id ?? first.id, amountPence }];
        const response = await fetch(
          `${site.gateways[nth] ?? site.url}/api/admin/orders/${first.orderNumber}/actions/assign-refund`,
          {
            method: "POST",
            headers: { ...json, Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() },
            body: JSON.stringify({
              ...{ reason: "ourMistake", note: "", expectedRevision: revision },
              ...{ providerRefundId: id, shares },
            }),
          },
        );
        await response.arrayBuffer();
        return response.status;
      }),
    );
    if (statuses.filter((status) => status === 200).length !== 1 || statuses.some((status) => status >= 500))
      findings.push(`${id}: assigned by two at once, who were answered ${statuses.join(" and ")}`);
  }

  async function refund(payment: Payment, fate: (typeof fates)[number]): Promise<Made[]> {
    const { intentId, orders } = payment;
    const paidPence = orders.length * wish.totalPence;
    const amount = fate === "whole" ? paidPence : between(random, 1, wish.totalPence);
    const made = await atProvider(site, "refunds", { intentId, amount });
    counts[fate] += 1;
    if (fate === "whole") return [made];
    if (fate === "disputed")
      return [made, await atProvider(site, "disputes", { intentId, amount: paidPence - amount })];
    await until(payment, (all) => all.every((order) => !isDivided(order)));
    await assign(payment, made);
    return [made];
  }

  const returned = await Promise.all(
    payments.map(async (payment, nth) => ({
      payment,
      made: await refund(payment, fates[nth % fates.length] ?? "whole"),
    })),
  );
  for (const { payment, made } of returned)
    await until(payment, (orders) => wronglyDivided(payment, made, orders).length === 0);
  await settled();
  for (const { payment, made } of returned)
    findings.push(...wronglyDivided(payment, made, await ordersOf(payment)));
  return { ...counts, findings };
}

const isDivided = (order: Order): boolean => unassignedRefunds(order).length === 0;

/** @returns in words, what does not add up */
function wronglyDivided({ intentId }: Payment, made: readonly Made[], orders: readonly Order[]): string[] {
  const findings: string[] = [];
  for (const { id, amountPence } of made) {
    const parts = orders.flatMap(({ refunds, disputes }) => [
      ...refunds.filter((refund) => refund.providerRefundId === id && refund.status === "issued"),
      ...disputes.filter(({ disputeId }) => disputeId === id),
    ]);
    const is = sum(parts);
    if (is !== amountPence) findings.push(`${id}: ${is} pence recorded instead of ${amountPence}`);
  }
  for (const order of orders) {
    const back =
      wentBackPence(order, intentId) + sum(order.disputes.filter(({ outcome }) => outcome === null));
    const share = capturedPence(order, intentId);
    if (back > share) findings.push(`${order.orderId}: gives back ${back} pence of ${share}`);
    if (!isDivided(order)) findings.push(`${order.orderId}: waits for a refund to be assigned`);
  }
  return findings;
}

const sum = (amounts: readonly { readonly amountPence: number }[]): number =>
  amounts.reduce((total, { amountPence }) => total + amountPence, 0);

const json = { "Content-Type": "application/json" };

async function answered(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers: json, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const made = z
  .object({ id: z.string(), amount: z.number() })
  .transform(({ id, amount }) => ({ id, amountPence: amount }));

/** As someone does in the provider's dashboard, or the cardholder at their bank. */
const atProvider = async (
  { url }: Site,
  what: "refunds" | "disputes",
  wanted: { readonly intentId: string; readonly amount: number },
): Promise<Made> => made.parse(await answered(`${url}/sandbox/payments/${what}`, wanted));

const signedIn = z.object({ token: z.string() });

const tokenOf = async ({ url }: Site, username: string, role: string): Promise<string> =>
  signedIn.parse(await answered(`${url}/sandbox/identity/token`, { username, role })).token;
