import { describe, expect, it } from "vitest";
import { sample } from "../../../testing/domain/command-fixture.ts";
import {
  created,
  given,
  historyTo,
  orderAfter,
  orderId,
  type TimedEvent,
  variantAdded,
  when,
} from "../../../testing/domain/order-fixture.ts";
import { firstPriceList, type PriceLists } from "../../pricing/price-list.ts";
import { decide } from "../decide.ts";
import { assertPayable } from "./decide-payment.ts";

const { CreateOrder, AddVariant, RequestPayment, ConfirmPayment } = sample;

describe("creating an order", () => {
  it("keeps the quote and the moments of acceptance", () => {
    expect(decide({ phase: "Absent" }, CreateOrder, given())).toEqual([created]);
  });

  it("records that terms and consent were not given", () => {
    const command = {
      ...CreateOrder,
      data: { ...CreateOrder.data, termsVersion: null, consentVersion: null },
    };
    expect(decide({ phase: "Absent" }, command, given())).toMatchObject([
      { data: { terms: null, consent: null } },
    ]);
  });

  it.each([0, 4499, 4501, 27_000, 50_000])(
    "refuses %i pence, which no choice costs, with the unit prices",
    (quote) => {
      const command = { ...CreateOrder, data: { ...CreateOrder.data, quotedTotalPence: quote } };
      expect(() => decide({ phase: "Absent" }, command, given())).toThrow(
        expect.objectContaining({
          code: "impossible-quote",
          details: { standardPence: 4500, priorityPence: 7500 },
        }),
      );
    },
  );

  it.each([4500, 9000, 22_500, 7500, 37_500])("accepts %i pence", (quote) => {
    const command = { ...CreateOrder, data: { ...CreateOrder.data, quotedTotalPence: quote } };
    expect(decide({ phase: "Absent" }, command, given())).toHaveLength(1);
  });
});

describe("adding the variant", () => {
  it("prices it from the list and breaks the fee down", () => {
    const command = {
      ...AddVariant,
      data: { ...AddVariant.data, applicationRef: variantAdded.data.applicationRef },
    };
    expect(when(historyTo.Opened, command)).toEqual([variantAdded]);
  });

  it("refuses an amount that is not the total, and names the right one", () => {
    const command = { ...AddVariant, data: { ...AddVariant.data, amountPence: 4500 } };
    expect(() => when(historyTo.Opened, command)).toThrow(
      expect.objectContaining({
        code: "wrong-amount",
        rule: "total-is-price-times-copies",
        details: { totalPence: 9000, unitPricePence: 4500 },
      }),
    );
  });

  it("refuses a choice that costs other than the order was quoted, which no other amount mends", () => {
    const command = { ...AddVariant, data: { ...AddVariant.data, copies: 1, amountPence: 4500 } };
    expect(() => when(historyTo.Opened, command)).toThrow(
      expect.objectContaining({
        code: "wrong-amount",
        rule: "quoted-otherwise",
        details: { totalPence: 4500, unitPricePence: 4500 },
      }),
    );
  });

  it("prices it by the list of its day, and keeps that price when another comes into force before it is paid", () => {
    const dearer = { ...firstPriceList, version: 2, effectiveFrom: "2026-11-24" };
    const unitPricePence = { ...firstPriceList.unitPricePence, Birth: { standard: 4900, priority: 7900 } };
    const lists: PriceLists = [firstPriceList, { ...dearer, unitPricePence }];
    const command = { ...AddVariant, data: { ...AddVariant.data, priceLists: lists } };
    const nextDay = given(86_400);
    expect(when(historyTo.Priced, command, nextDay)).toMatchObject([
      { type: "VariantReplaced", data: { totalPence: 9000, priceListVersion: 1 } },
    ]);
    expect(() => when(historyTo.Opened, command, nextDay)).toThrow(
      expect.objectContaining({ code: "wrong-amount", details: { totalPence: 9800, unitPricePence: 4900 } }),
    );
    const quoted = {
      ...CreateOrder,
      data: { ...CreateOrder.data, priceLists: lists, quotedTotalPence: 4900 },
    };
    expect(decide({ phase: "Absent" }, quoted, nextDay)).toHaveLength(1);
    expect(() => decide({ phase: "Absent" }, quoted, given())).toThrow(
      expect.objectContaining({ code: "impossible-quote" }),
    );
  });

  it("adds nothing for short copies", () => {
    const command = { ...AddVariant, data: { ...AddVariant.data, shortCopies: 3 } };
    expect(when(historyTo.Opened, command)).toMatchObject([{ data: { totalPence: 9000, shortCopies: 3 } }]);
  });

  it("names the record that a second variant takes the place of", () => {
    expect(when(historyTo.Priced, AddVariant)).toMatchObject([
      { type: "VariantReplaced", data: { previousApplicationRef: variantAdded.data.applicationRef } },
    ]);
  });

  it("never purges the current record when the same one comes again", () => {
    const command = {
      ...AddVariant,
      data: { ...AddVariant.data, applicationRef: variantAdded.data.applicationRef },
    };
    expect(when(historyTo.Priced, command)).toEqual([]);
  });
});

