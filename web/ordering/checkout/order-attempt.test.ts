import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { attemptFor, createAttemptStore, givenUp, keyOf, type OrderAttempt } from "./order-attempt.ts";

const fresh = "k-2";
const known: OrderAttempt = {
  key: "k-1",
  asked: "two copies",
  orders: [{ orderId: "o-1", orderNumber: "7K3M", reference: "REF-2026-1" }],
  checkoutId: null,
  clientSecret: "pi_1_secret_1",
  paid: false,
  replaces: [],
};

describe("the attempt at what a draft asks for", () => {
  test("is the one under way while the draft asks the same: no second order comes of a retry", () => {
    expect(attemptFor("two copies", known, fresh)).toBe(known);
  });

  test("is a new one, which replaces the old order, once the draft asks for something else", () => {
    expect(attemptFor("three copies", known, fresh)).toEqual({
      key: "k-2",
      asked: "three copies",
      orders: [],
      checkoutId: null,
      clientSecret: null,
      paid: false,
      replaces: ["o-1"],
    });
  });

  test("still replaces the oldest when the draft changes again before that was cancelled", () => {
    const second = attemptFor("three copies", known, fresh);
    expect(attemptFor("four copies", second, "k-3").replaces).toEqual(["o-1"]);
  });

  test("never replaces an order that is paid", () => {
    expect(attemptFor("three copies", { ...known, paid: true }, fresh).replaces).toEqual([]);
  });

  test("is a new one for the same draft too, once the order was given up", () => {
    expect(attemptFor("two copies", givenUp(known), fresh)).toMatchObject({ key: fresh, replaces: ["o-1"] });
  });

  test("starts with nothing to replace", () => {
    expect(attemptFor("two copies", null, fresh).replaces).toEqual([]);
  });
});

test("each order of an attempt has a key of its own, and one alone has the attempt's", () => {
  expect([0, 1, 9].map((place) => keyOf(known, place))).toEqual(["k-1", "k-1-1", "k-1-9"]);
});

test.each([
  ["with its order", { orderId: "o-1", orderNumber: "7K3M", reference: "REF-2026-1" }, known.orders],
  ["before its order", { orderId: null, orderNumber: null, reference: null }, []],
])("an attempt of a page that knew one order alone goes on, %s", (_, order, orders) => {
  const { key, asked, clientSecret, paid } = known;
  const storage = memoryStorage();
  storage.setItem(
    "order-attempt",
    JSON.stringify({ key, asked, clientSecret, paid, replaces: "o-0", ...order }),
  );
  expect(createAttemptStore(storage).read()).toEqual({ ...known, orders, replaces: ["o-0"] });
});

test("an attempt survives a reload until it is forgotten", () => {
  const storage = memoryStorage();
  createAttemptStore(storage).write(known);
  expect(createAttemptStore(storage).read()).toEqual(known);
  createAttemptStore(storage).forget();
  expect(createAttemptStore(storage).read()).toBeNull();
});

test.each(["nonsense", "{}"])("what is stored as %s is no attempt", (stored) => {
  const storage = memoryStorage();
  storage.setItem("order-attempt", stored);
  expect(createAttemptStore(storage).read()).toBeNull();
});
