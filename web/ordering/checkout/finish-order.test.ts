import { beforeEach, expect, test, vi } from "vitest";
import { completeBirthDraft, completeDeathDraft } from "../../../testing/pages/draft-fixture.ts";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { attemptFor, type OrderAttempt } from "./order-attempt.ts";

vi.stubGlobal("sessionStorage", memoryStorage());
vi.stubGlobal("localStorage", memoryStorage());
const { finishOrder, placedOrders } = await import("./finish-order.ts");
const { attempts, draftStore } = await import("../current-order.ts");
const { certificatesOf } = await import("../draft/basket.ts");

const ids = [1, 2].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const [firstId = ""] = ids;
const orders = ids.map((orderId, n) => ({
  orderId,
  orderNumber: `7K3M-7K3M-7K3M${n + 1}`,
  reference: `REF-2026-${n + 1}`,
}));
const checkoutId = "00000000-0000-4000-8000-00000000000c";
const key = "0123456789abcdef";

const one: OrderAttempt = { ...attemptFor("one", null, key), orders: orders.slice(0, 1), clientSecret: "s" };
const two: OrderAttempt = { ...one, orders, checkoutId };

const statusOf = (id: string) => ({
  id,
  orderNumber: orders[ids.indexOf(id)]?.orderNumber,
  status: "Processing",
});

/** The server. @returns each call's path and key */
function server(answer: (path: string) => unknown, status = 200) {
  const called: [path: string, key: string | null][] = [];
  vi.stubGlobal("fetch", async (path: string, { headers }: { headers: HeadersInit }) => {
    called.push([path, new Headers(headers).get("Idempotency-Key")]);
    return Response.json(answer(path), { status });
  });
  return called;
}

const answering = (path: string): unknown =>
  path.startsWith("/api/checkouts/") ? { id: checkoutId, orders: ids.map(statusOf) } : statusOf(firstId);

beforeEach(() => {
  for (const { orderNumber } of orders) placedOrders.withdraw(orderNumber);
  draftStore.reset();
  draftStore.update(completeBirthDraft());
  draftStore.add("Death");
  draftStore.update({ death: completeDeathDraft().death });
});

test("one order is reported paid and submitted, under the attempt's key", async () => {
  const called = server(answering);
  expect(await finishOrder(one)).toEqual({ state: "placed", orderNumber: orders[0]?.orderNumber });
  expect(called).toEqual([
    [`/api/orders/${firstId}/status`, key],
    [`/api/orders/${firstId}/submit`, key],
  ]);
});

test("several are reported paid together, which submits them", async () => {
  const called = server(answering);
  expect(await finishOrder(two)).toEqual({ state: "placed", orderNumber: orders[0]?.orderNumber });
  expect(called).toEqual([[`/api/checkouts/${checkoutId}/status`, key]]);
  expect(attempts.read()?.paid).toBe(true);
});

test("another tab of the same draft is told of each certificate, until the server knows of no payment", async () => {
  server(answering);
  await finishOrder(two);
  const told = () =>
    certificatesOf(draftStore.current()).map(({ id }) => placedOrders.before(id, [])?.orderNumber);
  expect(told()).toEqual(orders.map(({ orderNumber }) => orderNumber));
  vi.spyOn(console, "error").mockReturnValue();
  server(() => ({ code: "payment-not-received" }), 409);
  expect(await finishOrder(two)).toEqual({ state: "unpaid" });
  expect(told()).toEqual([undefined, undefined]);
  expect(attempts.read()?.paid).toBe(false);
});

test("an attempt without an order has nothing to finish", async () => {
  expect(await finishOrder(attemptFor("one", null, key))).toEqual({ state: "unfinished" });
});
