import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { orderBody, ticketBody } from "../../testing/gateway/request-bodies-fixture.ts";
import {
  createdOrder,
  type Ordered,
  startTestStack,
  type TestStack,
} from "../../testing/gateway/stack-fixture.ts";
import type { TestBrowser } from "../../testing/gateway/test-browser.ts";

// Attacks by an outsider with a browser and patience, on the routes of orders, tickets and live updates.

let stack: TestStack;
let owner: TestBrowser;
let order: Ordered;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  owner = stack.browser();
  order = await createdOrder(owner);
});

const customerPosts = () =>
  stack.routes
    .filter(({ request: { method, from } }) => method === "POST" && from !== "provider")
    .map(({ request: { path } }) => path)
    .filter((path) => !path.startsWith("/api/admin"));

const pathOf = (pattern: string): string => pattern.replace("{id}", order.id);

async function sendBytes(path: string, body: Uint8Array<ArrayBuffer>, encoding: string): Promise<number> {
  const headers = { "Content-Type": "application/json", "Content-Encoding": encoding, Cookie: owner.cookies };
  return (await fetch(stack.url + path, { method: "POST", headers, body })).status;
}

describe("A page of another site, in the owner's own browser", () => {
  test("may post nowhere, and what it posts is not even read", async () => {
    const before = await stack.head();
    expect(customerPosts().length).toBeGreaterThan(12);
    for (const path of customerPosts()) {
      for (const headers of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }]) {
        const { status, body } = await owner.post(pathOf(path), orderBody(), headers);
        expect([path, status, body.code]).toEqual([path, 403, "foreign-origin"]);
      }
    }
    expect(await stack.head()).toBe(before);
  });
});

