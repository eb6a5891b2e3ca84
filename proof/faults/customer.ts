import { request } from "node:http";
import { performance } from "node:perf_hooks";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { cardPaymentBody } from "../../testing/gateway/request-bodies-fixture.ts";
import type { CardDesk } from "../speed/load/order.ts";

/** Status 0 means no answer. */
export type Reply = {
  readonly status: number;
  readonly body: unknown;
  /** Of the events that the command led to; empty without. */
  readonly position: string;
  readonly tookMs: number;
};

export type Sent = {
  /** Of a gateway, or of the proxy in front of them. */
  readonly at: string;
  readonly path: string;
  readonly body: object;
  readonly key: string;
};

/** One customer's browser: cookies, and an address by which requests are limited. */
export type Customer = {
  /** Posts JSON on a connection of its own. Never throws. */
  readonly post: (sent: Sent) => Promise<Reply>;
};

const withinMs = 30_000;

/**
 * @param nth gives the address, from a network that is reserved for benchmarks
 * @param givesUpAfterMs for an answer
 */
export function createCustomer(nth: number, givesUpAfterMs = withinMs): Customer {
  const cookies = new Map<string, string>();
  const address = `198.18.${(nth >> 8) & 255}.${nth & 255}`;
  return {
    post: ({ at, path, body, key }) =>
      new Promise((resolve) => {
        const begunMs = performance.now();
        const done = (status: number, answered: unknown, position = "") =>
          resolve({ status, body: answered, position, tookMs: performance.now() - begunMs });
        const asked = request(at + path, {
          method: "POST",
          agent: false,
          timeout: givesUpAfterMs,
          headers: {
            "content-type": "application/json",
            "idempotency-key": key,
            "x-forwarded-for": address,
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
          },
        });
        asked.on("timeout", () => asked.destroy(new Error("No answer in time.")));
        asked.on("error", (error) => done(0, error.message));
        asked.on("response", async (response) => {
          try {
            const said = await text(response);
            for (const line of response.headers["set-cookie"] ?? []) {
              const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/);
              cookies.set(name, value);
            }
            done(response.statusCode ?? 0, parsed(said), String(response.headers.position ?? ""));
          } catch (error) {
            done(0, String(error));
          }
        });
        asked.end(JSON.stringify(body));
      }),
  };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return said;
  }
}

const confirmation = z.object({ paymentIntent: z.object({ status: z.literal("succeeded") }) });
const refusal = z.object({ error: z.object({ code: z.literal("card_declined") }) });

/** Pays in the sandbox with a card that is accepted. @throws Error when it is not */
export async function payByCard(cards: CardDesk, clientSecret: string): Promise<void> {
  confirmation.parse(await pay(cards, clientSecret, {}));
}

/** Tries to pay with a card that is declined. @throws Error when it is not */
export async function payByDeclinedCard(cards: CardDesk, clientSecret: string): Promise<void> {
  refusal.parse(await pay(cards, clientSecret, { number: "4000000000000002" }));
}

async function pay(
  { origin, publishableKey }: CardDesk,
  clientSecret: string,
  card: object,
): Promise<unknown> {
  const answer = await fetch(`${origin}/confirm`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...cardPaymentBody(publishableKey, clientSecret), ...card }),
    signal: AbortSignal.timeout(withinMs),
  });
  return answer.json();
}
