import { expect, test, vi } from "vitest";
import { createOrderRequest } from "../../../contract/orders/ordering.ts";
import { variantRequest } from "../../../domain/forms/variant-request.ts";
import { completeBirthDraft, completeDrafts } from "../../../testing/pages/draft-fixture.ts";
import { attemptFor, type OrderAttempt } from "./order-attempt.ts";
import { type OrderCalls, orderRequestOf, prepareOrder } from "./prepare-order.ts";

const terms = { totalPence: 4500, termsVersion: 2, consentVersion: 1, today: "2026-11-20" };
const request = orderRequestOf(completeBirthDraft(), terms);
const attempt = attemptFor(request.asked, null, "k-1");

function calls() {
  const kept: OrderAttempt[] = [];
  const order: string[] = [];
  const spies = {
    openOrder: vi.fn<OrderCalls["openOrder"]>(async () => {
      order.push("openOrder");
      return { id: "o-1", orderNumber: "7K3M", reference: "REF-2026-7" };
    }),
    chooseVariant: vi.fn<OrderCalls["chooseVariant"]>(async () => {
      order.push("chooseVariant");
    }),
    createPaymentIntent: vi.fn<OrderCalls["createPaymentIntent"]>(async () => {
      order.push("createPaymentIntent");
      return { clientSecret: "pi_1_secret_1" };
    }),
    cancelReplaced: vi.fn<OrderCalls["cancelReplaced"]>(async () => {
      order.push("cancelReplaced");
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
  const done = await prepareOrder(attempt, request, spies);
  expect(order).toEqual(["openOrder", "chooseVariant", "createPaymentIntent"]);
  expect(spies.openOrder).toHaveBeenCalledWith(request.order, "k-1");
  expect(spies.chooseVariant).toHaveBeenCalledWith("o-1", request.variant("REF-2026-7"), "k-1");
  expect(spies.createPaymentIntent).toHaveBeenCalledWith("o-1", 45, "k-1");
  expect(done).toMatchObject({ orderId: "o-1", orderNumber: "7K3M", clientSecret: "pi_1_secret_1" });
});

test("what was reached before a failure is kept, and the next run makes no second order", async () => {
  const { spies, kept } = calls();
  spies.createPaymentIntent.mockRejectedValueOnce(new Error("down"));
  await expect(prepareOrder(attempt, request, spies)).rejects.toThrow("down");
  const reached = kept.at(-1) ?? attempt;
  expect(reached.orderId).toBe("o-1");
  const done = await prepareOrder(reached, request, spies);
  expect(done.clientSecret).toBe("pi_1_secret_1");
  expect(spies.openOrder).toHaveBeenCalledOnce();
});

test("an attempt that is ready makes no call at all", async () => {
  const { spies, order } = calls();
  const ready = { ...attempt, orderId: "o-1", clientSecret: "pi_1_secret_1" };
  expect(await prepareOrder(ready, request, spies)).toBe(ready);
  expect(order).toEqual([]);
});

test("the order of an earlier draft is cancelled before the new one is made, and only once", async () => {
  const { spies, kept, order } = calls();
  spies.openOrder.mockRejectedValueOnce(new Error("down"));
  await expect(prepareOrder({ ...attempt, replaces: "o-0" }, request, spies)).rejects.toThrow("down");
  expect(spies.cancelReplaced).toHaveBeenCalledWith("o-0", "k-1");
  await prepareOrder(kept.at(-1) ?? attempt, request, spies);
  expect(order).toEqual(["cancelReplaced", "openOrder", "chooseVariant", "createPaymentIntent"]);
});

test("while the earlier order cannot be cancelled, no second one is made", async () => {
  const { spies, order } = calls();
  spies.cancelReplaced.mockRejectedValueOnce(new Error("being paid"));
  await expect(prepareOrder({ ...attempt, replaces: "o-0" }, request, spies)).rejects.toThrow("being paid");
  expect(order).toEqual([]);
});

test.each(completeDrafts())("a draft of a $certificateType makes bodies that the server accepts", (draft) => {
  const request = orderRequestOf(draft, terms);
  expect(createOrderRequest.safeParse(request.order).success).toBe(true);
  expect(variantRequest(terms.today).safeParse(request.variant("REF-2026-7")).error).toBeUndefined();
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