describe("asking for payment", () => {
  const withoutConsent: TimedEvent[] = [
    [{ ...created, data: { ...created.data, consent: null } }, 0],
    [variantAdded, 10],
  ];
  const withoutTerms: TimedEvent[] = [
    [{ ...created, data: { ...created.data, terms: null } }, 0],
    [variantAdded, 10],
  ];

  it.each([
    ["terms-not-accepted", withoutTerms],
    ["consent-missing", withoutConsent],
    ["variant-missing", historyTo.Opened],
  ])("is refused: %s", (rule, history) => {
    expect(() => when(history, RequestPayment)).toThrow(expect.objectContaining({ rule }));
    expect(() => assertPayable(orderAfter(history), 9000)).toThrow(expect.objectContaining({ rule }));
  });

  it("is refused with another amount, before the provider is asked", () => {
    expect(() => assertPayable(orderAfter(historyTo.Priced), 4500)).toThrow(
      expect.objectContaining({ code: "wrong-amount", details: { totalPence: 9000, unitPricePence: 4500 } }),
    );
    expect(() => assertPayable(orderAfter(historyTo.Priced), 9000)).not.toThrow();
  });

  const second = (closedIntentId: string | null, attempt = 2) => ({
    ...RequestPayment,
    data: { ...RequestPayment.data, intentId: "pi_2", attempt, closedIntentId },
  });

  it("keeps one intent open: a second one needs the first to be cancelled at the provider", () => {
    expect(() => when(historyTo.AwaitingPayment, second(null))).toThrow(
      expect.objectContaining({ rule: "payment-open", details: { intentId: "pi_1" } }),
    );
    expect(when(historyTo.AwaitingPayment, second("pi_1"))).toMatchObject([{ type: "PaymentRequested" }]);
  });

  it("counts attempts without a gap", () => {
    expect(() => when(historyTo.AwaitingPayment, second("pi_1", 3))).toThrow(
      expect.objectContaining({ rule: "wrong-attempt", details: { attempt: 2 } }),
    );
  });
});

describe("a payment that arrives", () => {
  const pays = (intentId: string, amountPence: number) => ({
    ...ConfirmPayment,
    data: { intentId, amountPence },
  });
  const goesBack = (intentId: string, amountPence: number, n: number) => [
    { type: "PaymentReceivedUnexpectedly", data: { intentId, amountPence } },
    {
      type: "RefundRequested",
      data: {
        refundId: `order-${orderId}-refund-${n}`,
        intentId,
        amountPence,
        reason: "unexpectedPayment",
        proposal: null,
      },
    },
  ];

  it("confirms the order, even when the request for it was never recorded", () => {
    expect(when(historyTo.AwaitingPayment, pays("pi_1", 9000))).toEqual([
      { type: "PaymentConfirmed", data: { intentId: "pi_1", amountPence: 9000 } },
    ]);
    expect(when(historyTo.Priced, pays("pi_7", 9000))).toMatchObject([{ type: "PaymentConfirmed" }]);
  });

  it("is the same payment when it is reported again", () => {
    expect(when(historyTo.Paid, pays("pi_1", 9000))).toEqual([]);
  });

  it.each(["Paid", "Cancelled", "Failed", "Fulfilled", "Opened"] as const)(
    "goes back in full when %s",
    (phase) => {
      expect(when(historyTo[phase], pays("pi_2", 9000))).toEqual(goesBack("pi_2", 9000, 1));
    },
  );

  it("goes back less what the provider reported as refunded before it reported the payment", () => {
    const refunded = (amountPence: number): TimedEvent => [
      {
        type: "RefundIssued",
        data: {
          refundId: `order-${orderId}-refund-1`,
          intentId: "pi_2",
          amountPence,
          providerRefundId: "re_1",
        },
      },
      95,
    ];
    const paidAfter = (amountPence: number) =>
      when([...historyTo.Cancelled, refunded(amountPence)], pays("pi_2", 9000));
    const [received] = goesBack("pi_2", 9000, 1);
    expect(paidAfter(9000)).toEqual([received]);
    expect(paidAfter(4000)).toMatchObject([
      received,
      { type: "RefundRequested", data: { amountPence: 5000 } },
    ]);
  });

  it("goes back when it is not the total", () => {
    expect(when(historyTo.AwaitingPayment, pays("pi_1", 4500))).toEqual(goesBack("pi_1", 4500, 1));
  });

  it("leaves status and phase as they were when it was unexpected", () => {
    const before = orderAfter(historyTo.Cancelled);
    const history = [
      ...historyTo.Cancelled,
      ...when(historyTo.Cancelled, pays("pi_2", 9000)).map((event): TimedEvent => [event, 90]),
    ];
    expect(orderAfter(history)).toMatchObject({
      phase: before.phase,
      end: before.end,
      paidAt: before.paidAt,
    });
  });

  it("is not sent back twice", () => {
    const history = [
      ...historyTo.Cancelled,
      ...when(historyTo.Cancelled, pays("pi_2", 9000)).map((event): TimedEvent => [event, 90]),
    ];
    expect(when(history, pays("pi_2", 9000))).toEqual([]);
  });

  it("leaves the order payable after a declined card", () => {
    const declined: TimedEvent = [
      { type: "PaymentFailed", data: { intentId: "pi_1", code: "cardDeclined" } },
      25,
    ];
    expect(when([...historyTo.AwaitingPayment, declined], pays("pi_1", 9000))).toMatchObject([
      { type: "PaymentConfirmed" },
    ]);
  });
});
