import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  confirmedOrder,
  execute,
  paidOrder,
  purgedOrder,
  type StaffBrowser,
  staffBrowser,
  submittingOrder,
} from "../../../../testing/gateway/admin-order-fixture.ts";
import { startTestStack, type TestStack } from "../../../../testing/gateway/stack-fixture.ts";

let stack: TestStack;
let staff: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack);
});
afterAll(() => stack.close());

const typed = ["Rhys", "Siân", "Heol", "Aberystwyth", "SY23", "01970 0", "post.example", "Llywelyn"];
const expectNothingTyped = (body: unknown) => {
  for (const text of typed) expect(JSON.stringify(body)).not.toContain(text);
};

describe("GET /api/admin/orders/{orderNumber}", () => {
  test("shows the state, the money, the tasks and the jobs, and nothing personal", async () => {
    const order = await confirmedOrder(stack);
    const { status, body } = await staff.get(order.path);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      orderId: order.id,
      orderNumber: order.orderNumber,
      status: "Processing",
      phase: "Confirmed",
      revision: 5,
      certificateType: "Birth",
      money: { paidPence: 4500, refundedPence: 0 },
      payments: [{ intentId: order.intentId, amountPence: 4500, refundablePence: 4500, refunds: [] }],
      personal: { application: { state: "sealed" }, contact: { state: "sealed" }, notes: 0 },
    });
    expect(body.promise.workingDaysLeft).toBeGreaterThan(0);
    expect(body.jobs).toContainEqual(expect.objectContaining({ words: "submit to the GRO, attempt 1" }));
    expect(body.mails).toEqual([
      { template: "order confirmation", result: "sent", why: null, at: expect.any(String) },
    ]);
    expectNothingTyped(body);
  });

  test("offers what may be done, and says why the rest may not", async () => {
    const order = await paidOrder(stack);
    const { body } = await staff.get(order.path);
    const offered = Object.fromEntries(
      body.actions.map(({ action, why }: { action: string; why: string | null }) => [action, why]),
    );
    expect(offered).toMatchObject({
      cancel: null,
      correctContact: null,
      refund: null,
      recordDispatch: "the GRO does not have the application",
      approveProposal: "your role does not allow it",
    });
  });

  test("offers compliance nothing to do", async () => {
    const order = await paidOrder(stack);
    const { body } = await (await staffBrowser(stack, "compliance")).get(order.path);
    expect(body.actions.filter(({ allowed }: { allowed: boolean }) => allowed)).toEqual([]);
  });

  test("shows the receipt of what was destroyed", async () => {
    const order = await purgedOrder(stack);
    const { body } = await staff.get(order.path);
    expect(body.personal.application).toMatchObject({
      state: "destroyed",
      receipt: {
        probe: "unreadable",
        records: 2,
        rule: "submitted",
        destroyed: ["application", "signature"],
      },
    });
    expect(body.facts).toContainEqual({
      name: "application",
      label: "Application",
      value: expect.stringMatching(/^destroyed \d+ s after submission$/),
    });
  });

  test("takes the number as it was typed, and answers 404 for one that is none", async () => {
    const order = await paidOrder(stack);
    const asTyped = order.orderNumber.toLowerCase().replaceAll("-", "");
    expect((await staff.get(`/api/admin/orders/${asTyped}`)).status).toBe(200);
    expect((await staff.get("/api/admin/orders/nothing")).status).toBe(404);
  });
});

