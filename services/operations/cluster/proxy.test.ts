import { once } from "node:events";
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { soon } from "../../../testing/setup/patience.ts";
import { type Gateways, startProxy, type Upstream, watchGateways } from "./proxy.ts";

type Reply = { status: number; headers: IncomingMessage["headers"]; text: string };

let closing: AsyncDisposableStack;
beforeEach(() => {
  closing = new AsyncDisposableStack();
});
afterEach(() => closing.disposeAsync());

/** A gateway with a scripted answer that records its requests. */
async function upstream(listener: RequestListener): Promise<Upstream & { server: Server; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: "127.0.0.1", port: portOf(server), server, asked };
}

const portOf = (server: Server): number => {
  const address: AddressInfo | string | null = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
};

async function closedUpstream(): Promise<Upstream> {
  const { server, ...gone } = await upstream((_request, response) => response.end());
  server.close();
  await once(server, "close");
  return { host: gone.host, port: gone.port };
}

async function proxyTo(all: readonly Upstream[], sandbox?: Upstream) {
  const failed: Upstream[] = [];
  const gateways: Gateways = {
    inTurn: () => all,
    failed: (one) => void failed.push(one),
    stop: async () => undefined,
  };
  const proxy = await startProxy({ gateways, sandbox }, "127.0.0.1", 0);
  closing.defer(() => proxy.close());
  return { ...proxy, failed };
}

type Question = { method?: string; path?: string; headers?: Record<string, string>; body?: string };

async function send(proxy: { port: number }, question: Question = {}): Promise<Reply> {
  const { method = "GET", path = "/", headers = {}, body } = question;
  const request = ask({ host: "127.0.0.1", port: proxy.port, method, path, headers, agent: false });
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("There was no answer.");
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const echo: RequestListener = (request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => {
    body += chunk;
  });
  request.on("end", () => {
    response.setHeader("Set-Cookie", ["one=1", "two=2"]);
    response.end(
      JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }),
    );
  });
};
const hangUp: RequestListener = (request) => void request.socket.destroy();

describe("a request", () => {
  it("is passed on unchanged, and so is its answer", async () => {
    const proxy = await proxyTo([await upstream(echo)]);
    const headers = { host: "orders.example", "content-type": "text/plain", "idempotency-key": "k" };
    const reply = await send(proxy, { method: "POST", path: "/api/orders?a=%20b", headers, body: "Siân" });
    expect(JSON.parse(reply.text)).toMatchObject({
      method: "POST",
      url: "/api/orders?a=%20b",
      body: "Siân",
      headers: { host: "orders.example", "idempotency-key": "k" },
    });
    expect(reply.headers["set-cookie"]).toEqual(["one=1", "two=2"]);
  });

  it("carries its real origin, whatever its headers claim", async () => {
    const proxy = await proxyTo([await upstream(echo)]);
    const forged = {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "evil.example",
      forwarded: "for=1",
    };
    const { headers } = JSON.parse((await send(proxy, { headers: forged })).text);
    expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" });
    expect(headers).not.toHaveProperty("x-forwarded-host");
    expect(headers).not.toHaveProperty("forwarded");
  });

  it("for the sandbox arrives as local, keeping the headers of proxies it came through", async () => {
    const [gateway, sandbox] = [await upstream(echo), await upstream(echo)];
    const proxy = await proxyTo([gateway], sandbox);
    const { headers } = JSON.parse((await send(proxy, { path: "/sandbox/mail" })).text);
    expect(headers).not.toHaveProperty("x-forwarded-for");
    const through = await send(proxy, {
      path: "/sandbox/gro",
      headers: { "x-forwarded-for": "203.0.113.9" },
    });
    expect(JSON.parse(through.text).headers).toHaveProperty("x-forwarded-for", "203.0.113.9");
    await send(proxy, { path: "/sandbox/identity/persons" });
    expect([sandbox.asked, gateway.asked]).toEqual([
      ["GET /sandbox/mail", "GET /sandbox/gro"],
      ["GET /sandbox/identity/persons"],
    ]);
  });
});

describe("a dying gateway", () => {
  it("is replaced by another during a GET", async () => {
    const [dying, other] = [await upstream(hangUp), await upstream(echo)];
    const proxy = await proxyTo([dying, other]);
    expect((await send(proxy)).status).toBe(200);
    expect(proxy.failed).toEqual([dying]);
  });

  it("is not replaced during a POST, whose outcome is unknown", async () => {
    const [dying, other] = [await upstream(hangUp), await upstream(echo)];
    const reply = await send(await proxyTo([dying, other]), { method: "POST", body: "{}" });
    expect(reply.status).toBe(502);
    expect(other.asked).toEqual([]);
  });

  it("is not replaced during a GET with a body, part of which was sent", async () => {
    const [dying, other] = [await upstream(hangUp), await upstream(echo)];
    const withBody = { body: "{}", headers: { "content-length": "2" } };
    expect((await send(await proxyTo([dying, other]), withBody)).status).toBe(502);
    expect(other.asked).toEqual([]);
  });

  it("is replaced before a POST, with its body: nothing was sent", async () => {
    const other = await upstream(echo);
    const reply = await send(await proxyTo([await closedUpstream(), other]), {
      method: "POST",
      body: "whole",
    });
    expect(JSON.parse(reply.text).body).toBe("whole");
  });

  it("truncates a partial answer, and never joins two", async () => {
    const dying = await upstream((_request, response) => {
      response.write("half");
      setImmediate(() => response.destroy());
    });
    const other = await upstream(echo);
    await expect(send(await proxyTo([dying, other]))).rejects.toThrow("aborted");
    expect(other.asked).toEqual([]);
  });

  it("leaves a refusal with Retry-After if it was the last one", async () => {
    const reply = await send(await proxyTo([await closedUpstream()]));
    expect([reply.status, reply.headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(reply.text)).toMatchObject({ title: "Service Unavailable", status: 503 });
  });
});

it("forwards each event of a stream at once, and the end when the client leaves", async () => {
  const left = vi.fn();
  let say = (_words: string): void => undefined;
  const gateway = await upstream((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    say = (words) => void response.write(words);
    response.on("close", left);
  });
  const proxy = await proxyTo([gateway]);
  const request = ask({ host: "127.0.0.1", port: proxy.port, agent: false }).end();
  request.on("error", () => undefined); // The test itself disconnects.
  const [response]: IncomingMessage[] = await once(request, "response");
  for (const event of ["data: one\n\n", "data: two\n\n"]) {
    say(event);
    const [chunk] = await once(response ?? request, "data");
    expect(String(chunk)).toBe(event);
  }
  request.destroy();
  await vi.waitFor(() => expect(left).toHaveBeenCalled(), soon);
});

it("uses only ready gateways, in rotation", async () => {
  let isReady = false;
  const late = await upstream((_request, response) => void response.writeHead(isReady ? 200 : 503).end());
  const early = await upstream((_request, response) => void response.end());
  const gateways = watchGateways([late, early]);
  closing.defer(() => gateways.stop());
  await vi.waitFor(() => expect(gateways.inTurn()).toEqual([early]), soon);
  isReady = true;
  await vi.waitFor(() => expect(gateways.inTurn()).toHaveLength(2), soon);
  expect(gateways.inTurn()[0]).not.toBe(gateways.inTurn()[0]);
  gateways.failed(late);
  expect(gateways.inTurn()).toEqual([early]);
});
