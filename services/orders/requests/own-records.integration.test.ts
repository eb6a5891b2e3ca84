import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OrderCommand } from "../../../domain/order/commands.ts";
import { destroyedOf } from "../../../testing/domain/purge-fixture.ts";
import { staffBrowser } from "../../../testing/gateway/admin-order-fixture.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import {
  awaitingPayment,
  type Ordered,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../../testing/gateway/stack-fixture.ts";
import type { Reply, TestBrowser } from "../../../testing/gateway/test-browser.ts";
import { recordPurge } from "../../../testing/services/paid-order-fixture.ts";
import { textIn } from "../../../testing/services/pdf-text.ts";
import { createOrders, type Orders } from "../orders.ts";
import { outcomeCommand } from "../submission/gro-outcome.ts";

let stack: TestStack;
let browser: TestBrowser;
let orders: Orders;
beforeAll(async () => {
  stack = await startTestStack();
  orders = createOrders({ store: stack.store, random: Math.random, now: () => new Date() });
});
afterAll(() => stack.close());
beforeEach(() => {
  browser = stack.browser();
});

const detailsIn = (place: string) => {
  const { certificateDetails, eventDetails, gender, gro, applyingForOwn, adopted } = variantBody();
  const names = { customerFirstName: "Siân", customerLastName: "Rhys" };
  const placed = { ...certificateDetails, PlaceOfBirth: place };
  return { ...names, certificateDetails: placed, eventDetails, gender, gro, applyingForOwn, adopted };
};
const typesOf = async (orderId: string) => (await stack.events(orderId)).map(({ type }) => type);
const lookUp = (orderNumber: string, reply: Reply, by = browser) =>
  by.post("/api/orders/lookup", { orderNumber }, { "Read-After": reply.headers.get("Position") ?? "" });

async function paidOrder() {
  const order = await awaitingPayment(browser);
  stack.payments.change(order.intentId, { status: "succeeded" });
  const reply = await browser.post(`/api/orders/${order.id}/submit`);
  return { ...order, position: reply.headers.get("Position") ?? "" };
}

const execute = (orderId: string, ...commands: readonly OrderCommand[]) =>
  commands.reduce(async (earlier, command) => {
    await earlier;
    const by = { actor: { kind: "system", id: "test" }, correlationId: "test" } as const;
    const commandId = `test-${command.type}-${orderId}`;
    return (await orders.execute({ orderId, commandId, by, command })).position;
  }, Promise.resolve(""));

async function submitted(orderId: string): Promise<void> {
  const { order } = await orders.load(orderId);
  const about = order.confirmation.about ?? "";
  await execute(
    orderId,
    {
      type: "RecordMail",
      data: { template: "confirmation", templateVersion: 1, about, result: "sent" },
    },
    { type: "StartSubmission", data: { attempt: 1, channel: "automation" } },
    {
      type: "RecordSubmission",
      data: { attempt: 1, groReferenceRef: null, submittedAt: new Date().toISOString() },
    },
  );
}

async function questioned(orderId: string): Promise<string> {
  await submitted(orderId);
  const records = await stack.vault.recordsOf(orderId, "application");
  const { keyFingerprint, probe } = await stack.vault.destroy(records.map(({ recordId }) => recordId));
  const by = { actor: { kind: "system", id: "test" }, correlationId: "test" } as const;
  await recordPurge({ orders, newId: randomUUID }, orderId, "application", by, {
    ...destroyedOf("application"),
    keyFingerprint,
    probe,
  });
  return execute(orderId, {
    type: "RecordGROOutcome",
    data: { attempt: 1, outcome: "queried", questionRef: null },
  });
}

/** Nothing may be written by a request that is refused. */
async function refused(request: () => Promise<Reply>, status: number, members: object): Promise<void> {
  const before = await stack.head();
  const reply = await request();
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject(members);
  expect(await stack.head()).toBe(before);
}

