import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listenTo } from "../../../testing/gateway/event-reader-fixture.ts";
import { variantBody } from "../../../testing/gateway/request-bodies-fixture.ts";
import {
  createdOrder,
  pricedOrder,
  startTestStack,
  type TestStack,
} from "../../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../../testing/gateway/test-browser.ts";
import { soon } from "../../../testing/setup/patience.ts";

let stack: TestStack;
let browser: TestBrowser;

const updatesOf = (orderNumber: string) => `${stack.url}/api/orders/lookup/${orderNumber}/updates`;
const start = async (options: Parameters<typeof startTestStack>[0] = {}) => {
  stack = await startTestStack(options);
  browser = stack.browser();
};

const collectMs = 1_000;

describe("Live updates", () => {
  beforeEach(() => start({ liveSettings: { collectMs } }));
  afterEach(() => stack.close());

  test("say where the order stands, and that it changed", async () => {
    const { id, orderNumber, position } = await createdOrder(browser);
    const heard = await listenTo(updatesOf(orderNumber));
    await vi.waitFor(() => expect(heard.changes()).toEqual([position]), soon);
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody());
    await vi.waitFor(() => expect(heard.changes()).toHaveLength(2), soon);
    expect(heard.changes()[1]).toBe(reply.headers.get("Position"));
    // What the page then does: it reads, and sees the announced change.
    const read = await browser.post(
      "/api/orders/lookup",
      { orderNumber },
      { "Read-After": heard.changes()[1] ?? "" },
    );
    expect(read.body.items).toEqual(["Birth Certificate × 1"]);
    heard.hangUp();
  });

  test("announce several changes close together once, and a page of its own order only", async () => {
    const order = await createdOrder(browser);
    const other = await createdOrder(browser);
    const heard = await listenTo(updatesOf(order.orderNumber));
    const heardOfOther = await listenTo(updatesOf(other.orderNumber));
    await vi.waitFor(() => expect(heard.changes()).toHaveLength(1), soon);
    const startedAt = performance.now();
    await browser.post(`/api/orders/${order.id}/variants`, variantBody());
    await browser.post(`/api/orders/${order.id}/variants`, variantBody({ applyingForOwn: false }));
    const last = await browser.post(`/api/orders/${order.id}/cancel`);
    const newest = last.headers.get("Position") ?? "";
    await vi.waitFor(() => expect(heard.changes().at(-1)).toBe(newest), soon);
    // The first was announced at the beginning.
    const collections = 1 + Math.floor((performance.now() - startedAt) / collectMs);
    expect(heard.changes().length).toBeLessThanOrEqual(1 + collections);
    const ofOther = await browser.post(`/api/orders/${other.id}/cancel`);
    await vi.waitFor(() => expect(heardOfOther.changes()).toHaveLength(2), soon);
    expect(heardOfOther.changes()).toEqual([other.position, ofOther.headers.get("Position")]);
    heard.hangUp();
    heardOfOther.hangUp();
  });

  test("after a lost connection announce what was missed, and nothing where nothing was", async () => {
    const { id, orderNumber, position } = await createdOrder(browser);
    const seen = { "Last-Event-ID": position };
    const calm = await listenTo(updatesOf(orderNumber), seen);
    const reply = await browser.post(`/api/orders/${id}/variants`, variantBody());
    const changed = reply.headers.get("Position");
    await vi.waitFor(() => expect(calm.changes()).toEqual([changed]), soon);
    const missed = await listenTo(updatesOf(orderNumber), seen);
    await vi.waitFor(() => expect(missed.changes()).toEqual([changed]), soon);
    // One from before a restore of the log, later than anything now, must not make a page deaf.
    const strange = await listenTo(updatesOf(orderNumber), { "Last-Event-ID": "zzzz" });
    await vi.waitFor(() => expect(strange.changes()).toEqual([changed]), soon);
    for (const heard of [calm, missed, strange]) heard.hangUp();
  });

  test("hold nothing of a person, and are neither kept nor held back on the way", async () => {
    const { orderNumber } = await pricedOrder(browser);
    const heard = await listenTo(updatesOf(orderNumber), { "Accept-Encoding": "gzip, br" });
    await vi.waitFor(() => expect(heard.changes()).toHaveLength(1), soon);
    expect(heard.text()).toMatch(
      /^retry: 5000\n\nevent: changed\nid: ([\w.:-]+)\ndata: \{"position":"\1"\}\n\n$/,
    );
    expect(heard.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(heard.headers["content-encoding"]).toBeUndefined();
    heard.hangUp();
  });

  test("of an unknown number are 404, and a HEAD request ends", async () => {
    const { orderNumber } = await createdOrder(browser);
    expect((await browser.get("/api/orders/lookup/0000-0000-00001/updates")).status).toBe(404);
    const { status } = await fetch(updatesOf(orderNumber), { method: "HEAD" });
    expect(status).toBe(200);
  });
});

describe("Many pages that wait", () => {
  afterEach(() => stack.close());

  test("of one address have their share, and give it back when they leave", async () => {
    await start({ liveSettings: { mostPerAddress: 2 } });
    const { orderNumber } = await createdOrder(browser);
    const [first, second] = [await listenTo(updatesOf(orderNumber)), await listenTo(updatesOf(orderNumber))];
    const refused = await browser.get(`/api/orders/lookup/${orderNumber}/updates`);
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("too-many-requests");
    expect(refused.headers.get("Retry-After")).toBe("60");
    first.hangUp();
    await vi.waitFor(async () => {
      const third = await listenTo(updatesOf(orderNumber));
      third.hangUp();
      expect(third.status).toBe(200);
    }, soon);
    second.hangUp();
  });

  test("of all together have a limit too", async () => {
    await start({ liveSettings: { mostStreams: 1 } });
    const { orderNumber } = await createdOrder(browser);
    const only = await listenTo(updatesOf(orderNumber));
    expect(await browser.get(`/api/orders/lookup/${orderNumber}/updates`)).toMatchObject({
      status: 503,
      body: { code: "busy" },
    });
    only.hangUp();
  });

  test("hear a heartbeat", async () => {
    await start({ liveSettings: { beatEveryMs: 20 } });
    const { orderNumber } = await createdOrder(browser);
    const heard = await listenTo(updatesOf(orderNumber));
    await vi.waitFor(() => expect(heard.text().match(/^: still here$/gm)?.length).toBeGreaterThan(1), soon);
    expect(heard.ended()).toBe(false);
    heard.hangUp();
  });

  test("are sent away after a while", async () => {
    await start({ liveSettings: { longestMs: 100 } });
    const { orderNumber } = await createdOrder(browser);
    const heard = await listenTo(updatesOf(orderNumber));
    await vi.waitFor(() => expect(heard.ended()).toBe(true), soon);
    expect(heard.wasWhole()).toBe(true);
  });

  test("do not hold up the end: a gateway that stops ends them at once", async () => {
    await start();
    const { orderNumber } = await createdOrder(browser);
    const heard = await listenTo(updatesOf(orderNumber));
    await vi.waitFor(() => expect(heard.changes()).toHaveLength(1), soon);
    await stack.stopServing();
    await vi.waitFor(() => expect(heard.ended()).toBe(true), soon);
    // Not cut at the end of the patience with who is slow.
    expect(heard.wasWhole()).toBe(true);
  });
});
