import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderStream } from "../../domain/order/events.ts";
import { refundIdOf } from "../../domain/order/payment/provider-keys.ts";
import { StreamUnreadable } from "../../infra/event-store/stream-unreadable.ts";
import { catalogue } from "../../projections/catalogue.ts";
import { changeHash } from "../../testing/event-store/tampering-fixture.ts";
import {
  confirmedOrder,
  type StaffBrowser,
  type StaffOrder,
  staffBrowser,
} from "../../testing/gateway/admin-order-fixture.ts";
import {
  awaitingPayment,
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../testing/gateway/test-browser.ts";
import type { PaymentNotice } from "../providers/stripe/payments.ts";

// An order whose events cannot be verified: nothing is done to it, each who asks is outcome so, and all else goes on.

let stack: TestStack;
let staff: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack, "manager", "Bronwen");
});
afterAll(() => stack.close());

const unreadable = {
  status: 423,
  body: {
    code: "record-unreadable",
    title:
      "We cannot read our record of this at the moment. Nothing is lost: please try again later, or contact us.",
  },
};
const outcome = ({ status, body: { code, title } }: Reply) => ({ status, body: { code, title } });

/** Breaks an order, does something, and puts it right. */
async function whileBroken(orderId: string, work: () => Promise<void>): Promise<void> {
  const hash = await changeHash(stack.pool, orderStream(orderId), 1);
  try {
    // This process verified it before, and would only read what is new.
    await expect(stack.deps.orders.load(orderId)).rejects.toThrow(StreamUnreadable);
    await work();
  } finally {
    await changeHash(stack.pool, orderStream(orderId), 1, hash);
  }
}

test("Who entered an unreadable order by an emailed link sees of it what anyone with its number does", async () => {
  const [order, reader] = [await pricedOrder(stack.browser()), stack.browser()];
  const linked = { orderId: order.id, orderNumber: order.orderNumber, emailChanges: 0 };
  const link = new URL(stack.access.trackingLink(linked, new Date(Date.now() + 3_600_000)));
  const key = link.hash.replace("#key=", "");
  const { orderNumber } = order;
  const readAfter = { "Read-After": order.position };
  expect((await reader.post("/api/orders/access", { orderNumber, key }, readAfter)).status).toBe(200);
  await whileBroken(order.id, async () => {
    const { status, body } = await reader.post("/api/orders/lookup", { orderNumber });
    expect([status, body.id]).toEqual([200, null]);
  });
  expect((await reader.post("/api/orders/lookup", { orderNumber })).body.id).toBe(order.id);
});

describe("A customer whose order cannot be read", () => {
  let browser: TestBrowser;
  let order: Ordered & { intentId: string };
  beforeAll(async () => {
    browser = stack.browser();
    order = await awaitingPayment(browser);
  });

  const requests: readonly (readonly [string, () => Promise<Reply>])[] = [
    ["cancels it", () => browser.post(`/api/orders/${order.id}/cancel`, { reason: "customerRequest" })],
    ["submits it", () => browser.post(`/api/orders/${order.id}/submit`)],
    ["pays for it", () => browser.post("/api/create-payment-intent", { amount: 45, orderId: order.id })],
  ];
  test.each(requests)("refuses who %s, and nothing is written", async (_what, ask) => {
    await whileBroken(order.id, async () => {
      const before = await stack.head();
      expect(outcome(await ask())).toEqual(unreadable);
      expect(await stack.head()).toBe(before);
    });
  });

  test("can still look it up, and goes on once it was put right", async () => {
    await whileBroken(order.id, async () => {
      const { status } = await browser.get(`/api/orders/lookup/${order.orderNumber}`);
      expect(status).toBe(200);
    });
    const cancelled = await browser.post(`/api/orders/${order.id}/cancel`, { reason: "customerRequest" });
    expect(cancelled.status).toBe(200);
  });
});

type WithoutEventId<Notice> = Notice extends unknown ? Omit<Notice, "eventId"> : never;

