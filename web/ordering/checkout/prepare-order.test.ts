import { expect, test, vi } from "vitest";
import { createOrderRequest } from "../../../contract/orders/ordering.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { completeBirthDraft, completeDrafts } from "../../../testing/pages/draft-fixture.ts";
import { attemptFor, type OrderAttempt } from "./order-attempt.ts";
import {
  AlreadyPaid,
  askedIn,
  type OrderCalls,
  orderRequestOf,
  orderRequestsOf,
  prepareOrder,
} from "./prepare-order.ts";

const terms = { totalPence: 4500, termsVersion: 2, consentVersion: 1, today: "2026-11-20" };
const request = orderRequestOf(completeBirthDraft(), terms);
const requests = [request];
const attempt = attemptFor(askedIn(requests), null, "k-1");

function calls() {
  const kept: OrderAttempt[] = [];
  const order: string[] = [];
  const spies = {
    openOrder: vi.fn<OrderCalls["openOrder"]>(async () => {
      order.push("openOrder");
      const n = order.filter((call) => call === "openOrder").length;
      return { id: `o-${n}`, orderNumber: `7K3${n}`, reference: `REF-2026-${n}` };
    }),
    chooseVariant: vi.fn<OrderCalls["chooseVariant"]>(async () => {
      order.push("chooseVariant");
    }),
    createPaymentIntent: vi.fn<OrderCalls["createPaymentIntent"]>(async () => {
      order.push("createPaymentIntent");
      return { clientSecret: "pi_1_secret_1" };
    }),
    openCheckout: vi.fn<OrderCalls["openCheckout"]>(async () => {
      order.push("openCheckout");
      return { id: "c-1", totalAmount: 0, orders: [] };
    }),
    payCheckout: vi.fn<OrderCalls["payCheckout"]>(async () => {
      order.push("payCheckout");
      return { clientSecret: "pi_2_secret_2" };
    }),
    cancelReplaced: vi.fn<OrderCalls["cancelReplaced"]>(async () => {
      order.push("cancelReplaced");
      return null;
    }),
    keep: (next: OrderAttempt) => {
      kept.push(next);
      return next;
    },
  };
  return { spies, kept, order };
}

test("an order names its draft, but for another copy, which is another order and no duplicate", () => {
  const first = { ...completeBirthDraft(), id: "draft-1" };
  const another = { ...completeBirthDraft(), id: "draft-2", isAnotherCopy: true };
  expect(orderRequestOf(first, terms).order.draftId).toBe("draft-1");
  expect(orderRequestOf(another, terms).order).not.toHaveProperty("draftId");
  expect(orderRequestOf(another, terms).asked).not.toBe(orderRequestOf(first, terms).asked);
});

test("an order is created, given what is ordered under its own label, and asked for its payment, each under the attempt's key", async () => {
  const { spies, order } = calls();
  const done = await prepareOrder(attempt, requests, spies);
  expect(order).toEqual(["openOrder", "chooseVariant", "createPaymentIntent"]);
  expect(spies.openOrder).toHaveBeenCalledWith(request.order, "k-1");
  expect(spies.chooseVariant).toHaveBeenCalledWith("o-1", request.variant("REF-2026-1"), "k-1");
  expect(spies.createPaymentIntent).toHaveBeenCalledWith("o-1", 45, "k-1");
  expect(done).toMatchObject({
    orders: [{ orderId: "o-1", orderNumber: "7K31" }],
    checkoutId: null,
    clientSecret: "pi_1_secret_1",
  });
});

test("what was reached before a failure is kept, and the next run makes no second order", async () => {
  const { spies, kept } = calls();
  spies.createPaymentIntent.mockRejectedValueOnce(new Error("down"));
  await expect(prepareOrder(attempt, requests, spies)).rejects.toThrow("down");
  const reached = kept.at(-1) ?? attempt;
  expect(reached.orders).toMatchObject([{ orderId: "o-1" }]);
  const done = await prepareOrder(reached, requests, spies);
  expect(done.clientSecret).toBe("pi_1_secret_1");
  expect(spies.openOrder).toHaveBeenCalledOnce();
});

test("an attempt that is ready makes no call at all", async () => {
  const { spies, order } = calls();
  const ready = { ...attempt, clientSecret: "pi_1_secret_1" };
  expect(await prepareOrder(ready, requests, spies)).toBe(ready);
  expect(order).toEqual([]);
});

test("the order of an earlier draft is cancelled before the new one is made, and only once", async () => {
  const { spies, kept, order } = calls();
  spies.openOrder.mockRejectedValueOnce(new Error("down"));
  await expect(prepareOrder({ ...attempt, replaces: ["o-0"] }, requests, spies)).rejects.toThrow("down");
  expect(spies.cancelReplaced).toHaveBeenCalledWith("o-0", "k-1");
  await prepareOrder(kept.at(-1) ?? attempt, requests, spies);
  expect(order).toEqual(["cancelReplaced", "openOrder", "chooseVariant", "createPaymentIntent"]);
});

