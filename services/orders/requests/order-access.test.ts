import { randomUUID } from "node:crypto";
import express from "express";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fixedKeys } from "../../../testing/gateway/gateway-fixture.ts";
import { TestBrowser } from "../../../testing/gateway/test-browser.ts";
import { type Listening, listen } from "../../gateway/listen.ts";
import { createOrderAccess, type OrderAccess } from "./order-access.ts";

const key = Buffer.alloc(32, 7);
let clock = new Date("2026-11-21T09:00:00Z");
const now = () => clock;
const later = (seconds: number) => new Date(clock.getTime() + seconds * 1000);

let access: OrderAccess;
let listening: Listening;
let browser: TestBrowser;
beforeEach(async () => {
  access = createOrderAccess({ keys: fixedKeys(key), publicUrl: "http://localhost", now });
  const app = express();
  app.get("/grant/:id", (request, response) => {
    response.append("Set-Cookie", [...access.grant(request, request.params.id)]).json({});
  });
  app.get("/holds/:id", async (request, response) => {
    response.json({ holds: await access.holds(request, request.params.id, async () => 0) });
  });
  listening = await listen(app, "127.0.0.1", 0);
  browser = new TestBrowser(`http://127.0.0.1:${listening.port}`);
});
afterEach(() => listening.close());

const holds = async (orderId: string, headers: Record<string, string> = {}) =>
  (await browser.get(`/holds/${orderId}`, headers)).body.holds;

describe("The cookie of an order", () => {
  test("makes its browser the holder of that order alone", async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    expect(await holds(mine)).toBe(false);
    await browser.get(`/grant/${mine}`);
    expect(await holds(mine)).toBe(true);
    expect(await holds(other)).toBe(false);
  });

  test("cannot be renamed for another order, cut short or made up", async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    await browser.get(`/grant/${mine}`);
    const value = browser.cookies.split("=")[1] ?? "";
    for (const forged of [value, value.slice(0, -1), `1.${"A".repeat(22)}`, "", "1.", "%00"]) {
      expect(await holds(other, { Cookie: `order-${other}=${forged}` })).toBe(false);
    }
    expect(await holds(mine, { Cookie: `order-${mine}=${value.slice(0, -1)}` })).toBe(false);
  });

  test("is the same secret for a repeat, and another under another installation's key", async () => {
    const orderId = randomUUID();
    await browser.get(`/grant/${orderId}`);
    const first = browser.cookies;
    await browser.get(`/grant/${orderId}`);
    expect(browser.cookies).toBe(first);
    access = createOrderAccess({ keys: fixedKeys(Buffer.alloc(32, 8)), publicUrl: "http://localhost", now });
    expect(await holds(orderId)).toBe(false);
  });

  test("is kept for the ten newest orders", async () => {
    const orders = Array.from({ length: 12 }, () => randomUUID());
    for (const orderId of orders) {
      clock = later(1);
      await browser.get(`/grant/${orderId}`);
    }
    expect(browser.cookieNames.sort()).toEqual(
      orders
        .slice(2)
        .map((id) => `order-${id}`)
        .sort(),
    );
    expect(await holds(orders.at(-1) ?? "")).toBe(true);
  });
});

describe("Planted cookies", () => {
  test("push none of the real ones out, however new they claim to be", async () => {
    const mine = randomUUID();
    await browser.get(`/grant/${mine}`);
    const planted = Array.from({ length: 12 }, () => `order-${randomUUID()}=999999999999.${"A".repeat(22)}`);
    const Cookie = [...planted, browser.cookies].join("; ");
    const { headers } = await browser.get(`/grant/${randomUUID()}`, { Cookie });
    const gone = headers.getSetCookie().filter((cookie) => cookie.includes("Max-Age=0"));
    expect(gone).toHaveLength(4);
    expect(gone.join("\n")).not.toContain(mine);
  });
});

const keyIn = (link: string) => new URL(link).hash.replace("#key=", "");

describe("The key of a link", () => {
  const order = { orderId: randomUUID(), orderNumber: "7K3M-9QXT-2BWHD", emailChanges: 0 };
  const keyOf = (expires: Date, linked = order) => keyIn(access.trackingLink(linked, expires));

  test("stands behind # in a link to the lookup page, where no server sees it", () => {
    expect(access.trackingLink(order, later(60))).toMatch(
      /^http:\/\/localhost\/lookup\?order=7K3M-9QXT-2BWHD#key=[0-9a-z]{6}\.[\w-]{22}$/,
    );
  });

  test("is valid until it expires", () => {
    const key = keyOf(later(60));
    expect(access.checkLinkKey(order, key)).toBe("valid");
    clock = later(61);
    expect(access.checkLinkKey(order, key)).toBe("expired");
  });

  test("is worth nothing for another order, with a later end, or made up", () => {
    const key = keyOf(later(60));
    const [until = "", signature = ""] = key.split(".");
    expect(access.checkLinkKey({ ...order, orderId: randomUUID() }, key)).toBe("wrong");
    expect(access.checkLinkKey(order, `${until}z.${signature}`)).toBe("wrong");
    for (const made of ["", ".", "a.b", `${until}.${"A".repeat(22)}`]) {
      expect(access.checkLinkKey(order, made)).toBe("wrong");
    }
  });

  test("has expired once the address it went to was corrected, and cannot be made for a correction to come", () => {
    const [first, second] = [keyOf(later(60)), keyOf(later(60), { ...order, emailChanges: 1 })];
    expect(access.checkLinkKey({ ...order, emailChanges: 2 }, first)).toBe("expired");
    expect(access.checkLinkKey({ ...order, emailChanges: 2 }, second)).toBe("expired");
    expect(access.checkLinkKey({ ...order, emailChanges: 1 }, second)).toBe("valid");
    expect(access.checkLinkKey(order, second)).toBe("wrong");
  });

  test("is no cookie, and a cookie is no key: each has its purpose", async () => {
    const [until = "", signature = ""] = keyOf(later(60)).split(".");
    expect(
      await holds(order.orderId, {
        Cookie: `order-${order.orderId}=${Number.parseInt(until, 36)}.${signature}`,
      }),
    ).toBe(false);
  });
});

test("What was signed before a rotation counts until its key is given up, and what is signed after it is the new key's", async () => {
  const order = { orderId: randomUUID(), orderNumber: "7K3M-9QXT-2BWHD", emailChanges: 0 };
  const [old, young] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const withKeys = (...keys: Parameters<typeof fixedKeys>) =>
    createOrderAccess({ keys: fixedKeys(...keys), publicUrl: "http://localhost", now });
  const keyFrom = (given: OrderAccess) => keyIn(given.trackingLink(order, later(60)));
  const before = keyFrom(withKeys(old));
  const rotated = withKeys(young, old);
  expect(rotated.checkLinkKey(order, before)).toBe("valid");
  expect(rotated.checkLinkKey(order, keyFrom(rotated))).toBe("valid");
  const revoked = withKeys(young);
  expect(revoked.checkLinkKey(order, before)).toBe("wrong");
  expect(revoked.checkLinkKey(order, keyFrom(rotated))).toBe("valid");
});