/** Delivers a notice of the card provider. @returns the answer's status */
async function notify(notice: WithoutEventId<PaymentNotice>): Promise<number> {
  const { signature, body } = stack.payments.sign({ ...notice, eventId: `evt_${randomUUID()}` });
  const headers = { "Stripe-Signature": signature, "Content-Type": "application/json" };
  return (await fetch(`${stack.url}/api/webhooks/stripe`, { method: "POST", headers, body })).status;
}

const typesOf = async (orderId: string) => (await stack.events(orderId)).map(({ type }) => type);

test("A provider's notice about it is refused, so that it comes again", async () => {
  const { id, intentId } = await awaitingPayment(stack.browser());
  stack.payments.change(intentId, { status: "succeeded" });
  const deliver = () => notify({ kind: "intent", intentId, outcome: "succeeded" });
  await whileBroken(id, async () => expect(await deliver()).toBe(423));
  expect(await deliver()).toBe(200);
  expect(await typesOf(id)).toContain("PaymentConfirmed");
});

describe.each([
  ["first", 0],
  ["last", 2],
])("A payment for three orders of which the %s cannot be read", (_which, nth) => {
  async function asked() {
    const browser = stack.browser();
    const orderIds: string[] = [];
    for (let n = 0; n < 3; n += 1) orderIds.push((await pricedOrder(browser)).id);
    const { body: checkout } = await browser.post("/api/checkouts", { orderIds });
    const path = `/api/checkouts/${checkout.id}`;
    const { body } = await browser.post(`${path}/payment-intent`, { amount: 135 });
    const intentId = String(body.clientSecret).replace(/_secret$/, "");
    stack.payments.change(intentId, { status: "succeeded" });
    const broken = orderIds[nth] ?? "";
    const readable = orderIds.filter((orderId) => orderId !== broken);
    const report = () => browser.post(`${path}/status`, { status: "Processing" });
    return { intentId, broken, readable, report };
  }
  let intentId: string;
  let broken: string;
  let readable: string[];
  beforeAll(async () => {
    ({ intentId, broken, readable } = await asked());
  });

  test("is confirmed in the others when the browser reports it", async () => {
    const reported = await asked();
    await whileBroken(reported.broken, async () => {
      expect(outcome(await reported.report())).toEqual(unreadable);
      for (const orderId of reported.readable) expect(await typesOf(orderId)).toContain("PaymentConfirmed");
    });
    expect((await reported.report()).status).toBe(200);
  });

  test("is confirmed in the others, and in that one when the notice comes again", async () => {
    const deliver = () => notify({ kind: "intent", intentId, outcome: "succeeded" });
    await whileBroken(broken, async () => {
      expect(await deliver()).toBe(423);
      for (const orderId of readable) expect(await typesOf(orderId)).toContain("PaymentConfirmed");
      expect(await typesOf(broken)).not.toContain("PaymentConfirmed");
    });
    expect(await deliver()).toBe(200);
    expect(await typesOf(broken)).toContain("PaymentConfirmed");
  });

  test("has our refund of another recorded", async () => {
    const [orderId = ""] = readable;
    const refundId = refundIdOf(orderId, 1);
    const refund = { id: `re_${nth}`, refundId, intentId, amountPence: 1000, status: "succeeded" as const };
    stack.payments.addRefund({ ...refund, failureCode: undefined });
    await whileBroken(broken, async () => {
      expect(await notify({ kind: "refund", intentId, refundId: refund.id })).toBe(200);
      expect(await typesOf(orderId)).toContain("RefundIssued");
    });
  });

  test("is divided by a refund by hand, or a dispute, once all can be read", async () => {
    const refund = { id: `re_hand_${nth}`, refundId: undefined, intentId, status: "succeeded" as const };
    stack.payments.addRefund({ ...refund, amountPence: 9000, failureCode: undefined });
    const disputeId = `du_${nth}`;
    const dispute = { id: disputeId, intentId, amountPence: 3500, reason: "fraudulent", outcome: undefined };
    stack.payments.setDispute(dispute);
    await whileBroken(broken, async () => {
      const before = await stack.head();
      expect(await notify({ kind: "refund", intentId, refundId: refund.id })).toBe(423);
      expect(await notify({ kind: "dispute", disputeId })).toBe(423);
      expect(await stack.head()).toBe(before);
    });
    expect(await notify({ kind: "refund", intentId, refundId: refund.id })).toBe(200);
    expect(await notify({ kind: "dispute", disputeId })).toBe(200);
    const types = (await Promise.all([broken, ...readable].map(typesOf))).flat();
    expect(types.filter((type) => type === "RefundIssued")).toHaveLength(4);
    expect(types).toContain("DisputeOpened");
  });
});

