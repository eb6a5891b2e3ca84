import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { z } from "zod";
import { cardPaymentBody, orderBody, variantBody } from "../gateway/request-bodies-fixture.ts";

/** Orders as a customer's browser makes them, without its pages: for tests of what comes after. */
export type PlacedOrder = { readonly id: string; readonly orderNumber: string };

/** Its holder's cookies, as `name=value`: a browser that has them may do what the holder may. */
export type HeldOrder = PlacedOrder & { readonly cookies: readonly string[] };

const opened = z.object({ id: z.string(), orderNumber: z.string() });
const checkout = z.object({ id: z.string() });
const intent = z.object({ clientSecret: z.string() });

/**
 * Places an order and pays for it by card. It goes on by itself: confirmed, then submitted as the GRO's sandbox will.
 */
export async function placeOrder(url: string, changes: Record<string, unknown> = {}): Promise<HeldOrder> {
  const { cookies, ...order } = await priced(url, changes);
  const asked = await post(url, "/api/create-payment-intent", { amount: 45, orderId: order.id }, cookies);
  await payByCard(url, intent.parse(await asked.json()).clientSecret);
  await post(url, `/api/orders/${order.id}/status`, { status: "Processing" }, cookies);
  await post(url, `/api/orders/${order.id}/submit`, {}, cookies);
  return { ...order, cookies };
}

/** Places some orders and pays for all of them with one payment. */
export async function placeOrdersTogether(
  url: string,
  many: number,
  changes: Record<string, unknown> = {},
): Promise<readonly HeldOrder[]> {
  const orders: HeldOrder[] = [];
  for (let n = 0; n < many; n += 1) orders.push(await priced(url, changes));
  const cookies = orders.flatMap((order) => order.cookies);
  const orderIds = orders.map(({ id }) => id);
  const { id } = checkout.parse(await (await post(url, "/api/checkouts", { orderIds }, cookies)).json());
  const asked = await post(url, `/api/checkouts/${id}/payment-intent`, { amount: many * 45 }, cookies);
  await payByCard(url, intent.parse(await asked.json()).clientSecret);
  await post(url, `/api/checkouts/${id}/status`, { status: "Processing" }, cookies);
  for (const orderId of orderIds) await post(url, `/api/orders/${orderId}/submit`, {}, cookies);
  return orders;
}

/** An order with its certificate, still to be paid for. */
async function priced(url: string, changes: Record<string, unknown> = {}): Promise<HeldOrder> {
  customer += 1;
  const created = await post(url, "/api/orders", orderBody(changes));
  const cookies = created.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const order = opened.parse(await created.json());
  await post(url, `/api/orders/${order.id}/variants`, variantBody(), cookies);
  return { ...order, cookies };
}

/** Of the order at hand: its customer has an address of their own, for each may send 90 commands a minute. */
let customer = 0;