describe("GET /api/orders/{id}/another", () => {
  test("answers the choices and the contact for the holder alone", async () => {
    const { id } = await pricedOrder(browser);
    const { status, body } = await browser.get(`/api/orders/${id}/another`);
    expect(status).toBe(200);
    const { body: contact } = await browser.get(`/api/orders/${id}/contact`);
    expect(body).toEqual({ certificateType: "Birth", copies: 1, isPriority: false, contact });
    expect((await stack.browser().get(`/api/orders/${id}/another`)).status).toBe(404);
  });
});

describe("GET /api/orders/{id}/receipt.pdf", () => {
  const print = async (id: string, by: Pick<TestBrowser, "cookies"> = browser) => {
    const response = await fetch(`${stack.url}/api/orders/${id}/receipt.pdf`, {
      headers: { cookie: by.cookies },
    });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test("prints a receipt for the holder once the order is paid, and stores none", async () => {
    const { id, orderNumber } = await paidOrder();
    const { response, bytes } = await print(id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toContain(`receipt-${orderNumber}.pdf`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(bytes.toString("latin1")).toMatch(/^%PDF-1\.7/);
    expect((await print(id, stack.browser())).response.status).toBe(404);
  });

  /** Some orders of a browser, and the checkout that has asked for their payment. */
  async function asked(count: number) {
    const orders: Ordered[] = [];
    for (let n = 0; n < count; n += 1) orders.push(await pricedOrder(browser));
    const { body } = await browser.post("/api/checkouts", { orderIds: orders.map(({ id }) => id) });
    const path = `/api/checkouts/${body.id}`;
    const { body: intent } = await browser.post(`${path}/payment-intent`, { amount: count * 45 });
    const intentId = String(intent.clientSecret).replace(/_secret$/, "");
    const pay = async () => {
      stack.payments.change(intentId, { status: "succeeded" });
      expect((await browser.post(`${path}/status`, { status: "Processing" })).status).toBe(200);
    };
    return { orders, intentId, pay };
  }
  const numbersIn = (text: string, orders: readonly Ordered[]) =>
    orders.map(({ orderNumber }) => orderNumber).filter((number) => text.includes(`Order ${number} `));
  /** A browser that holds these orders alone. */
  const holderOf = (...orders: readonly Ordered[]) => {
    const cookies = browser.cookies.split("; ");
    return { cookies: cookies.filter((one) => orders.some(({ id }) => one.includes(id))).join("; ") };
  };

  test("is one for the payment of several orders, from each of them, with the refunds of each", async () => {
    const { orders, intentId, pay } = await asked(3);
    await pay();
    const [, second] = orders;
    const back = { refundId: null, providerRefundId: `re_${intentId}`, intentId, amountPence: 2000 };
    await execute(String(second?.id), { type: "RecordRefund", data: back });
    for (const { id, orderNumber } of orders) {
      const { response, bytes } = await print(id);
      expect(response.headers.get("content-disposition")).toContain(`receipt-${orderNumber}.pdf`);
      const text = textIn(bytes);
      expect(text).toContain("3 orders, paid for together by card on ");
      expect(numbersIn(text, orders)).toEqual(orders.map((one) => one.orderNumber));
      expect(text).toContain(`Order ${second?.orderNumber} To the card, `);
      for (const sum of ["£135.00", "£20.00"]) expect(text).toContain(sum);
      expect(text).not.toContain("not shown here");
    }
  });

  test("shows of several orders those that its reader holds, and says how many others there are", async () => {
    const { orders, pay } = await asked(3);
    await pay();
    const [first, second, third] = orders;
    if (!first || !second || !third) throw new Error("There are three orders.");
    const alone = textIn((await print(second.id, holderOf(second))).bytes);
    expect(alone).toContain(`Order ${second.orderNumber}, reference `);
    expect(alone).toContain("The same payment was for 2 other orders, not shown here.");
    expect(alone).toContain("£45.00");
    for (const { orderNumber } of [first, third]) expect(alone).not.toContain(orderNumber);
    const two = textIn((await print(second.id, holderOf(first, second))).bytes);
    expect(numbersIn(two, orders)).toEqual([first.orderNumber, second.orderNumber]);
    expect(two).toContain("The same payment was for another order, not shown here.");
    expect(two).not.toContain(third.orderNumber);
    expect((await print(third.id, holderOf(first, second))).response.status).toBe(404);
  });

  test("has the name and address of the order it is asked for, and no other's", async () => {
    const { orders, pay } = await asked(2);
    await pay();
    const [first, second] = orders;
    await browser.post(`/api/orders/${first?.id}/contact`, {
      ...{ contactFullName: "Mair Evans", contactLastName: "Evans" },
    });
    expect(textIn((await print(String(first?.id))).bytes)).toContain("Mair Evans");
    expect(textIn((await print(String(second?.id))).bytes)).not.toContain("Mair Evans");
  });

  test("leaves out an order whose share was not due, and goes back", async () => {
    const { orders, intentId, pay } = await asked(3);
    const [first, second, third] = orders;
    const cancelled = { reason: "customerRequest", closedIntentId: intentId } as const;
    await execute(String(third?.id), { type: "CancelOrder", data: cancelled });
    await pay();
    const text = textIn((await print(String(first?.id))).bytes);
    expect(numbersIn(text, orders)).toEqual([first?.orderNumber, second?.orderNumber]);
    expect(text).not.toContain("not shown here");
    expect((await print(String(third?.id))).response.status).toBe(409);
  });

  test("is refused before the payment", async () => {
    const { response, bytes } = await print((await awaitingPayment(browser)).id);
    expect(response.status).toBe(409);
    expect(JSON.parse(bytes.toString())).toMatchObject({ code: "forbidden-in-phase", rule: "not-paid" });
  });
});

describe("The application", () => {
  test("is amended with the details alone, and read back by its holder", async () => {
    const { id, orderNumber } = await paidOrder();
    const path = `/api/orders/${id}/application`;
    const reply = await browser.post(path, detailsIn("Bangor"));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, orderNumber, status: "Processing" });
    expect(reply.headers.get("Position")).toBeTruthy();
    const own = await browser.get(path);
    expect(own.status).toBe(200);
    expect(own.headers.get("Cache-Control")).toBe("no-store");
    expect(own.body).toEqual({ certificateType: "Birth", ...detailsIn("Bangor") });
    expect((await lookUp(orderNumber, reply)).body).toMatchObject({ canAmend: true, question: false });
    expect((await lookUp(orderNumber, reply, stack.browser())).body).toMatchObject({ canAmend: false });
    // What was sent can be sent again as it was read.
    expect((await browser.post(path, own.body)).status).toBe(200);
  });

  test("brings the fees with the index reference that is added to it, and the price stays", async () => {
    const { id } = await paidOrder();
    const fees = async () => (await orders.load(id)).order.variant;
    const before = await fees();
    expect(before).toMatchObject({ groReferenceKnown: false, feePerCopy: { groSearchFeePence: 350 } });
    const { eventDetails, ...details } = detailsIn("Bangor");
    const referred = { ...eventDetails, GROReferenceKnown: true };
    const body = { ...details, eventDetails: referred, gro: "1951 J Bangor 8a 142" };
    expect((await browser.post(`/api/orders/${id}/application`, body)).status).toBe(200);
    expect(await fees()).toMatchObject({
      ...{
        groReferenceKnown: true,
        feePerCopy: { groFeePence: 1250, groSearchFeePence: 0, ourFeePence: 3250 },
      },
      ...{ unitPricePence: before?.unitPricePence, totalPence: before?.totalPence },
    });
    expect((await browser.post(`/api/orders/${id}/application`, detailsIn("Bangor"))).status).toBe(200);
    expect(await fees()).toEqual(before);
  });

  test("is amended once for as many tries with one key, and for staff too", async () => {
    const { id } = await paidOrder();
    const key = { "Idempotency-Key": "0f1e2d3c-0000-4000-8000-000000000010" };
    const send = (place: string, headers: Record<string, string> = key) =>
      browser.post(`/api/orders/${id}/application`, detailsIn(place), headers);
    const replies = await Promise.all([send("Bangor"), send("Bangor"), send("Bangor")]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map(({ headers }) => headers.get("Position"))).size).toBe(1);
    await refused(() => send("Conwy"), 422, { code: "idempotency-key-reused" });
    const staff = { Authorization: `Bearer ${await stack.token("staff")}` };
    await stack.browser().post(`/api/orders/${id}/application`, detailsIn("Conwy"), staff);
    expect((await typesOf(id)).filter((type) => type === "ApplicationAmended")).toHaveLength(2);
    expect((await stack.events(id)).at(-1)?.metadata.actor).toMatchObject({ kind: "staff" });
  });

  test("keeps what was chosen: the same may be sent along, another is refused by field", async () => {
    const { id } = await paidOrder();
    const path = `/api/orders/${id}/application`;
    expect((await browser.post(path, variantBody())).status).toBe(200);
    const changes = { fullCertificateQty: 2, priorityDispatch: true, certificateType: "Death", amount: 90 };
    const fixed = "This cannot be changed any more";
    await refused(() => browser.post(path, variantBody(changes)), 422, {
      code: "invalid-fields",
      errors: { fullCertificateQty: fixed, priorityDispatch: fixed, certificateType: fixed, amount: fixed },
    });
  });

  test.each([
    ["MotherForename", "", "certificateDetails.MotherForename", "Mother's forename is required"],
    ["PlaceOfBirth", "x".repeat(201), "certificateDetails.PlaceOfBirth", "Use 200 characters or fewer"],
  ])("with a wrong %s is refused with its form's words", async (field, answer, path, message) => {
    const { id } = await paidOrder();
    const body = detailsIn("Bangor");
    const wrong = { ...body, certificateDetails: { ...body.certificateDetails, [field]: answer } };
    await refused(() => browser.post(`/api/orders/${id}/application`, wrong), 422, {
      errors: { [path]: message },
    });
  });

  test("can neither be amended nor read before it is paid for, nor once it was sent", async () => {
    const { id } = await pricedOrder(browser);
    const sent = await paidOrder();
    await submitted(sent.id);
    for (const [orderId, phase, rule] of [
      [id, "Priced", "not-paid"],
      [sent.id, "Submitted", "already-submitted"],
    ]) {
      const path = `/api/orders/${orderId}/application`;
      const why = { code: "forbidden-in-phase", phase, rule };
      await refused(() => browser.post(path, detailsIn("Bangor")), 409, why);
      await refused(() => browser.get(path), 409, why);
    }
  });

  test("answers the question that the GRO has, from an empty form", async () => {
    const { id, orderNumber } = await paidOrder();
    const position = await questioned(id);
    const path = `/api/orders/${id}/application`;
    const asked = await browser.post("/api/orders/lookup", { orderNumber }, { "Read-After": position });
    expect(asked.body).toMatchObject({ question: true, canAmend: false });
    await refused(() => browser.get(path), 409, { rule: "application-needed" });
    const reply = await browser.post(path, detailsIn("Bangor"));
    expect(reply.status).toBe(200);
    expect((await typesOf(id)).at(-1)).toBe("ApplicationReplaced");
    expect((await lookUp(orderNumber, reply)).body).toMatchObject({ question: false, canAmend: false });
  });
});

