import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { TestBrowser } from "../testing/gateway/test-browser.ts";
import { readFigures } from "../testing/services/telemetry-fixture.ts";
import {
  placePaidOrder,
  seen,
  startWatchedProduct,
  type WatchedOrder,
  type WatchedProduct,
} from "../testing/services/watched-order-fixture.ts";
import { soon } from "../testing/setup/patience.ts";

/** The whole product of a company whose staff submit by hand; only cards and mails use the sandbox. */
let product: WatchedProduct;
let order: WatchedOrder;
let browser: TestBrowser;
beforeAll(async () => {
  product = await startWatchedProduct({ GRO_SUBMISSION: "by-hand" });
  browser = new TestBrowser(product.url);
  order = await placePaidOrder(product);
});
afterAll(() => product.dispose());

/** A token lives for a minute. */
async function signedIn() {
  const answer = await browser.post("/sandbox/identity/token", { username: "robin.ellis", role: "staff" });
  const { token } = z.object({ token: z.string() }).parse(answer.body);
  return { Authorization: `Bearer ${token}` };
}

const get = async (path: string) => browser.get(path, await signedIn());
const post = async (path: string, body: unknown) => browser.post(path, body, await signedIn());
const page = async () => (await get(`/api/admin/orders/${order.orderNumber}`)).body;
const waiting = async (queue: string): Promise<string[]> => {
  const { body } = await get(`/api/admin/orders?queue=${queue}`);
  return body.orders.map((each: { orderNumber: string }) => each.orderNumber);
};

it("reports submission by hand, with no GRO sandbox and no callbacks", async () => {
  const { body } = await browser.get("/api/config");
  expect(body.modes).toEqual({
    payments: "sandbox",
    identity: "sandbox",
    submission: "byHand",
    mail: "sandbox",
  });
  expect((await browser.get("/sandbox/gro")).status).toBe(404);
  expect((await browser.get("/sandbox/mail", { Accept: "application/json" })).status).toBe(200);
  expect((await browser.post("/api/webhooks/gro", {})).status).toBe(400);
});

it("keeps a paid order for staff to submit by hand, then purges the application", async () => {
  await vi.waitFor(async () => expect((await page()).phase).toBe("Confirmed"), soon);
  expect(await waiting("notSubmitted")).toContain(order.orderNumber);
  expect(await waiting("submissionFailed")).toEqual([]);
  expect((await page()).jobs).toEqual([]);

  const form = await post(`/api/admin/orders/${order.orderNumber}/application.pdf`, {
    reason: "manualSubmission",
  });
  expect([form.status, form.headers.get("content-type"), String(form.body).slice(0, 5)]).toEqual([
    200,
    "application/pdf",
    "%PDF-",
  ]);
  const { revision } = await page();
  const recorded = await post(`/api/admin/orders/${order.orderNumber}/actions/record-submission`, {
    reason: "groWebsite",
    expectedRevision: revision,
    groOrderReference: "COL-445566",
    submittedAt: new Date().toISOString(),
  });
  expect(recorded.status).toBe(200);
  await seen(product, order.orderId, "purge-application-1-1");
  await vi.waitFor(async () => expect(await waiting("notSubmitted")).toEqual([]), soon);
  const gone = await post(`/api/admin/orders/${order.orderNumber}/application.pdf`, {
    reason: "manualSubmission",
  });
  expect([gone.status, gone.body.dataClass]).toEqual([410, "application"]);
});

it("called no service, had no failures, and raises no alarm", async () => {
  const tasks = product.lines.map(({ task }) => String(task));
  expect(tasks.filter((task) => /^(submit|ask-submission)-/.test(task))).toEqual([]);
  expect(product.lines.filter(({ provider }) => provider === "automation")).toEqual([]);
  const levels = product.lines.filter(({ level }) => Number(level) >= 50);
  expect(levels).toEqual([]);
  const figures = readFigures(await (await fetch(`${product.operatorUrl}/metrics`)).text());
  expect(JSON.stringify(figures)).not.toMatch(/"submit"/);
  // A read model may lag a moment on a busy machine.
  await vi.waitFor(async () => {
    const ready = await fetch(`${product.operatorUrl}/readyz`);
    expect({ code: ready.status, ...(await ready.json()) }).toMatchObject({ code: 200, degraded: [] });
  }, soon);
  expect(product.said()).not.toContain("COL-445566");
});