async function post(
  url: string,
  path: string,
  body: unknown,
  cookies: readonly string[] = [],
): Promise<Response> {
  const from = `127.0.2.${1 + (customer % 250)}`;
  const response = await postFrom(from, url + path, body, { Cookie: cookies.join("; ") });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** POSTs JSON. On Linux all of 127.0.0.0/8 is this machine; elsewhere it has one address, and `from` is not heeded. */
const postFrom = (from: string, address: string, body: unknown, headers: Record<string, string> = {}) =>
  new Promise<Response>((resolve, reject) => {
    const sent = request(
      address,
      {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        family: 4,
        ...(process.platform === "linux" && { localAddress: from }),
      },
      (answer) => {
        const { statusCode: status = 0, headers } = answer;
        const cookies = (headers["set-cookie"] ?? []).map((line): [string, string] => ["Set-Cookie", line]);
        text(answer).then((body) => resolve(new Response(body, { status, headers: cookies })), reject);
      },
    );
    sent.once("error", reject);
    sent.end(JSON.stringify(body));
  });

async function payByCard(url: string, clientSecret: string): Promise<void> {
  const { publishableKey } = z
    .object({ publishableKey: z.string() })
    .parse(await (await fetch(`${url}/api/config`)).json());
  const script = await (await fetch(`${url}/sandbox/stripe.js`)).text();
  const [cardOrigin] = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(script) ?? [];
  if (!cardOrigin) throw new Error("The sandbox's script names no origin for its card fields.");
  await post(cardOrigin, "/confirm", cardPaymentBody(publishableKey, clientSecret));
}

/** Opens the order's tracking page as its holder. */
export async function openAsHolder(page: Page, url: string, order: HeldOrder): Promise<void> {
  const cookies = order.cookies.map((pair) => {
    const [name = "", value = ""] = pair.split("=");
    return { name, value, url };
  });
  await page.context().addCookies(cookies);
  await page.goto(`/lookup?order=${order.orderNumber}`);
}

/** Waits until the public history says something. Asked twice a second: lookups are limited to 60 a minute. */
export async function untilHistorySays(
  url: string,
  { orderNumber }: PlacedOrder,
  words: string,
): Promise<void> {
  let status = 0;
  for (let tries = 0; tries < 240; tries++) {
    const response = await askFor(url, orderNumber);
    ({ status } = response);
    // A new order may not be found for a moment, nor a busy gateway answer.
    const { statusHistory } = response.ok ? tracked.parse(await response.json()) : { statusHistory: [] };
    if (statusHistory.some(({ text }) => text.includes(words))) return;
    await delay(500);
  }
  throw new Error(`The history of ${orderNumber} never said: ${words} (last answer ${status})`);
}

/** What came back; `body` is unread JSON. */
type Answer = { readonly status: number; readonly body: string };

/** POSTs JSON as one of 250 senders: the contact form takes ten messages a minute from each address. */
export async function postFromOwnAddress(address: string, body: object, sender: number): Promise<Answer> {
  const response = await postFrom(`127.0.1.${sender}`, address, body);
  return { status: response.status, body: await response.text() };
}

/** What the sandbox outside world has to tell: mails sent, applications received. */

const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }));

/** The mails to one address, newest first. */
export async function mailsTo(url: string, address: string): Promise<z.output<typeof mails>> {
  const found = mails.parse(await readJson(`${url}/sandbox/mail`));
  return found.filter(({ to }) => to === address);
}

export async function receivedByGro(url: string, orderNumber: string): Promise<readonly unknown[]> {
  const applications = z
    .array(z.looseObject({ orderNumber: z.string() }))
    .parse(await readJson(`${url}/sandbox/gro`));
  return applications.filter((application) => application.orderNumber === orderNumber);
}

const tracked = z.object({
  status: z.string(),
  statusHistory: z.array(z.object({ text: z.string() })),
  receipt: z.looseObject({ secondsAfterSubmission: z.number().nullable() }).nullable(),
});

/** POST /api/orders/lookup, as a caller with only the number. */
export async function lookUp(url: string, orderNumber: string): Promise<z.output<typeof tracked>> {
  return tracked.parse(await (await askFor(url, orderNumber)).json());
}

const askFor = (url: string, orderNumber: string): Promise<Response> =>
  fetch(`${url}/api/orders/lookup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ orderNumber }),
  });

async function readJson(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  return response.json();
}

/** Plays the GRO's part in the sandbox. */

async function control(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/sandbox/gro/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
}

/** How it treats the applications to come. */
export const groWill = (url: string, mode: "ok" | "reject" | "silent" | "loseNotices"): Promise<void> =>
  control(url, "behaviour", { mode });

/** What it tells of an application that it has. */
export const groSays = (
  url: string,
  orderNumber: string,
  kind: "queried" | "dispatched",
  question?: string,
): Promise<void> => control(url, "notices", { orderNumber, kind, question });
