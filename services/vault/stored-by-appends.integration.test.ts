import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { afterAll, beforeAll, expect, it } from "vitest";
import { firstPriceLists } from "../../domain/pricing/price-list.ts";
import { CommandReused } from "../../infra/commands/repeats.ts";
import { type EventStore, OutcomeUnknown, StoreBusy } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { withAppend } from "../../testing/event-store/handler-fixture.ts";
import { testDatabase } from "../../testing/postgres/test-database.ts";
import { createMemoryPayments } from "../../testing/providers/memory-payments.ts";
import { orderRequest } from "../../testing/services/use-case-fixture.ts";
import { recordFor, type TestVault, testVault } from "../../testing/vault/test-vault.ts";
import { createOrder } from "../orders/create-order.ts";
import type { OrderDependencies } from "../orders/dependencies.ts";
import { createSavedDrafts } from "../orders/drafts/saved-drafts.ts";
import { createOrders } from "../orders/orders.ts";
import { createCheckouts } from "../orders/payments/checkouts.ts";
import { createTickets } from "../tickets/tickets.ts";
import { destroyAbandonedKeys } from "./abandoned-keys.ts";
import { createVault } from "./postgres-vault.ts";
import { fingerprintKeyId } from "./stream-fingerprint.ts";
import { idDeriver } from "./vault.ts";
import { vaultTable } from "./vault-rows.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let held: TestVault;
let store: EventStore;
beforeAll(async () => {
  database = await testDatabase();
  const { connectionString } = database;
  held = await testVault(connectionString, { storedByAppends: true });
  store = createPostgresEventStore({ pool: held.pool, connectionString, companions: vaultTable });
});
afterAll(async () => {
  await store.close();
  await held.dispose();
  await database.drop();
});

const secret = randomBytes(32);
const now = () => new Date();

/** A process: it knows no stream yet. */
function processOn(log: EventStore = store): OrderDependencies {
  const parts = { store: log, random: Math.random, now };
  return {
    orders: createOrders(parts),
    tickets: createTickets(parts),
    drafts: createSavedDrafts(parts),
    checkouts: createCheckouts(parts),
    vault: held.vault,
    payments: createMemoryPayments(),
    deriveId: idDeriver(secret),
    priceLists: () => firstPriceLists,
    unpaidExpiresAfterSeconds: 86_400,
    newId: () => randomUUID(),
    log: pino({ level: "silent" }),
    now,
  };
}

const newKey = () => ({ scope: "a test", key: randomUUID() });
const create = (deps: OrderDependencies, key = newKey()) =>
  createOrder(deps, orderRequest(), key, "a-request");
const unsettled = () => held.keyRing.unsettled(new Date(Date.now() + 1_000));
const rows = async (): Promise<number> => {
  const { rows } = await held.pool.query<{ count: number }>("select count(*)::int from vault_records");
  return rows[0]?.count ?? 0;
};
/** The order that a key opens, before it is there. */
async function orderIdOf(key: ReturnType<typeof newKey>): Promise<string> {
  const streams: string[] = [];
  const full = withAppend(store, async ({ stream }) => {
    streams.push(stream);
    throw new StoreBusy("Too much waits.");
  });
  await expect(create(processOn(full), key)).rejects.toThrow(StoreBusy);
  return (streams[0] ?? "").replace("order-", "");
}

it("is there with the event that names it, and its keys are in use for good", async () => {
  const before = await rows();
  const { order } = await create(processOn());
  const records = await held.vault.recordsOf(order.orderId);
  expect(records.map(({ kind }) => kind).sort()).toEqual(["contact", "fingerprintKey", "signature"]);
  expect(await rows()).toBe(before + 3);
  expect(await unsettled()).toEqual([]);
});

