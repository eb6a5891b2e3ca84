import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { beginning } from "../../infra/event-store/event-store.ts";
import { execute, type StaffBrowser, staffBrowser } from "../../testing/gateway/admin-order-fixture.ts";
import { orderBody, ticketBody, variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { startTestStack, type TestStack } from "../../testing/gateway/stack-fixture.ts";
import type { Reply } from "../../testing/gateway/test-browser.ts";

/** Stands in everything that a person types here, and nowhere else. */
const mark = "Zzmarked";

let stack: TestStack;
let staff: StaffBrowser;
beforeAll(async () => {
  stack = await startTestStack();
  staff = await staffBrowser(stack);
});
afterAll(() => stack.close());

const address = JSON.stringify({
  ...{ Address1: `1 ${mark} Street`, Address2: "", Town: `${mark}town`, County: "Ceredigion" },
  ...{ Country: "United Kingdom", PostCode: "SY23 1AA" },
});
const application = () => {
  const body = variantBody();
  return { ...body, certificateDetails: { ...body.certificateDetails, ForenamesAtBirth: `${mark} Mair` } };
};
const email = `${mark}@post.example`.toLowerCase();

/** A paid order and a ticket of one person. */
async function aPerson() {
  const browser = stack.browser();
  const who = { contactFullName: `Mrs ${mark} Rhys`, email, signature: `${mark} Rhys` };
  const opened = await browser.post("/api/orders", orderBody({ ...who, contactAddress: address }));
  const { id, orderNumber } = opened.body;
  await browser.post(`/api/orders/${id}/variants`, application());
  const { body } = await browser.post("/api/create-payment-intent", { amount: 45, orderId: id });
  const intentId = String(body.clientSecret).replace(/_secret$/, "");
  await execute(stack, id, { type: "ConfirmPayment", data: { intentId, amountPence: 4500 } });
  await stack.makeFindable(id);
  const words = { name: `${mark} Rhys`, subject: `${mark}?`, message: `I am ${mark}.`, email };
  const ticket = await browser.post("/api/tickets", ticketBody(words));
  return { id, orderNumber, ticketNumber: ticket.body.ticketNumber };
}

/** What staff do with it, well and badly. Answers what may show personal data, and what may not. */
async function aDayOfWork({ id, orderNumber, ticketNumber }: Awaited<ReturnType<typeof aPerson>>) {
  const order = `/api/admin/orders/${orderNumber}`;
  const ticket = `/api/admin/tickets/${ticketNumber}`;
  const act = async (action: string, body: object) => {
    const expectedRevision = (await stack.events(id)).length - 1;
    return staff.post(`${order}/actions/${action}`, { reason: "other", note: "", expectedRevision, ...body });
  };
  const bulk = { action: "addNote", orders: [id], note: `${mark} for many`, reason: "other" };
  const found = await staff.post("/api/admin/customers/search", { by: "surname", typed: `${mark} Rhys` });
  const customer = `/api/admin/customers/${found.body.customers[0].id}`;
  const open: Reply[] = [
    await staff.post(`${order}/reveal`, { dataClass: "application", reason: "ticket" }),
    await staff.post(`${order}/reveal`, { dataClass: "contact", reason: "ticket" }),
    await staff.post(`${customer}/export`, { format: "json" }),
    await staff.post(`${ticket}/open`, {}),
  ];
  const silent: Reply[] = [
    found,
    await act("add-note", { note: `${mark} rang.` }),
    await act("correct-contact", { contact: { email: `${mark}@` } }),
    await act("correct-contact", { contact: { email: `new.${email}` } }),
    await act("amend-application", { application: { ...application(), customerLastName: mark.repeat(60) } }),
    await staff.post("/api/admin/orders/bulk", bulk, { "Idempotency-Key": randomUUID() }),
    await staff.post("/api/admin/orders/search", { by: "surname", text: `${mark} Rhys` }),
    await staff.post("/api/admin/orders/search", { by: mark, text: mark }),
    await staff.post(`${order}/reveal`, { dataClass: mark, reason: mark }),
    await staff.post(`${ticket}/reply`, { message: `Dear ${mark}`, next: "Waiting", expectedRevision: 0 }),
    await staff.post(`${ticket}/note`, { note: `${mark} wrote.`, expectedRevision: 9 }),
    await staff.post(`/api/admin/tickets/${mark}/open`, {}),
    await staff.get(`/api/admin/orders?status=${mark}`),
    await staff.get(`/api/admin/orders?after=${mark}`),
    await staff.get("/api/admin/orders"),
    await staff.get("/api/admin/orders.csv"),
    await staff.get("/api/admin/tickets"),
    await staff.get(order),
    await staff.get(`${order}/timeline`),
    await staff.get(`${order}/timeline?at=${mark}`),
    await staff.get(customer),
  ];
  return { open, silent };
}

const hasMark = (value: unknown): boolean => JSON.stringify(value).toLowerCase().includes(mark.toLowerCase());

test("A day of work in the back office leaves no personal data in logs, events, lists or refusals (control: reveals show it)", async () => {
  const { open, silent } = await aDayOfWork(await aPerson());
  for (const reply of open) expect([reply.status, hasMark(reply.body)]).toEqual([200, true]);
  for (const reply of silent) expect(hasMark(reply.body), JSON.stringify(reply.body)).toBe(false);
  expect(silent.filter(({ status }) => status >= 400).length).toBeGreaterThan(5);
  expect(silent.filter(({ status }) => status >= 500)).toEqual([]);
  expect(hasMark(await stack.store.readAll(beginning, 10_000))).toBe(false);
  await expect.poll(() => stack.logLines.length).toBeGreaterThan(25);
  expect(hasMark(stack.logLines)).toBe(false);
});
