import type { Express, Router } from "express";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SandboxInTest, sandboxInTest } from "../../../testing/providers/sandbox-fixture.ts";
import { exampleSubmission } from "../gro/automation-protocol.ts";

let box: SandboxInTest;
beforeAll(async () => {
  box = await sandboxInTest();
});
// Closing fails if the sandbox logged an error.
afterAll(() => box.close());

/** A valid body for each POST. */
const bodies: Readonly<Record<string, object>> = {
  "/gro/behaviour": { mode: "ok" },
  "/gro/notices": { key: "order-1-submission-1", orderNumber: "0000", kind: "dispatched" },
  "/payments/disputes": { intentId: "pi_1", reason: "general" },
  "/payments/disputes/close": { disputeId: "du_1", status: "lost" },
  "/mail/:id/returns": { as: "reply", text: "Diolch" },
  "/payments/refunds": { intentId: "pi_1", amount: 100 },
  "/stripe/behaviour": { webhooks: "ok", refunds: "ok" },
  "/confirm": {
    publishableKey: "pk_1",
    clientSecret: "pi_1_secret_1",
    number: "4242424242424242",
    expiryMonth: 12,
    expiryYear: 2040,
    securityCode: "123",
    returnUrl: "http://localhost/",
  },
  "/challenge": { clientSecret: "pi_1_secret_1", outcome: "complete" },
  "/v1/payment_intents": { amount: "4500", currency: "gbp", "metadata[orderId]": "1" },
  "/v1/payment_intents/:id/confirm": { payment_method: "pm_card_visa", return_url: "http://localhost/" },
  "/v1/payment_intents/:id/cancel": {},
  "/v1/refunds": { payment_intent: "pi_1", amount: "100", "metadata[orderId]": "1" },
  "/v1/disputes/:id/close": {},
  "/submissions": exampleSubmission,
  "/inquiries": { key: "order-1-submission-1" },
  "/statuses": { submissions: [{ key: "order-1-submission-1" }, { groOrderReference: "1" }] },
};

/** A query that each GET reads, if it reads one. */
const queries = [
  "client_secret",
  "limit",
  "query",
  "type",
  "types[0]",
  "starting_after",
  "payment_intent",
  "secret",
];

type Part = "pages" | "stripe" | "cards" | "automation";
type Found = { part: Part; method: string; path: string };

function routesOf(part: Part, from: Pick<Router, "stack">): Found[] {
  return from.stack.flatMap(({ route, handle }): Found[] => {
    if (route) return route.stack.map(({ method }) => ({ part, method, path: route.path }));
    return isRouter(handle) ? routesOf(part, handle) : [];
  });
}
const isRouter = (handle: unknown): handle is Router => typeof handle === "function" && "stack" in handle;
const routerOf = (app: Express): Pick<Router, "stack"> => app.router;

function everyRoute(): Found[] {
  const { stripe, cards, automation } = box.sandbox.servers;
  return [
    ...routesOf("pages", box.sandbox.routes),
    ...routesOf("stripe", routerOf(stripe)),
    ...routesOf("cards", routerOf(cards)),
    ...routesOf("automation", routerOf(automation)),
  ].filter(
    ({ method, path }, at, all) =>
      all.findIndex((other) => other.method === method && other.path === path) === at,
  );
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Copies with a null character in one text each, and in one name. */
function spoilt(value: unknown): unknown[] {
  if (typeof value === "string") return [`${value}\0`];
  if (Array.isArray(value))
    return value.flatMap((each, at) => spoilt(each).map((bad) => value.with(at, bad)));
  if (!isObject(value)) return [];
  const members = Object.entries(value);
  return [
    ...members.flatMap(([name, each]) => spoilt(each).map((bad) => ({ ...value, [name]: bad }))),
    ...members.slice(0, 1).map(([name, each]) => ({ ...value, [`${name}\0`]: each })),
  ];
}

type Sent = { type: string; body: string };
function bodiesOf(part: Part, path: string): Sent[] {
  const body = bodies[path];
  if (!body) throw new Error(`Which body does ${path} take?`);
  const json = spoilt(body).map((bad) => ({ type: "application/json", body: JSON.stringify(bad) }));
  const forms = spoilt(body).map((bad) => ({
    type: "application/x-www-form-urlencoded",
    body: new URLSearchParams(
      Object.entries(Object(bad)).map(([name, each]) => [name, String(each)]),
    ).toString(),
  }));
  if (part === "automation") return json;
  return part === "stripe" ? forms : [...json, ...forms];
}

function headersOf(part: Part, { type, body }: Sent): Record<string, string> {
  const common = { "content-type": type, "sec-fetch-site": "same-origin" };
  const { stripe, automation } = box.addresses;
  if (part === "stripe")
    return { ...common, authorization: `Bearer ${stripe.secretKey}`, "stripe-version": "2026-10-28.endive" };
  if (part !== "automation") return common;
  const at = new Date();
  return {
    ...common,
    "webhook-id": "n",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(automation.secret).sign("n", at, body),
  };
}

function baseOf(part: Part): string {
  const { stripe, cardOrigin, automation } = box.addresses;
  const bases = {
    pages: `${box.receiver.url}/sandbox`,
    stripe: `http://${stripe.host}:${stripe.port}`,
    cards: cardOrigin,
    automation: automation.url,
  };
  return bases[part];
}

async function statusOf({ part, method, path }: Found, address: string, sent?: Sent): Promise<string> {
  const answer = await fetch(baseOf(part) + address, {
    method: method.toUpperCase(),
    redirect: "manual",
    headers: headersOf(part, sent ?? { type: "application/json", body: "" }),
    ...(sent && { body: sent.body }),
  });
  await answer.arrayBuffer();
  const isRefused = answer.status >= 400 && answer.status < 500;
  return isRefused ? "refused" : `${method} ${part} ${path}: ${answer.status}`;
}

async function notRefused(requests: readonly (readonly [Found, string, Sent?])[]): Promise<string[]> {
  const answers: string[] = [];
  for (const [route, address, sent] of requests) answers.push(await statusOf(route, address, sent));
  return answers.filter((answer) => answer !== "refused");
}

describe("A null character", () => {
  it("in an address is refused by every route", async () => {
    const found = everyRoute();
    expect(found.length).toBeGreaterThan(25);
    const query = queries.map((name) => `${encodeURIComponent(name)}=x%00y`).join("&");
    const requests = found.flatMap((route): [Found, string, Sent?][] => {
      const sent = route.method === "get" ? undefined : { type: "application/json", body: "" };
      return [
        ...(route.path.includes(":") ? [route.path.replace(/:\w+/, "x%00y")] : []),
        `${route.path.replace(/:\w+/, "x")}?${query}`,
      ].map((address) => (sent ? [route, address, sent] : [route, address]));
    });
    expect(await notRefused(requests)).toEqual([]);
  });

  it("in any text of a body is refused by every route that reads one", async () => {
    const posts = everyRoute().filter(({ method }) => method === "post");
    const requests = posts.flatMap((route) =>
      bodiesOf(route.part, route.path).map((sent): [Found, string, Sent] => [
        route,
        route.path.replace(/:\w+/, "x"),
        sent,
      ]),
    );
    expect(await notRefused(requests)).toEqual([]);
  });
});
