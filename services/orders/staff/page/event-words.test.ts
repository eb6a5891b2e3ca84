import { describe, expect, test } from "vitest";
import { entryShown } from "../../../../contract/staff-orders/order-page.ts";
import { type OrderEvent, orderEventSchemas } from "../../../../domain/order/events.ts";
import { evolve } from "../../../../domain/order/evolve.ts";
import { exists } from "../../../../domain/order/state.ts";
import {
  cancelled,
  created,
  dispatched,
  failed,
  failedAttempt,
  historyTo,
  orderAfter,
  paymentConfirmed,
  purged,
  stateAfter,
  uuid,
} from "../../../../testing/domain/order-fixture.ts";
import { wordsOf } from "./event-words.ts";
import { changesBetween, factsOf } from "./order-facts.ts";

const money = { intentId: "pi_1", amountPence: 1250 };
const refundId = `order-${uuid(1)}-refund-1`;

const proposed: OrderEvent = {
  type: "RefundProposed",
  data: { ...money, proposal: 1, reason: "staffDecision", proposedBy: "user_1" },
};

const contactCorrected = (emailChanged: boolean): OrderEvent => ({
  type: "ContactCorrected",
  data: { contactRef: uuid(301), previousContactRef: uuid(300), emailChanged },
});

describe("An event in words", () => {
  test.each<[string, OrderEvent, string, string | null]>([
    ["Order placed", created, "customer", "terms 1, consent 1 to start given"],
    [
      "Contact details corrected",
      contactCorrected(true),
      "customer",
      "another email address; the old details are destroyed",
    ],
    [
      "Contact details corrected or confirmed",
      contactCorrected(false),
      "customer",
      "the old details are destroyed",
    ],
    ["Paid £90.00", paymentConfirmed, "money", "pi_1"],
    ["Attempt 2 failed", failedAttempt(2, true), "gro", "the GRO refused it; the GRO does not have it"],
    ["Attempt 2: outcome unknown", failedAttempt(2, false), "gro", "timed out; the GRO may have it"],
    [
      "Refund of £12.50 proposed",
      proposed,
      "money",
      "proposal 1, decided by staff; a second person must approve it",
    ],
    [
      "Revealed contact data",
      { type: "PersonalDataRevealed", data: { dataClass: "contact", reason: "fraudCheck" } },
      "privacy",
      "to check for fraud",
    ],
    [
      "Refund failed",
      { type: "RefundFailed", data: { ...money, refundId, providerRefundId: null, code: "declined" } },
      "money",
      "£12.50, refund 1, declined by the bank",
    ],
  ])("is '%s'", (title, event, kind, detail) => {
    expect(wordsOf(event, "system")).toEqual({ kind, title, detail });
  });

  test("is of staff where staff did what customers may do as well", () => {
    expect(wordsOf(cancelled, "staff").kind).toBe("staff");
    expect(wordsOf(cancelled, "customer").kind).toBe("customer");
    expect(wordsOf(failed, "staff").kind).toBe("staff");
  });

  test("has words in every life, and a kind that the page knows", () => {
    for (const history of Object.values(historyTo)) {
      for (const [event] of history) {
        const { kind, title } = wordsOf(event, "system");
        expect(entryShown.shape.kind.safeParse(kind).success).toBe(true);
        expect(title).not.toBe("");
      }
    }
    expect(Object.keys(orderEventSchemas).length).toBeGreaterThan(30);
  });
});

describe("What an event changed", () => {
  test("is every line that is another, or no longer there", () => {
    const submitted = orderAfter(historyTo.Submitted);
    const after = evolve(submitted, purged, {
      eventId: uuid(50),
      at: "2026-11-23T09:31:05.000Z",
      revision: 9,
    });
    if (!exists(after)) throw new Error("The order is there.");
    expect(changesBetween(submitted, after)).toContainEqual({
      label: "Application",
      before: "sealed in the vault",
      after: "destroyed 5 s after submission",
    });
    const gone = evolve(after, dispatched, {
      eventId: uuid(51),
      at: "2026-11-24T09:31:05.000Z",
      revision: 10,
    });
    if (!exists(gone)) throw new Error("The order is there.");
    expect(changesBetween(after, gone)).toContainEqual({
      label: "Phase",
      before: "Submitted",
      after: "Dispatched",
    });
  });

  test("is every line for the first event, and none for a look", () => {
    const first = stateAfter(historyTo.Opened);
    if (!exists(first)) throw new Error("The order is there.");
    expect(changesBetween(undefined, first)).toHaveLength(factsOf(first).length);
    const look: OrderEvent = {
      type: "PersonalDataRevealed",
      data: { dataClass: "contact", reason: "ticket" },
    };
    const looked = evolve(first, look, { eventId: uuid(9), at: "2026-11-23T10:00:00.000Z", revision: 1 });
    if (!exists(looked)) throw new Error("The order is there.");
    expect(changesBetween(first, looked)).toEqual([]);
  });
});
