import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, vi } from "vitest";
import { z } from "zod";
import { freePort } from "../../infra/process/free-port.ts";
import { cardPaymentBody, orderBody, variantBody } from "../gateway/request-bodies-fixture.ts";
import { TestBrowser } from "../gateway/test-browser.ts";
import { soon } from "../setup/patience.ts";
import { ownSettings } from "../system/own-settings.ts";

/** A line of the log, parsed. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The product as a separate process, with an operator port. */
export type WatchedProduct = {
  readonly url: string;
  readonly operatorUrl: string;
  readonly cardUrl: string;
  readonly lines: readonly LogLine[];
  /** Its unparsed log output. */
  readonly said: () => string;
  dispose(): Promise<void>;
};

/** Starts it on free ports and temporary folders, with only these environment variables, and collects its log. */
export async function startWatchedProduct(env: Readonly<NodeJS.ProcessEnv>): Promise<WatchedProduct> {
  const folder = mkdtempSync(join(tmpdir(), "certificates-watched-"));
  const [port, cardPort, operatorPort] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, "..", "..", "services", "composition", "processes", "product.ts")],
    {
      ...ownSettings(folder, {
        PORT: String(port),
        SANDBOX_CARD_PORT: String(cardPort),
        HEALTH_PORT: String(operatorPort),
        DATA_DIR: join(folder, "data"),
        KEY_DIR: join(folder, "keys"),
        PURGE_AFTER_SECONDS: "1",
        SWEEP_EVERY_SECONDS: "1",
        SKIP_WEB_BUILD: "1",
        ...env,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const said: string[] = [];
  const lines: LogLine[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      said.push(line);
      if (line.startsWith("{")) lines.push(z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
    });
  await vi.waitFor(() => expect(said.join("\n")).toContain("Ready: "), soon);
  return {
    url: `http://localhost:${port}`,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    cardUrl: `http://127.0.0.1:${cardPort}`,
    lines,
    said: () => said.join("\n"),
    dispose: async () => {
      await end(child);
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

/** An order from the first click to despatch, with the ids of its requests. */
export type WatchedOrder = {
  readonly orderId: string;
  readonly orderNumber: string;
  /** By purpose. */
  readonly requestIds: Readonly<Record<"intent" | "paid" | "submit", string>>;
  /** Including refused attempts: one may have succeeded all the same. */
  readonly allRequestIds: readonly string[];
  /** The browser's id of its last request. */
  readonly clientRequestId: string;
};

const received = z.array(z.object({ key: z.string() }));

/** Places, pays and submits an order, waits until its data is gone, and has the GRO despatch it. */
export async function placeWatchedOrder(product: WatchedProduct): Promise<WatchedOrder> {
  const order = await placePaidOrder(product);
  await seen(product, order.orderId, "purge-application-1-1");
  await despatch(product, order.orderId);
  await seen(product, order.orderId, "fulfil");
  return order;
}

/** Places and pays an order, and asks for its submission. */
export async function placePaidOrder(product: WatchedProduct): Promise<WatchedOrder> {
  const browser = new TestBrowser(product.url);
  const allRequestIds: string[] = [];
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const reply = await browser.post(path, body, headers);
    const requestId = z.string().parse(reply.headers.get("Request-Id"));
    allRequestIds.push(requestId);
    expect([path, reply.status, reply.body]).toEqual([
      path,
      expect.toSatisfy((status) => status < 300),
      reply.body,
    ]);
    return { ...reply, requestId };
  };
  const { id: orderId, orderNumber } = (await post("/api/orders", orderBody())).body;
  await post(`/api/orders/${orderId}/variants`, variantBody());
  const intent = await post("/api/create-payment-intent", { amount: 45, orderId });
  await pay(product, intent.body.clientSecret);
  const paid = await vi.waitFor(() => post(`/api/orders/${orderId}/status`, { status: "Processing" }), soon);
  const clientRequestId = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const submit = await post(`/api/orders/${orderId}/submit`, {}, { "Client-Request-Id": clientRequestId });
  return {
    orderId,
    orderNumber,
    requestIds: { intent: intent.requestId, paid: paid.requestId, submit: submit.requestId },
    allRequestIds,
    clientRequestId,
  };
}

async function pay({ url, cardUrl }: WatchedProduct, clientSecret: string): Promise<void> {
  const { publishableKey } = z
    .object({ publishableKey: z.string() })
    .parse(await (await fetch(`${url}/api/config`)).json());
  const answer = await fetch(`${cardUrl}/confirm`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(cardPaymentBody(publishableKey, clientSecret)),
  });
  expect([answer.status, await answer.json()]).toMatchObject([
    200,
    { paymentIntent: { status: "succeeded" } },
  ]);
}

/** Waits until the log shows that a task of the order was done. */
export const seen = ({ lines }: WatchedProduct, orderId: string, task: string) =>
  vi.waitFor(
    () =>
      expect(lines).toContainEqual(expect.objectContaining({ subjectId: orderId, task, outcome: "done" })),
    soon,
  );

async function despatch({ url }: WatchedProduct, orderId: string): Promise<void> {
  const page = await fetch(`${url}/sandbox/gro`, { headers: { Accept: "application/json" } });
  const key = received.parse(await page.json()).find((one) => one.key.includes(orderId))?.key;
  const answer = await fetch(`${url}/sandbox/gro/notices`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ key, kind: "dispatched" }),
  });
  expect(answer.status).toBeLessThan(300);
}
