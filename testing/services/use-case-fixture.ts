import { randomUUID } from "node:crypto";
import { pino } from "pino";
import { createOrderRequest } from "../../contract/orders/ordering.ts";
import type { VariantRequest } from "../../domain/forms/variant-request.ts";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { createOrder } from "../../services/orders/create-order.ts";
import type { OrderDependencies } from "../../services/orders/dependencies.ts";
import { createSavedDrafts } from "../../services/orders/drafts/saved-drafts.ts";
import { createOrders, type OnBehalf } from "../../services/orders/orders.ts";
import { createCheckouts } from "../../services/orders/payments/checkouts.ts";
import { requestPayment } from "../../services/orders/payments/request-payment.ts";
import { createTickets } from "../../services/tickets/tickets.ts";
import { idDeriver, type RecordToSeal } from "../../services/vault/vault.ts";
import { createMemoryEventStore } from "../event-store/memory-event-store.ts";
import { createMemoryPayments, type MemoryPayments } from "../providers/memory-payments.ts";
import { createMemoryVault, type MemoryVault } from "../vault/memory-vault.ts";

/**
 * Dependencies in memory; a test may break the store and steer the rest. `storedByAppends`: as with the log in
 * Postgres.
 */
export type TestDependencies = OrderDependencies & {
  readonly payments: MemoryPayments;
  readonly vault: MemoryVault;
  /** The same in another process: in one process, commands on a stream wait for their turn. */
  elsewhere(): OrderDependencies;
  events(orderId: string): Promise<StoredEvent[]>;
  wait(seconds: number): void;
};

export function testDependencies(
  wrap: (store: EventStore) => EventStore = (store) => store,
  { storedByAppends = true } = {},
): TestDependencies {
  let clock = Date.parse("2026-11-21T09:00:00.000Z");
  const now = () => new Date(clock);
  const vault = createMemoryVault(undefined, storedByAppends);
  const store = createMemoryEventStore({ take: vault.take });
  const buses = () => {
    const bus = { store: wrap(store), random: Math.random, now };
    return {
      orders: createOrders(bus),
      tickets: createTickets(bus),
      drafts: createSavedDrafts(bus),
      checkouts: createCheckouts(bus),
    };
  };
  const deps = {
    ...buses(),
    vault,
    payments: createMemoryPayments(),
    deriveId: idDeriver(Buffer.alloc(32, 1)),
    priceLists: () => firstPriceLists,
    unpaidExpiresAfterSeconds: 86_400,
    now,
    newId: () => randomUUID(),
    log: pino({ level: "silent" }),
  };
  return {
    ...deps,
    elsewhere: () => ({ ...deps, ...buses() }),
    events: (orderId) => store.readStream(`order-${orderId}`),
    wait: (seconds) => {
      clock += seconds * 1000;
    },
  };
}

/** Calls `onSeal` before a record is sealed, whether by itself or for an append. */
export function beforeSealing({ vault }: TestDependencies, onSeal: (record: RecordToSeal) => unknown): void {
  const { seal, recordsOfAppend } = vault;
  const watched = (inner: typeof seal) => async (record: RecordToSeal) => {
    await onSeal(record);
    return inner(record);
  };
  vault.seal = watched(seal);
  if (!recordsOfAppend) return;
  vault.recordsOfAppend = () => {
    const records = recordsOfAppend();
    return { ...records, seal: watched(records.seal) };
  };
}

/** The store, but appends fail while `broken` is true, like a crash before appending. */
export function failingAppends(broken: () => boolean) {
  return (store: EventStore): EventStore =>
    new Proxy(store, {
      get(target, name, receiver) {
        if (name === "append" && broken()) return () => Promise.reject(new Crash());
        const member = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : Reflect.get(target, name, receiver);
      },
    });
}
export class Crash extends Error {}

export const customer: OnBehalf = {
  actor: { kind: "customer", id: "a-customer" },
  correlationId: "a-request",
};

export const orderRequest = (changes: Record<string, unknown> = {}) =>
  createOrderRequest.parse({
    email: "sian.rhys@post.example",
    contactFullName: "Mrs Siân Rhys",
    contactAddress: {
      Address1: "1 Heol y Bont",
      Town: "Aberystwyth",
      County: "Ceredigion",
      Country: "United Kingdom",
      PostCode: "SY23 1AA",
    },
    contactPhone: { Daytime: "01970 000000" },
    totalAmount: 45,
    signature: "Siân Rhys",
    termsVersion: 1,
    consentVersion: 1,
    ...changes,
  });

const choice: VariantRequest["choice"] = {
  certificateType: "Birth",
  copies: 1,
  shortCopies: 0,
  serviceLevel: "standard",
  deliveryMethod: "Post",
  apostille: false,
  groReferenceKnown: false,
  amountPence: 4500,
};

export async function pricedOrder(deps: OrderDependencies): Promise<string> {
  const { order } = await createOrder(deps, orderRequest(), undefined, "a-request");
  const applicationRef = deps.newId();
  const command = {
    type: "AddVariant" as const,
    data: { ...choice, priceLists: deps.priceLists(), applicationRef },
  };
  await deps.orders.execute({ orderId: order.orderId, commandId: deps.newId(), by: customer, command });
  return order.orderId;
}

/** The same, with an open payment intent. */
export async function awaitingPayment(
  deps: OrderDependencies,
): Promise<{ orderId: string; intentId: string }> {
  const orderId = await pricedOrder(deps);
  const { order } = await requestPayment(deps, orderId, 4500, customer);
  return { orderId, intentId: order.intents.open?.intentId ?? "" };
}
