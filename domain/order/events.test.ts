import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openPaths } from "../../testing/domain/event-leaves-fixture.ts";
import {
  created,
  historyTo,
  orderAfter,
  orderId,
  type TimedEvent,
  uuid,
  variantAdded,
} from "../../testing/domain/order-fixture.ts";
import * as field from "../fields.ts";
import { orderEventSchema, orderEventSchemas, orderIdOf, orderStream } from "./events.ts";
import { refundablePence } from "./payment/money.ts";
import { parseSubmissionKey, refundIdOf, submissionKeyOf } from "./payment/provider-keys.ts";

describe("the events of an order", () => {
  it.each(Object.entries(orderEventSchemas))(
    "%s has no field that could hold what a person typed",
    (_, { data }) => {
      expect(openPaths(data)).toEqual([]);
    },
  );

  it("are read with moments as earlier versions wrote them, printed in one form", () => {
    const data = { attempt: null, groReferenceRef: null, submittedAt: "2026-11-21T09:30:00Z" };
    expect(orderEventSchema.parse({ type: "SubmittedToGRO", data })).toEqual({
      type: "SubmittedToGRO",
      data: { ...data, submittedAt: "2026-11-21T09:30:00.000Z" },
    });
  });

  it("would be caught with free text or room for more fields (control)", () => {
    expect(openPaths(z.strictObject({ note: z.string().max(10) }))).toEqual([".note"]);
    expect(openPaths(z.object({ at: field.instant }))).toHaveLength(1);
    expect(openPaths(z.strictObject({ list: z.array(z.strictObject({ text: z.string() })) }))).toEqual([
      ".list[].text",
    ]);
  });

  it.each(["John Smith", "1 High Street", "a@b.example", "Dear Sir, I was born"])(
    "have no leaf that takes '%s'",
    (text) => {
      for (const leaf of Object.values(field)) expect(leaf.safeParse(text).success).toBe(false);
    },
  );

  it("are refused with an unknown type or a field too many", () => {
    expect(orderEventSchema.safeParse({ type: "OrderLost", data: {} }).success).toBe(false);
    const smuggled = { ...variantAdded, data: { ...variantAdded.data, surname: "Smith" } };
    expect(orderEventSchema.safeParse(smuggled).success).toBe(false);
    expect(orderEventSchema.safeParse(created).success).toBe(true);
  });
});

describe("names", () => {
  it("of streams give the order back, and only those of orders", () => {
    expect(orderIdOf(orderStream(orderId))).toBe(orderId);
    expect(orderIdOf("ticket-1")).toBeUndefined();
    expect(orderIdOf("order-1")).toBeUndefined();
  });

  it("of keys at providers fit the events' fields and can be read back", () => {
    expect(field.submissionKey.safeParse(submissionKeyOf(orderId, 3)).success).toBe(true);
    expect(field.refundId.safeParse(refundIdOf(orderId, 2)).success).toBe(true);
    expect(parseSubmissionKey(submissionKeyOf(orderId, 3))).toEqual({ orderId, attempt: 3 });
    expect(parseSubmissionKey("order-1-submission-1")).toBeUndefined();
  });
});

it("a refund asked for before there were proposals carries out none", () => {
  const refundId = refundIdOf(orderId, 1);
  const written = { refundId, intentId: "pi_1", amountPence: 9000, reason: "cancelled" };
  const data = orderEventSchemas.RefundRequested.upcasts[1](written);
  expect(orderEventSchema.parse({ type: "RefundRequested", data })).toMatchObject({
    data: { ...written, proposal: null },
  });
  expect(orderEventSchema.safeParse({ type: "RefundRequested", data: written }).success).toBe(false);
});

it("a dispute closed before staff could close one was closed by the provider", () => {
  const written = { disputeId: "du_1", outcome: "won" };
  const data = orderEventSchemas.DisputeClosed.upcasts[1](written);
  expect(orderEventSchema.parse({ type: "DisputeClosed", data })).toEqual({
    type: "DisputeClosed",
    data: { ...written, toldBy: "provider", proposal: null },
  });
});

describe("what became of a refund, as version 1 wrote it", () => {
  const written = { refundId: refundIdOf(orderId, 1), intentId: "pi_1", amountPence: 9000 };

  it("is of the provider's refund that its command was named by", () => {
    const upcast = orderEventSchemas.RefundIssued.upcasts[1];
    expect(upcast(written, { commandId: "refund-re_3AbC_d-9-succeeded" })).toEqual({
      ...written,
      providerRefundId: "re_3AbC_d-9",
    });
    const data = upcast(written, { commandId: `duty-${orderId}-refund-1` });
    expect(orderEventSchema.parse({ type: "RefundIssued", data })).toMatchObject({
      data: { providerRefundId: null },
    });
  });

  it("lets one that was made by hand fail, though it got another number then", () => {
    const issued = orderEventSchemas.RefundIssued.upcasts[1](written, { commandId: "refund-re_1-succeeded" });
    const failed = orderEventSchemas.RefundFailed.upcasts[1](
      { ...written, refundId: refundIdOf(orderId, 2), code: "declined" },
      { commandId: "refund-re_1-failed" },
    );
    const history: TimedEvent[] = [
      ...historyTo.Cancelled,
      [orderEventSchema.parse({ type: "RefundIssued", data: issued }), 80],
      [orderEventSchema.parse({ type: "RefundFailed", data: failed }), 90],
    ];
    expect(orderAfter(history).refunds).toMatchObject([{ providerRefundId: "re_1", status: "failed" }]);
    expect(refundablePence(orderAfter(history), "pi_1")).toBe(9000);
  });
});

it("an application that took the place of another before fees could change leaves them", () => {
  const applicationRef = uuid(205);
  const amended = { applicationRef, previousApplicationRef: uuid(103) };
  const { ApplicationAmended, ApplicationReplaced } = orderEventSchemas;
  expect(
    orderEventSchema.parse({ type: "ApplicationAmended", data: ApplicationAmended.upcasts[1](amended) }),
  ).toEqual({ type: "ApplicationAmended", data: { ...amended, fees: null } });
  const replaced = ApplicationReplaced.upcasts[2](ApplicationReplaced.upcasts[1]({ applicationRef }));
  expect(orderEventSchema.parse({ type: "ApplicationReplaced", data: replaced })).toEqual({
    type: "ApplicationReplaced",
    data: { applicationRef, promise: null, fees: null },
  });
});