test("where earlier orders are paid for, none is made until the customer asks for another", async () => {
  const { spies, kept, order } = calls();
  spies.cancelReplaced
    .mockResolvedValueOnce("7K3M")
    .mockResolvedValueOnce(null)
    .mockResolvedValueOnce("7K3P");
  const replacing = { ...attempt, replaces: ["o-7", "o-8", "o-9"] };
  await expect(prepareOrder(replacing, requests, spies)).rejects.toEqual(new AlreadyPaid(["7K3M", "7K3P"]));
  expect(spies.cancelReplaced.mock.calls.map(([orderId]) => orderId)).toEqual(["o-7", "o-8", "o-9"]);
  expect(spies.openOrder).not.toHaveBeenCalled();
  await prepareOrder(kept.at(-1) ?? attempt, requests, spies);
  expect(order).toEqual(["openOrder", "chooseVariant", "createPaymentIntent"]);
});

test("while the earlier order cannot be cancelled, no second one is made", async () => {
  const { spies, order } = calls();
  spies.cancelReplaced.mockRejectedValueOnce(new Error("being paid"));
  await expect(prepareOrder({ ...attempt, replaces: ["o-0"] }, requests, spies)).rejects.toThrow(
    "being paid",
  );
  expect(order).toEqual([]);
});

/** A birth, a death and a marriage, with what each costs. */
function severalRequests() {
  const [birth, ...others] = completeDrafts().slice(0, 3);
  if (!birth) throw new Error("There are no drafts.");
  const { totalPence: _, ...shared } = terms;
  return orderRequestsOf({ ...birth, others }, [4500, 9000, 7500], shared);
}

test("several orders are created one after the other, each under its own key, and paid for together", async () => {
  const { spies, order } = calls();
  const several = severalRequests();
  const done = await prepareOrder(attemptFor(askedIn(several), null, "k-1"), several, spies);
  const one = ["openOrder", "chooseVariant"];
  expect(order).toEqual([...one, ...one, ...one, "openCheckout", "payCheckout"]);
  expect(spies.openOrder.mock.calls.map(([{ totalAmount }, key]) => [totalAmount, key])).toEqual([
    [45, "k-1"],
    [90, "k-1-1"],
    [75, "k-1-2"],
  ]);
  expect(spies.chooseVariant.mock.calls.map(([id, variant]) => [id, variant])).toEqual(
    several.map(({ variant }, place) => [`o-${place + 1}`, variant(`REF-2026-${place + 1}`)]),
  );
  expect(spies.openCheckout).toHaveBeenCalledWith(["o-1", "o-2", "o-3"], "k-1");
  expect(spies.payCheckout).toHaveBeenCalledWith("c-1", 210, "k-1");
  expect(done).toMatchObject({ checkoutId: "c-1", clientSecret: "pi_2_secret_2" });
});

test.each([
  ["openOrder", 2],
  ["chooseVariant", 2],
  ["openCheckout", 1],
  ["payCheckout", 1],
] as const)("a failure of %s, call %i, is gone on from without a second order", async (failing, nth) => {
  const { spies, kept } = calls();
  const several = severalRequests();
  const start = attemptFor(askedIn(several), null, "k-1");
  const usual = spies[failing].getMockImplementation();
  let made = 0;
  const once = vi.fn(async (...given: unknown[]) => {
    made += 1;
    if (made === nth) throw new Error("down");
    return usual && Reflect.apply(usual, undefined, given);
  });
  Object.assign(spies, { [failing]: once });
  await expect(prepareOrder(start, several, spies)).rejects.toThrow("down");
  const done = await prepareOrder(kept.at(-1) ?? start, several, spies);
  expect(done.orders.map(({ orderId }) => orderId)).toEqual(["o-1", "o-2", "o-3"]);
  expect(done.clientSecret).toBe("pi_2_secret_2");
});

test("all orders of an earlier draft are cancelled, each once", async () => {
  const { spies, kept } = calls();
  const start = { ...attempt, replaces: ["o-8", "o-9"] };
  spies.cancelReplaced.mockResolvedValueOnce(null).mockRejectedValueOnce(new Error("down"));
  await expect(prepareOrder(start, requests, spies)).rejects.toThrow("down");
  await prepareOrder(kept.at(-1) ?? start, requests, spies);
  expect(spies.cancelReplaced.mock.calls.map(([id]) => id)).toEqual(["o-8", "o-9", "o-9"]);
});

test.each(completeDrafts())("a draft of a $certificateType makes bodies that the server accepts", (draft) => {
  const request = orderRequestOf(draft, terms);
  expect(createOrderRequest.safeParse(request.order).success).toBe(true);
  expect(variantRequest(terms.today).safeParse(request.variant("REF-2026-1")).error).toBeUndefined();
});

test("a draft whose details are not complete makes no request", () => {
  const draft = completeBirthDraft();
  draft.birth.placeOfBirth = "";
  expect(() => orderRequestOf(draft, terms)).toThrow("not complete");
});

test("equal drafts ask for the same; any change asks for something else", () => {
  const asked = orderRequestOf(completeBirthDraft(), terms).asked;
  const other = completeBirthDraft();
  expect(orderRequestOf(other, terms).asked).toBe(asked);
  other.birth.placeOfBirth = "Hwlffordd";
  expect(orderRequestOf(other, terms).asked).not.toBe(asked);
  expect(orderRequestOf(completeBirthDraft(), { ...terms, totalPence: 9000 }).asked).not.toBe(asked);
  expect(orderRequestOf(completeBirthDraft(), { ...terms, termsVersion: 3 }).asked).not.toBe(asked);
});