describe("A possible duplicate", () => {
  const fromDraft = (draftId: string) => paidOrder(stack, stack.browser(), { draftId });
  const readAfter = async () => ({ "Read-After": await stack.head() });
  const duplicatesOf = async (order: { path: string }, by = staff) =>
    (await by.get(order.path, await readAfter())).body.duplicates;
  const listed = async (order: { id: string }, by = staff) => {
    const { body } = await by.get("/api/admin/orders?limit=200", await readAfter());
    return body.orders.find(({ id }: { id: string }) => id === order.id).duplicates;
  };
  const marked = ({ id, orderNumber }: { id: string; orderNumber: string }) => [
    { id, orderNumber, paidAt: expect.any(String) },
  ];

  test("is shown on both orders, on their pages, in the list and in a search, to every role", async () => {
    const [first, second] = [await fromDraft("a-copied-tab"), await fromDraft("a-copied-tab")];
    for (const by of [staff, await staffBrowser(stack, "compliance")]) {
      expect(await duplicatesOf(first, by)).toEqual(marked(second));
      expect(await duplicatesOf(second, by)).toEqual(marked(first));
      expect(await listed(first, by)).toEqual(marked(second));
      expect(await listed(second, by)).toEqual(marked(first));
    }
    const found = await staff.post(
      "/api/admin/orders/search",
      { by: "number", text: first.orderNumber },
      await readAfter(),
    );
    expect(found.body.orders).toMatchObject([{ id: first.id, duplicates: marked(second) }]);
  });

  test("is shown on neither once one of them is cancelled or refunded in full", async () => {
    const cancelled = [await fromDraft("cancelled"), await fromDraft("cancelled")] as const;
    const data = { reason: "staffRequest", closedIntentId: null } as const;
    await execute(stack, cancelled[1].id, { type: "CancelOrder", data });
    const refunded = [await fromDraft("refunded"), await fromDraft("refunded")] as const;
    const { intentId } = refunded[1];
    const body = { intentId, amountPence: 4500, reason: "orderedTwice", note: "", expectedRevision: 4 };
    expect((await staff.post(`${refunded[1].path}/actions/refund`, body)).status).toBe(200);
    for (const order of [...cancelled, ...refunded]) {
      expect(await duplicatesOf(order)).toEqual([]);
      expect(await listed(order)).toEqual([]);
    }
  });

  test("is no order from another draft, and none that names no draft", async () => {
    const orders = [await fromDraft("one"), await fromDraft("another"), await paidOrder(stack)];
    for (const order of orders) expect(await duplicatesOf(order)).toEqual([]);
  });

  test("is not shown to customers, and the log keeps no word that a browser chose", async () => {
    const holder = stack.browser();
    const [first] = [await paidOrder(stack, holder, { draftId: "chosen" }), await fromDraft("chosen")];
    const { body } = await holder.post(
      "/api/orders/lookup",
      { orderNumber: first.orderNumber },
      await readAfter(),
    );
    expect(body.orderNumber).toBe(first.orderNumber);
    expect(JSON.stringify(body)).not.toContain("uplicate");
    expect(JSON.stringify(await stack.events(first.id))).not.toContain("chosen");
  });
});

describe("GET /api/admin/orders/{orderNumber}/timeline", () => {
  test("tells each event in words, with who, why and what it changed, and the event itself", async () => {
    const order = await submittingOrder(stack);
    const { body } = await staff.get(`${order.path}/timeline`);
    const log = await stack.events(order.id);
    expect(body.revision).toBe(log.length - 1);
    expect(body.entries.map(({ type }: { type: string }) => type)).toEqual(log.map(({ type }) => type));
    expect(body.entries[3]).toMatchObject({
      kind: "money",
      title: "Paid £45.00",
      actor: { kind: "system", name: "system" },
      source: "by itself",
      changes: expect.arrayContaining([{ label: "Phase", before: "Awaiting payment", after: "Paid" }]),
      raw: { id: log[3]?.id, data: log[3]?.data, metadata: log[3]?.metadata },
    });
    expectNothingTyped(body);
  });

  test("tells the state as of any event, and what that event changed", async () => {
    const order = await submittingOrder(stack);
    const log = await stack.events(order.id);
    for (const { revision } of log) {
      const { status, body } = await staff.get(`${order.path}/timeline?at=${revision}`);
      expect(status).toBe(200);
      expect(body.revision).toBe(revision);
      expectNothingTyped(body);
    }
    const { body } = await staff.get(`${order.path}/timeline?at=1`);
    expect(body.phase).toBe("Priced");
    expect(body.changes).toContainEqual({
      label: "Application",
      before: "none",
      after: "sealed in the vault",
    });
  });

  test("as of the last event it is the state of the page", async () => {
    const order = await submittingOrder(stack);
    const { body: page } = await staff.get(order.path);
    const { body: then } = await staff.get(`${order.path}/timeline?at=${page.revision}`);
    expect(then.facts).toEqual(page.facts);
  });

  test("answers 404 beyond the last event, and 422 for what is no revision", async () => {
    const order = await paidOrder(stack);
    expect((await staff.get(`${order.path}/timeline?at=99`)).status).toBe(404);
    expect((await staff.get(`${order.path}/timeline?at=-1`)).status).toBe(422);
    expect((await staff.get(`${order.path}/timeline?at=now`)).status).toBe(422);
  });

  test("does not tell a log that was tampered with", async () => {
    const order = await paidOrder(stack);
    const read = stack.store.readStream;
    const forged = (await stack.events(order.id)).map((event) =>
      event.type === "PaymentConfirmed" ? { ...event, data: { ...event.data, amountPence: 1 } } : event,
    );
    Object.assign(stack.store, { readStream: async () => forged });
    try {
      const { status, body } = await staff.get(`${order.path}/timeline`);
      expect([status, body]).toMatchObject([423, { code: "record-unreadable" }]);
      expect(JSON.stringify(body)).not.toContain("PaymentConfirmed");
    } finally {
      Object.assign(stack.store, { readStream: read });
    }
  });
});
