import { describe, expect, test } from "vitest";
import { memoryStorage } from "../../../testing/pages/memory-storage.ts";
import { attemptFor, createAttemptStore, givenUp, type OrderAttempt } from "./order-attempt.ts";

const fresh = "k-2";
const known: OrderAttempt = {
  key: "k-1",
  reference: "REF-2026-1",
  asked: "two copies",
  orderId: "o-1",
  orderNumber: "7K3M",
  clientSecret: "pi_1_secret_1",
  paid: false,
  replaces: null,
};

describe("the attempt at what a draft asks for", () => {
  test("is the one under way while the draft asks the same: no second order comes of a retry", () => {
    expect(attemptFor("two copies", known, fresh)).toBe(known);
  });

  test("is a new one, which replaces the old order, once the draft asks for something else", () => {
    expect(attemptFor("three copies", known, fresh)).toEqual({
      key: "k-2",
      reference: null,
      asked: "three copies",
      orderId: null,
      orderNumber: null,
      clientSecret: null,
      paid: false,
      replaces: "o-1",
    });
  });

  test("still replaces the oldest when the draft changes again before that was cancelled", () => {
    const second = attemptFor("three copies", known, fresh);
    expect(attemptFor("four copies", second, "k-3").replaces).toBe("o-1");
  });

  test("never replaces an order that is paid", () => {
    expect(attemptFor("three copies", { ...known, paid: true }, fresh).replaces).toBeNull();
  });

  test("is a new one for the same draft too, once the order was given up", () => {
    expect(attemptFor("two copies", givenUp(known), fresh)).toMatchObject({ key: fresh, replaces: "o-1" });
  });

  test("starts with nothing to replace", () => {
    expect(attemptFor("two copies", null, fresh).replaces).toBeNull();
  });
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