describe("The text of the GRO's question", () => {
  test("is read by the order's holder alone, until it is answered", async () => {
    const { id, orderNumber } = await paidOrder();
    await questioned(id);
    const question = "Which Bangor?\nIn 1962?";
    const named = { orderId: id, commandId: `asked-${id}`, repeatable: false };
    const { position } = await orders.execute({
      orderId: id,
      by: { actor: { kind: "provider", id: "gro" }, correlationId: "test" },
      ...outcomeCommand(stack.deps, named, { attempt: 1, outcome: "queried", question }),
    });
    const seen = async (by: TestBrowser) =>
      (await by.post("/api/orders/lookup", { orderNumber }, { "Read-After": position })).body;
    expect(await seen(browser)).toMatchObject({ question: true, questionText: question });
    const staff = await staffBrowser(stack);
    for (const other of [stack.browser(), staff]) {
      const { body } = await other.post("/api/orders/lookup", { orderNumber }, { "Read-After": position });
      expect(body.questionText).toBeNull();
    }
    const reply = await browser.post(`/api/orders/${id}/application`, detailsIn("Bangor"));
    expect((await lookUp(orderNumber, reply)).body).toMatchObject({ question: false, questionText: null });
    expect(JSON.stringify(await stack.events(id))).not.toContain("Which Bangor");
  });
});