it("is not there where the append is refused, and its key is zeroed", async () => {
  const { order } = await create(processOn());
  const before = await rows();
  const slots: Parameters<typeof held.keyRing.zero>[0][number][] = [];
  const keyRing = {
    ...held.keyRing,
    take: async () => {
      const taken = await held.keyRing.take();
      slots.push(taken.slot);
      return taken;
    },
  };
  const vault = createVault({ pool: held.pool, keyRing, now, storedByAppends: true });
  const records = vault.recordsOfAppend?.();
  await records?.seal(recordFor());
  const event = { id: randomUUID(), type: "OrderCreated", data: {}, metadata: {} };
  const append = (stream: string, expectedRevision: "none" | number, companions = {}) =>
    store.append({ stream, expectedRevision, events: [{ ...event, id: randomUUID() }], ...companions });
  const refused = append(`order-${order.orderId}`, "none", { companions: await records?.companions() });
  const accepted = append(`spare-${order.orderId}`, "none");
  await expect(refused).rejects.toThrow("was expected at none");
  await expect(accepted).resolves.toMatchObject({ revision: 0 });
  expect(await rows()).toBe(before);
  await records?.discard();
  const [slot] = slots;
  if (!slot) throw new Error("A key was taken.");
  expect((await held.keyRing.probe(slot)).every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  expect(await unsettled()).toEqual([]);
});

it("is sealed once, however many processes take the order for new", async () => {
  const key = newKey();
  const before = await rows();
  const opened = await Promise.all(Array.from({ length: 8 }, () => create(processOn(), key)));
  expect(new Set(opened.map(({ order }) => order.orderId)).size).toBe(1);
  expect((await create(processOn(), key)).order).toEqual(opened[0]?.order);
  expect(await rows()).toBe(before + 3);
  expect(await unsettled()).toEqual([]);
});

it("is compared by the key that another build sealed first, and other orders of the batch are opened", async () => {
  const key = newKey();
  const orderId = await orderIdOf(key);
  const recordId = fingerprintKeyId(idDeriver(secret), orderId);
  const body = { key: randomBytes(32).toString("base64") };
  await held.vault.seal(recordFor({ recordId, subject: orderId, kind: "fingerprintKey", body }));
  const [first, ...others] = await Promise.all([
    create(processOn(), key),
    ...[1, 2, 3].map(() => create(processOn())),
  ]);
  expect(first?.order.orderId).toBe(orderId);
  expect(others).toHaveLength(3);
  expect((await create(processOn(), key)).order).toEqual(first?.order);
  await held.vault.destroy([recordId]);
  await expect(create(processOn(), key)).resolves.toMatchObject({ compared: false });
});

it("is refused under a key whose traces were erased before an order came to be", async () => {
  const key = newKey();
  const orderId = await orderIdOf(key);
  const recordId = fingerprintKeyId(idDeriver(secret), orderId);
  await held.vault.seal(recordFor({ recordId, subject: orderId, kind: "fingerprintKey", body: { key: "" } }));
  await held.vault.destroy([recordId]);
  await expect(create(processOn(), key)).rejects.toThrow(CommandReused);
});

it("leaves a key for the sweep where the outcome stays unknown, and none once it is known", async () => {
  const lost = withAppend(store, () => Promise.reject(new OutcomeUnknown("The answer was lost.")));
  const before = await rows();
  await expect(create(processOn(lost))).rejects.toThrow(OutcomeUnknown);
  expect(await rows()).toBe(before);
  const open = await unsettled();
  expect(open).toHaveLength(3);
  const { pool, keyRing } = held;
  const swept = { pool, keyRing, confirmLog: async () => undefined, begunAt: null };
  expect(await destroyAbandonedKeys(swept, new Date(Date.now() + 1_000))).toBe(3);

  let isFirst = true;
  const late = withAppend(store, async (request) => {
    const appended = await store.append(request);
    if (!isFirst) return appended;
    isFirst = false;
    throw new OutcomeUnknown("The answer was lost.");
  });
  const { order } = await create(processOn(late));
  expect(await rows()).toBe(before + 3);
  expect(await unsettled()).toEqual([]);
  expect(await held.vault.recordsOf(order.orderId)).toHaveLength(3);
});

it("takes no key while the database is known not to answer", async () => {
  let taken = 0;
  const keyRing: KeyRing = {
    ...held.keyRing,
    take: () => {
      taken += 1;
      return held.keyRing.take();
    },
  };
  let isAway = true;
  const expectDatabase = async () => {
    if (isAway) throw new StoreBusy("The database does not answer.");
  };
  const vault = createVault({ pool: held.pool, keyRing, now, storedByAppends: true, expectDatabase });
  const away = withAppend(store, () => Promise.reject(new StoreBusy("The database does not answer.")));
  await expect(create({ ...processOn(away), vault })).rejects.toThrow(StoreBusy);
  expect(taken).toBe(0);
  isAway = false;
  await create({ ...processOn(), vault });
  expect(taken).toBe(3);
});
