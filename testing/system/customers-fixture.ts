import { randomUUID } from "node:crypto";
import { request as ask } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { cardPaymentBody, orderBody, variantBody } from "../gateway/request-bodies-fixture.ts";
import { patienceMs } from "../setup/patience.ts";

/** Acknowledged to a customer: the log must hold it for ever. */
export type Acknowledged = { readonly orderId: string; readonly event: string; readonly position: string };

export type Customers = {
  /** Of every successful command, in order of the answers. */
  readonly journal: readonly Acknowledged[];
  /** Orders that reached the submission request. */
  readonly finished: readonly string[];
  /** Lets each customer finish the current order. @throws the first error of any */
  readonly stop: () => Promise<void>;
};

type Answer = { status: number; position: string; cookies: string[]; body: unknown };
type Customer = { url: string; address: string | undefined; cookies: string[] };

/** Transient statuses: a broken connection, a proxy without a server, a limit. Anything else is an error. */
const passing = new Set([0, 429, 502, 503]);
const repeatForMs = patienceMs;
const pauseMs = 400;

const opened = z.object({ id: z.string() });
const intent = z.object({ clientSecret: z.string() });
const config = z.object({ publishableKey: z.string() });

/**
 * Runs this many customers, each ordering one certificate after another, and repeating unanswered requests under the
 * same key.
 */
export async function startCustomers(url: string, cardUrl: string, howMany: number): Promise<Customers> {
  const journal: Acknowledged[] = [];
  const finished: string[] = [];
  const stopping = new AbortController();
  const { publishableKey } = config.parse(await (await fetch(`${url}/api/config`)).json());
  const pay = payerAt(cardUrl, publishableKey);
  let orders = 0;

  async function order(): Promise<void> {
    orders += 1;
    const customer = { url, address: addressOf(orders), cookies: [] };
    const sent = async (event: string, path: string, body: unknown, orderId?: string) => {
      const answer = await repeated(customer, path, body);
      const id = orderId ?? opened.parse(answer.body).id;
      journal.push({ orderId: id, event, position: answer.position });
      return { id, body: answer.body };
    };
    const { id } = await sent("OrderCreated", "/api/orders", orderBody());
    await sent("VariantAdded", `/api/orders/${id}/variants`, variantBody(), id);
    const asked = await sent(
      "PaymentRequested",
      "/api/create-payment-intent",
      { amount: 45, orderId: id },
      id,
    );
    await pay(intent.parse(asked.body).clientSecret);
    await sent("PaymentConfirmed", `/api/orders/${id}/status`, { status: "Processing" }, id);
    await sent("SubmissionRequested", `/api/orders/${id}/submit`, {}, id);
    finished.push(id);
  }

  const running = Promise.all(
    Array.from({ length: howMany }, async () => {
      while (!stopping.signal.aborted) {
        await order();
        await delay(pauseMs);
      }
    }),
  );
  running.catch(() => undefined); // `stop` reports it.
  return {
    journal,
    finished,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Requests are limited by address: each order comes from another one, if the machine has several. */
const addressOf = (number: number): string | undefined =>
  process.platform === "linux" ? `127.0.${1 + (number >> 7)}.${1 + (number & 127)}` : undefined;

async function repeated(customer: Customer, path: string, body: unknown): Promise<Answer> {
  const key = randomUUID();
  const deadline = Date.now() + repeatForMs;
  for (;;) {
    const answer = await post(customer, path, body, key);
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (!passing.has(answer.status) || Date.now() > deadline)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    await delay(100);
  }
}

/** Status 0 means no answer. */
function post(customer: Customer, path: string, body: unknown, key: string): Promise<Answer> {
  const { url, address, cookies } = customer;
  return new Promise((done) => {
    const nothing = (error: Error) => done({ status: 0, position: "", cookies: [], body: error.message });
    const request = ask(url + path, {
      method: "POST",
      ...(address !== undefined && { localAddress: address, family: 4 }),
      agent: false,
      headers: { "content-type": "application/json", "idempotency-key": key, cookie: cookies.join("; ") },
    });
    request.on("error", nothing);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("error", nothing);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const given = (response.headers["set-cookie"] ?? []).map((line) => line.split(";")[0] ?? "");
        cookies.push(...given);
        done({
          status: response.statusCode ?? 0,
          position: String(response.headers.position ?? ""),
          cookies: given,
          body: text === "" ? undefined : JSON.parse(text),
        });
      });
    });
    request.end(JSON.stringify(body));
  });
}

function payerAt(cardUrl: string, publishableKey: string) {
  return async (clientSecret: string): Promise<void> => {
    const answer = await fetch(`${cardUrl}/confirm`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(cardPaymentBody(publishableKey, clientSecret)),
    });
    if (!answer.ok) throw new Error(`The card was not accepted: ${await answer.text()}`);
  };
}