describe("The contact", () => {
  test("is read by its holder, and corrected by its email alone", async () => {
    const { id, orderNumber } = await paidOrder();
    const path = `/api/orders/${id}/contact`;
    const before = (await browser.get(path)).body;
    const reply = await browser.post(path, { email: " sian@post.example " });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, orderNumber, status: "Processing" });
    const after = await browser.get(path);
    expect(after.body).toEqual({ ...before, email: "sian@post.example" });
    expect(after.headers.get("Cache-Control")).toBe("no-store");
  });

  test("is said to be correctable by its holder alone: all of it, and how to reach them once the GRO has it", async () => {
    const { id, orderNumber, position } = await paidOrder();
    const readAfter = { "Read-After": position };
    const mine = await browser.post("/api/orders/lookup", { orderNumber }, readAfter);
    expect(mine.body).toMatchObject({ contactChange: "all", cancellationRequested: false });
    const stranger = await stack.browser().post("/api/orders/lookup", { orderNumber }, readAfter);
    expect(stranger.body).toMatchObject({ contactChange: null });
    await submitted(id);
    const later = { "Read-After": await stack.head() };
    const sent = await browser.post("/api/orders/lookup", { orderNumber }, later);
    expect(sent.body).toMatchObject({ contactChange: "reach" });
  });

  test("is not offered when no more correspondence follows: cancelled before payment (control: cancelled after it)", async () => {
    const unpaid = await pricedOrder(browser);
    const paid = await paidOrder();
    for (const { id, orderNumber } of [unpaid, paid]) {
      const reply = await browser.post(`/api/orders/${id}/cancel`, { reason: "customerRequest" });
      expect(reply.status).toBe(200);
      const found = await lookUp(orderNumber, reply);
      expect(found.body).toMatchObject({
        status: "Cancelled",
        contactChange: id === paid.id ? "reach" : null,
      });
    }
  });

  test("takes the address as POST /api/orders does, until the GRO has it", async () => {
    const { id } = await paidOrder();
    const path = `/api/orders/${id}/contact`;
    const address = { ...(await browser.get(path)).body.contactAddress, Address1: "2 Stryd Fawr" };
    expect((await browser.post(path, { contactAddress: JSON.stringify(address) })).status).toBe(200);
    expect((await browser.get(path)).body.contactAddress).toEqual(address);
    await submitted(id);
    const another = { ...address, Address1: "3 Stryd Fawr" };
    await refused(() => browser.post(path, { contactAddress: another }), 409, { rule: "already-submitted" });
  });

  test("is sent unchanged: nothing happens, or what did not arrive is sent again", async () => {
    const { id } = await paidOrder();
    const path = `/api/orders/${id}/contact`;
    const before = await typesOf(id);
    expect((await browser.post(path, {})).status).toBe(200);
    expect(await typesOf(id)).toEqual(before);
    const about = (await orders.load(id)).order.confirmation.about ?? "";
    const data = { template: "confirmation", templateVersion: 1, about, result: "refused" } as const;
    await execute(id, { type: "RecordMail", data });
    expect((await browser.post(path, {})).status).toBe(200);
    expect((await typesOf(id)).at(-1)).toBe("ContactCorrected");
  });

  test.each([
    [{ email: "nobody" }, { email: "Please enter a valid email address" }],
    [{ email: null }, { email: "Please enter a valid email address" }],
    [{ contactPhone: { Daytime: "" } }, { "contactPhone.Daytime": "Daytime phone is required" }],
    [{ contactFullName: " " }, { contactFullName: "Full name is required" }],
    [
      { contactFullName: "Ms Mary Ann Jones", contactLastName: "van der Berg" },
      { contactLastName: "Last name must be the end of the full name" },
    ],
  ])("refuses %j", async (body, errors) => {
    const { id } = await pricedOrder(browser);
    await refused(() => browser.post(`/api/orders/${id}/contact`, body), 422, { errors });
  });

  test("is nothing once it was destroyed", async () => {
    const { id } = await pricedOrder(browser);
    const records = await stack.vault.recordsOf(id, "contact");
    await stack.vault.destroy(records.map(({ recordId }) => recordId));
    expect((await browser.get(`/api/orders/${id}/contact`)).status).toBe(404);
    await refused(() => browser.post(`/api/orders/${id}/contact`, { email: "sian@post.example" }), 409, {
      rule: "contact-purged",
    });
  });
});