describe("Staff", () => {
  let broken: StaffOrder;
  let other: StaffOrder;
  beforeAll(async () => {
    [broken, other] = await Promise.all([confirmedOrder(stack), confirmedOrder(stack)]);
    await stack.makeFindable(broken.id, other.id);
  });

  test("read so on its page, and the log has a line without its content", async () => {
    await whileBroken(broken.id, async () => {
      expect(outcome(await staff.get(broken.path))).toEqual(unreadable);
    });
    const lines = stack.logLines.filter((line) => line.includes("a record cannot be read"));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join()).not.toContain(broken.id);
    expect(stack.logLines.filter((line) => line.includes('"fault"'))).not.toContain("internal-error");
  });

  test("act on many: the others are done", async () => {
    await whileBroken(broken.id, async () => {
      const { body } = await staff.post(
        "/api/admin/orders/bulk",
        { action: "addNote", orders: [broken.id, other.id], note: "Rang twice.", reason: "other" },
        { "Idempotency-Key": randomUUID() },
      );
      expect(body.outcomes).toMatchObject([
        { id: broken.id, outcome: "failed", why: "record-unreadable" },
        { id: other.id, outcome: "done" },
      ]);
    });
  });

  test("find the customer's other orders, and hear that there is more", async () => {
    const found = async () =>
      (await staff.post("/api/admin/customers/search", { by: "surname", typed: "Rhys" })).body;
    const whole = await found();
    expect(whole.customers.flatMap(({ orders }: { orders: object[] }) => orders).length).toBeGreaterThan(1);
    const [{ id }] = whole.customers;
    await whileBroken(broken.id, async () => {
      const { customers } = await found();
      const numbers = customers.flatMap((customer: { orders: { orderNumber: string }[] }) =>
        customer.orders.map(({ orderNumber }) => orderNumber),
      );
      expect(numbers).toContain(other.orderNumber);
      expect(numbers).not.toContain(broken.orderNumber);
      expect(customers.some(({ more }: { more: boolean }) => more)).toBe(true);
      // What is asked for in the name of all of it is not done for a part.
      const erased = await staff.post(`/api/admin/customers/${id}/erase`, { reason: "customerAsked" });
      expect(outcome(erased)).toEqual(unreadable);
    });
  });
});

test("What is parked is listed with its number, and tried again by a manager", async () => {
  const order = await confirmedOrder(stack);
  await expect.poll(async () => (await staff.get(order.path)).status).toBe(200);
  const orders = catalogue.find(({ name }) => name === "orders");
  await stack.pool.query(
    `insert into parked_streams (name, version, stream, position, event_id, revision, reason)
     values ('orders', $1, $2, '1', $3, 1, 'row-refused')`,
    [orders?.version, orderStream(order.id), (await stack.events(order.id))[1]?.id],
  );
  const list = async () => (await staff.get("/api/admin/compliance/parked")).body.parked;
  expect(await list()).toEqual([
    {
      about: "order",
      number: order.orderNumber,
      stream: orderStream(order.id),
      follower: "orders",
      reason: "row-refused",
      revision: 1,
      since: expect.any(String),
      tries: 0,
      triedAt: null,
      isAsked: false,
      tasksDue: 0,
    },
  ]);
  expect((await staff.get("/api/admin/dashboard")).body.parkedRecords).toBe(1);
  const asked = await staff.post("/api/admin/compliance/parked/retry", {});
  expect([asked.status, asked.body.parked[0]?.isAsked]).toEqual([202, true]);
  await expect.poll(list).toEqual([]);
});
