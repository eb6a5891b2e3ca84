import { z } from "zod";
import { cardPaymentBody, orderBody, variantBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { lookUp } from "./sandbox.ts";

/** Orders as a customer's browser makes them, without its pages: for tests of what comes after. */
export type PlacedOrder = { readonly id: string; readonly orderNumber: string };

const opened = z.object({ id: z.string(), orderNumber: z.string() });
const intent = z.object({ clientSecret: z.string() });

/**
 * Places an order and pays for it by card. It goes on by itself: confirmed, then submitted as the GRO's sandbox will.
 */
export async function placeOrder(url: string, changes: Record<string, unknown> = {}): Promise<PlacedOrder> {
  const created = await post(url, "/api/orders", orderBody(changes));
  const cookie = created.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
  const order = opened.parse(await created.json());
  await post(url, `/api/orders/${order.id}/variants`, variantBody(), cookie);
  const asked = await post(url, "/api/create-payment-intent", { amount: 45, orderId: order.id }, cookie);
  await payByCard(url, intent.parse(await asked.json()).clientSecret);
  await post(url, `/api/orders/${order.id}/status`, { status: "Processing" }, cookie);
  await post(url, `/api/orders/${order.id}/submit`, {}, cookie);
  return order;
}

async function post(
  url: string,
  path: string,
  body: unknown,
  cookie: readonly string[] = [],
): Promise<Response> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Cookie: cookie.join("; ") },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

async function payByCard(url: string, clientSecret: string): Promise<void> {
  const { publishableKey } = z
    .object({ publishableKey: z.string() })
    .parse(await (await fetch(`${url}/api/config`)).json());
  const script = await (await fetch(`${url}/sandbox/stripe.js`)).text();
  const [cardOrigin] = /http:\/\/(localhost|127\.0\.0\.1):\d+/.exec(script) ?? [];
  if (!cardOrigin) throw new Error("The sandbox's script names no origin for its card fields.");
  await post(cardOrigin, "/confirm", cardPaymentBody(publishableKey, clientSecret));
}

/** Waits until the public history says something. Asked twice a second: lookups are limited to 60 a minute. */
export async function untilHistorySays(
  url: string,
  { orderNumber }: PlacedOrder,
  words: string,
): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    const { statusHistory } = await lookUp(url, orderNumber);
    if (statusHistory.some(({ text }) => text.includes(words))) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`The history of ${orderNumber} never said: ${words}`);
}