describe("The arrival", () => {
  const report = (id: string, by = browser, key = "a-key-of-sixteen-letters") =>
    by.post(`/api/orders/${id}/arrival`, {}, { "Idempotency-Key": key });

  async function despatched() {
    const order = await paidOrder();
    await submitted(order.id);
    const position = await execute(
      order.id,
      { type: "RecordDispatch", data: { attempt: null, dispatchedAt: new Date().toISOString() } },
      { type: "FulfilOrder", data: {} },
    );
    return { ...order, position };
  }
  const found = async (orderNumber: string, position: string, by = browser) =>
    (await by.post("/api/orders/lookup", { orderNumber }, { "Read-After": position })).body;

  test("is reported by the order's holder, and appears in the history", async () => {
    const { id, orderNumber, position } = await despatched();
    expect(await found(orderNumber, position)).toMatchObject({
      canReportArrival: true,
      despatch: { arrivedOn: null, missingFrom: expect.any(String), closesOn: expect.any(String) },
    });
    expect(await found(orderNumber, position, stack.browser())).toMatchObject({
      canReportArrival: false,
      despatch: { missingFrom: expect.any(String) },
    });
    const reply = await report(id);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id, orderNumber, status: "Fulfilled" });
    const after = (await lookUp(orderNumber, reply)).body;
    expect(after).toMatchObject({
      status: "Fulfilled",
      canReportArrival: false,
      despatch: { missingFrom: null, arrivedOn: expect.any(String) },
    });
    expect(after.statusHistory[0].text).toBe("You told us that your certificate has arrived");
  });

  test("is recorded once, whether repeated under the same key or another, or at the same time", async () => {
    const { id } = await despatched();
    const replies = await Promise.all([
      report(id),
      report(id),
      report(id, browser, "another-key-of-sixteen"),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await report(id)).status).toBe(200);
    expect((await typesOf(id)).filter((type) => type === "CertificateArrived")).toHaveLength(1);
  });

  test("is refused before the despatch, after a cancellation and after a refund, and to strangers", async () => {
    const early = await paidOrder();
    await refused(() => report(early.id), 409, { rule: "not-dispatched" });
    await browser.post(`/api/orders/${early.id}/cancel`, {});
    await refused(() => report(early.id), 409, { rule: "already-cancelled" });
    const { id, orderNumber, intentId } = await despatched();
    expect((await report(id, stack.browser())).status).toBe(404);
    const refund = { intentId, amountPence: 500, reason: "staffDecision", approvalAbovePence: null } as const;
    const position = await execute(id, { type: "RequestRefund", data: refund });
    await refused(() => report(id), 409, { rule: "already-refunded" });
    expect(await found(orderNumber, position)).toMatchObject({
      canReportArrival: false,
      despatch: { missingFrom: null },
    });
  });
});

test("What was typed stands in no event and no line of the log, whatever became of it", async () => {
  const { id } = await paidOrder();
  const linesBefore = stack.logLines.length;
  const body = detailsIn("Llanfair-sentinel");
  await browser.post(`/api/orders/${id}/application`, body);
  await browser.post(`/api/orders/${id}/application`, { ...body, gender: "sentinel", copies: "sentinel" });
  await browser.post(`/api/orders/${id}/contact`, { email: "sentinel@post.example" });
  await browser.post(`/api/orders/${id}/contact`, { email: "sentinel" });
  await browser.get(`/api/orders/${id}/application`);
  await expect.poll(() => stack.logLines.length).toBeGreaterThanOrEqual(linesBefore + 5);
  expect(JSON.stringify(await stack.events(id)) + stack.logLines.join("")).not.toContain("sentinel");
});
