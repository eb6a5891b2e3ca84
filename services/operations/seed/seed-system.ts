import type { OrderCommand } from "../../../domain/order/commands.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { DataClass, PurgeRule, Revealable, RevealReason } from "../../../domain/order/vocabulary.ts";
import { firstPriceLists } from "../../../domain/pricing/price-list.ts";
import { inTransaction } from "../../../infra/postgres/pool.ts";
import type { Infrastructure } from "../../composition/infrastructure.ts";
import type { OrderDependencies } from "../../orders/dependencies.ts";
import { createSavedDrafts } from "../../orders/drafts/saved-drafts.ts";
import { createOrders, type OnBehalf } from "../../orders/orders.ts";
import { createCheckouts } from "../../orders/payments/checkouts.ts";
import { revealApplication, revealContact, revealQuestion } from "../../orders/staff/reveal-personal-data.ts";
import { purge } from "../../policies/purging/purge.ts";
import { preparedPeople, userIdOf } from "../../providers/clerk/sandbox/sandbox-identity.ts";
import type { Intent, Payments } from "../../providers/stripe/payments.ts";
import { lockIntent, saveIntent } from "../../providers/stripe/sandbox/intents.ts";
import { addRefund, listRefunds } from "../../providers/stripe/sandbox/refunds-and-disputes.ts";
import { createTickets } from "../../tickets/tickets.ts";
import { idDeriver } from "../../vault/vault.ts";
import type { Person } from "./seeded-requests.ts";

export const seedCorrelation = "seed";
export const by = (kind: "system" | "provider" | "customer", id = "seed"): OnBehalf => ({
  actor: { kind, id },
  correlationId: seedCorrelation,
});
const colleagues = preparedPeople.filter(({ role }) => role === "staff");

/** Staff in these stories, from 1: the sandbox's prepared people, so pages can name them. */
export const byStaff = (nth: number): OnBehalf => ({
  actor: { kind: "staff", id: userIdOf(colleagues[nth - 1]?.username ?? "") },
  correlationId: seedCorrelation,
  reason: "customerAsked",
});

/** A member of staff reveals personal data, as the page does. @throws when it is already purged */
export async function look(
  { deps }: SeedSystem,
  nth: number,
  orderId: string,
  what: Revealable,
  reason: RevealReason,
): Promise<void> {
  const userId = userIdOf(colleagues[nth - 1]?.username ?? "");
  const reveals = { application: revealApplication, contact: revealContact, question: revealQuestion };
  await reveals[what](deps, orderId, reason, { by: { userId }, correlationId: seedCorrelation });
}

export type SeedInfrastructure = Pick<
  Infrastructure,
  "pool" | "store" | "vault" | "log" | "newId" | "random" | "secrets"
>;

/** A seeded world: an order's or ticket's own clock, and the product's dependencies running on it. */
export type SeedSystem = {
  readonly deps: OrderDependencies;
  /** Advances the clock. @throws when it would reach the present: a story must be over by now */
  pass(seconds: number): void;
  execute(orderId: string, command: OrderCommand, by?: OnBehalf): Promise<Order>;
  /** The customer pays at the provider; the product has yet to learn of it. */
  payAtProvider(intentId: string): Promise<void>;
  /** Without an id of ours it is one made by hand. @returns the provider's id */
  refundAtProvider(refund: { refundId?: string; intentId: string; amountPence: number }): Promise<string>;
  /** Purges a class for real, as the policy does, and records it. */
  purge(orderId: string, dataClass: DataClass, rule: PurgeRule): Promise<void>;
  sendMails(orderId: string): Promise<void>;
};

/** One person's part in a seeded world. */
export type Scene = { readonly system: SeedSystem; readonly person: Person; readonly random: () => number };