describe("A body", () => {
  const bomb = new Uint8Array(gzipSync(`{"x":"${"0".repeat(14_000_000)}"}`));

  test("that is small on the wire and swells when it is unpacked is cut off at every door", async () => {
    expect(bomb.length).toBeLessThan(16_384);
    for (const path of customerPosts()) {
      expect([path, await sendBytes(pathOf(path), bomb, "gzip")]).toEqual([path, 413]);
    }
  });

  test("in an unknown compression is refused", async () => {
    expect(await sendBytes("/api/tickets", bomb, "zstd-of-mine")).toBe(415);
  });

  test.each([
    ["30,000 lists in one another", "[".repeat(30_000) + "]".repeat(30_000), 400],
    ["a list where an object should be", "[]", 400],
    ["nothing but null", "null", 400],
    ["a prototype of its own", '{"__proto__":{"key":"x"},"constructor":{"prototype":{"key":"x"}}}', 422],
  ])("of %s opens no conversation, and breaks nothing", async (_, body, status) => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${stack.url}/api/tickets/view`, { method: "POST", headers, body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toContain("application/problem+json");
  });
});

describe("Headers that other software believes", () => {
  test.each<[string, Record<string, string>]>([
    ["another method", { "X-HTTP-Method-Override": "POST", "X-Method-Override": "POST" }],
    ["another address", { "X-Original-URL": "/api/admin/orders", "X-Rewrite-URL": "/api/admin/orders" }],
    ["another host", { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example;proto=https" }],
    ["a person of the back office", { "X-Clerk-User-Id": "user_admin", "X-Debug-Info": "role=manager" }],
    [
      "a token without a signature",
      { Authorization: "Bearer eyJhbGciOiJub25lIn0.eyJyb2xlIjoibWFuYWdlciJ9." },
    ],
  ])("and name %s change nothing for a stranger", async (_, headers) => {
    const stranger = stack.browser();
    expect((await stranger.get(`/api/orders/${order.id}/contact`, headers)).status).toBe(404);
    expect((await stranger.get("/api/admin/orders", headers)).status).toBe(401);
    const { body } = await stranger.get("/api/config", headers);
    expect(JSON.stringify(body)).not.toContain("evil.example");
  });
});

describe("Another's order", () => {
  const ownRecords = ["contact", "application"];

  test("does not open with the secret of one's own under its name", async () => {
    const mine = stack.browser();
    const { id } = await createdOrder(mine);
    const forged = mine.cookies.replace(id, order.id);
    expect(forged).toContain(order.id);
    for (const record of ownRecords) {
      const { status } = await stack
        .browser()
        .get(`/api/orders/${order.id}/${record}`, { Cookie: `${mine.cookies}; ${forged}` });
      expect([record, status]).toEqual([record, 404]);
    }
    expect((await owner.get(`/api/orders/${order.id}/contact`)).status).toBe(200);
  });

  const keyFor = (orderId: string, orderNumber: string, until: Date): string =>
    new URL(stack.access.trackingLink({ orderId, orderNumber, emailChanges: 0 }, until)).hash.replace(
      "#key=",
      "",
    );
  const enter = (orderNumber: string, key: string) =>
    stack.browser().post("/api/orders/access", { orderNumber, key }, { "Read-After": order.position });

  test("does not open with the key of another's link, nor with a cookie's secret in the place of a key", async () => {
    const later = new Date(Date.now() + 60_000);
    const mine = await createdOrder(stack.browser());
    const secret = owner.cookies.split(".").at(-1) ?? "";
    const until = Math.floor(later.getTime() / 1000).toString(36);
    for (const key of [keyFor(mine.id, mine.orderNumber, later), `${until}.${secret}`]) {
      expect((await enter(order.orderNumber, key)).status).toBe(404);
    }
    expect((await enter(order.orderNumber, keyFor(order.id, order.orderNumber, later))).status).toBe(200);
  });

  test("opens with a link until its end; after it the link is worth nothing, and cannot be given a later one", async () => {
    const ended = new Date(Date.now() - 2_000);
    const key = keyFor(order.id, order.orderNumber, ended);
    expect((await enter(order.orderNumber, key)).status).toBe(410);
    const later = Math.floor(Date.now() / 1000 + 3_600).toString(36);
    expect((await enter(order.orderNumber, `${later}.${key.split(".")[1]}`)).status).toBe(404);
  });

  test("is not given away by invalid addresses", async () => {
    for (const number of ["%E0%A4%A", "..%2F..%2Fadmin", "%00", "7K3M%0d%0aX-Evil:1", "0".repeat(4_000)]) {
      for (const path of [`/api/orders/lookup/${number}`, `/api/orders/lookup/${number}/updates`]) {
        const { status, headers } = await stack.browser().get(path);
        expect([400, 404], path).toContain(status);
        expect(headers.get("Content-Type")).toContain("application/problem+json");
        expect(headers.get("X-Evil")).toBeNull();
      }
    }
  });
});

describe("Patience", () => {
  test("does not help to guess: orders, links, live updates and tickets share one count of guesses", async () => {
    const strict = await startTestStack({ limits: { lookups: 5 } });
    const guesser = strict.browser();
    const guess = { orderNumber: "0000-0000-00001" };
    const statuses = [
      await guesser.post("/api/orders/lookup", guess),
      await guesser.get("/api/orders/lookup/0000-0000-00002"),
      await guesser.get("/api/orders/lookup/0000-0000-00003/updates"),
      await guesser.post("/api/orders/access", { ...guess, key: "zzzzzz.aaaaaaaaaaaaaaaaaaaaaa" }),
      await guesser.post("/api/tickets/view", { ticketNumber: "T-0000-0000-00001", email: "a@b.example" }),
      await guesser.post("/api/tickets/view", { ticketNumber: "T-0000-0000-00002", email: "a@b.example" }),
    ].map(({ status }) => status);
    await strict.close();
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
  });

  test("is not asked of those who share an address: what is found counts as no guess", async () => {
    const strict = await startTestStack({ limits: { lookups: 2 } });
    const customer = strict.browser();
    const { orderNumber } = await createdOrder(customer);
    const track = async () => (await customer.post("/api/orders/lookup", { orderNumber })).status;
    const guess = async () => (await customer.get("/api/orders/lookup/0000-0000-00002")).status;
    const statuses = [
      await track(),
      await track(),
      await track(),
      await guess(),
      await track(),
      await guess(),
    ];
    expect(statuses).toEqual([200, 200, 200, 404, 200, 404]);
    expect([await guess(), await track()]).toEqual([429, 429]);
    await strict.close();
  });

  test("is not used up by what is refused for another reason", async () => {
    const strict = await startTestStack({ limits: { lookups: 2 } });
    const customer = strict.browser();
    const elsewhere = { Origin: "https://evil.example" };
    const ask = async (body: object, headers = {}) =>
      (await customer.post("/api/orders/lookup", body, headers)).status;
    const guess = { orderNumber: "0000-0000-00002" };
    const statuses = [await ask(guess, elsewhere), await ask({}), await ask(guess, elsewhere), await ask({})];
    expect([...statuses, await ask(guess)]).toEqual([403, 422, 403, 422, 404]);
    await strict.close();
  });

  test("does not fill a stranger's mailbox: an hour takes no more tickets than three minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    try {
      const strict = await startTestStack({ limits: { contact: 2 } });
      const statuses: number[] = [];
      for (let minute = 0; minute < 5; minute += 1) {
        for (const _ of [1, 2])
          statuses.push((await strict.browser().post("/api/tickets", ticketBody())).status);
        vi.advanceTimersByTime(61_000);
      }
      await strict.close();
      expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429, 429, 429, 429]);
    } finally {
      vi.useRealTimers();
    }
  });
});