/** Opens a world whose clock is at a past moment. */
export async function openSeedSystem(infrastructure: SeedInfrastructure, start: Date): Promise<SeedSystem> {
  const { store, random, vault, log, newId, secrets, pool } = infrastructure;
  let at = start.getTime();
  const now = () => new Date(at);
  const deps: OrderDependencies = {
    orders: createOrders({ store, random, now }),
    tickets: createTickets({ store, random, now }),
    drafts: createSavedDrafts({ store, random, now }),
    checkouts: createCheckouts({ store, random, now }),
    vault,
    payments: paymentsOf(infrastructure, now),
    deriveId: idDeriver(await secrets.secret("id-namespace")),
    unpaidExpiresAfterSeconds: 86_400,
    priceLists: () => firstPriceLists,
    now,
    newId,
    log,
  };
  const execute: SeedSystem["execute"] = async (orderId, command, behalf = by("system")) =>
    (await deps.orders.execute({ orderId, commandId: newId(), by: behalf, command })).order;
  return {
    deps,
    execute,
    pass(seconds) {
      at += seconds * 1000;
      if (at > Date.now()) throw new Error("A story of the past came to the present.");
    },
    payAtProvider: (intentId) =>
      inTransaction(pool, async (client) => {
        await client.query("update sandbox.intents set status = 'succeeded' where id = $1", [intentId]);
      }),
    async refundAtProvider({ refundId, intentId, amountPence }) {
      const id = `re_${newId().replaceAll("-", "")}`;
      await inTransaction(pool, async (client) =>
        addRefund(client, await lockIntent(client, intentId), {
          ...{ id, intentId, amount: amountPence },
          ...{
            status: "succeeded",
            failureReason: null,
            metadata: refundId === undefined ? {} : { refundId },
            createdAt: now(),
          },
        }),
      );
      return id;
    },
    async purge(orderId, dataClass, rule) {
      const { order } = await deps.orders.load(orderId);
      const task = {
        kind: "purge",
        name: "seed",
        dueAt: now().toISOString(),
        dataClass,
        rule,
        attempt: 1,
      } as const;
      await purge({ deps, now, log }, { order, task, by: by("system"), commandId: newId() });
    },
    async sendMails(orderId) {
      const { order } = await deps.orders.load(orderId);
      for (const { template, about } of order.mails.owed)
        await execute(orderId, {
          type: "RecordMail",
          data: { template, templateVersion: 1, about, result: "sent" },
        });
    },
  };
}

/** More than any story makes of a payment. */
const mostRefunds = 100;

/** The simulated provider remembers these payments, so they can be refunded or disputed later. */
function paymentsOf({ pool, newId }: SeedInfrastructure, now: () => Date): Payments {
  const never = async (): Promise<never> => {
    throw new Error("No story calls this on the provider.");
  };
  const read = async (intentId: string): Promise<Intent> => {
    const { rows } = await pool.query<
      Pick<Intent, "orderId" | "checkoutId"> & { amount: number; status: string }
    >(
      `select amount, status, metadata ->> 'orderId' as "orderId", metadata ->> 'checkoutId' as "checkoutId" from sandbox.intents where id = $1`,
      [intentId],
    );
    const [row] = rows;
    if (!row) throw new Error("The simulated provider knows every intent.");
    return {
      ...{ id: intentId, amountPence: row.amount, currency: "gbp", attempt: 1 },
      ...{ orderId: row.orderId ?? undefined, checkoutId: row.checkoutId ?? undefined },
      status: row.status === "succeeded" ? "succeeded" : row.status === "canceled" ? "cancelled" : "unpaid",
      ...{ clientSecret: "", failureCode: undefined },
    };
  };
  return {
    async createIntent({ amountPence, attempt, ...payer }) {
      const id = `pi_${newId().replaceAll("-", "").slice(0, 24)}`;
      await inTransaction(pool, (client) =>
        saveIntent(client, {
          ...{ id, amount: amountPence, currency: "gbp", status: "requires_payment_method" },
          ...{ clientSecret: `${id}_secret_${newId().replaceAll("-", "")}`, failure: null, returnUrl: null },
          ...{ metadata: { ...payer, attempt: String(attempt) }, createdAt: now() },
        }),
      );
      return read(id);
    },
    retrieveIntent: read,
    async cancelIntent(intentId) {
      await pool.query("update sandbox.intents set status = 'canceled' where id = $1", [intentId]);
      return read(intentId);
    },
    refundsOf: async (intentId) =>
      (await listRefunds(pool, mostRefunds, intentId)).map(({ id, amount, status, metadata }) => ({
        ...{ id, intentId, amountPence: amount, status },
        ...{ refundId: metadata.refundId, failureCode: undefined },
      })),
    ...{ intentsOf: never, refund: never, retrieveDispute: never, undeliveredNotices: never },
    readWebhook: () => ({ eventId: "", kind: "other" }),
  };
}
