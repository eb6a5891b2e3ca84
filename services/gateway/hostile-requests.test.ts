import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { text as wholeText } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { Router } from "express";
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import {
  startTestGateway,
  type TestGateway,
  type TestOptions,
} from "../../testing/gateway/gateway-fixture.ts";
import { orderBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { noOrders } from "../../testing/projections/read-model-fixture.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(options: Partial<TestOptions> = {}): Promise<TestBrowser> {
  gateway = await startTestGateway({
    store: createMemoryEventStore(),
    vault: createMemoryVault(),
    queries: noOrders,
    waitFor: async () => true,
    ...options,
  });
  return new TestBrowser(gateway.url);
}

const isEmpty = async () => (await gateway.store.readAll("", 1)).length === 0;

async function postBytes(body: Uint8Array<ArrayBuffer>, type = "application/json"): Promise<number> {
  const headers = { "Content-Type": type };
  const { status } = await fetch(`${gateway.url}/api/orders`, { method: "POST", headers, body });
  return status;
}

/** As other programs send bodies, which browsers never do. */
function postAs(headers: Record<string, string>, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = { "Content-Type": "application/json", ...headers };
    const sent = httpRequest(`${gateway.url}/api/orders`, { method: "POST", headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("The bytes of a body", () => {
  const text = JSON.stringify(orderBody({ companyName: "Caffi Ŵyn" }));
  const utf8 = new TextEncoder().encode(text);

  test("that are UTF-8 are taken, with a byte order mark too", async () => {
    await start();
    expect(await postBytes(utf8, 'application/json; charset="UTF-8"')).toBe(201);
    expect(await postBytes(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]))).toBe(201);
  });

  test("that are no UTF-8 are refused: nothing else may stand in the place of what was typed", async () => {
    await start();
    const broken = utf8.map((byte) => (byte === 0xc5 ? 0xff : byte));
    expect(await postBytes(broken)).toBe(400);
    expect(await isEmpty()).toBe(true);
  });

  test("are taken in chunks and compressed as well", async () => {
    await start();
    expect(await postAs({ "Transfer-Encoding": "chunked" }, utf8)).toBe(201);
    expect(await postAs({ "Content-Encoding": "gzip" }, gzipSync(utf8))).toBe(201);
  });

  test.each([
    ["with the headers", [0]],
    ["after them", [0, 1]],
    ["in pieces", [0, 1, 500, 501]],
  ])("are taken whole when they come %s", async (_, cuts) => {
    await start();
    const head = Buffer.from(
      `POST /api/orders HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${utf8.length}\r\n\r\n`,
    );
    const bytes = Buffer.concat([head, utf8]);
    const places = cuts.map((cut) => (cut === 0 ? 0 : head.length + cut - 1));
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1").setNoDelay();
    const answer = wholeText(socket);
    for (const [nth, place] of places.entries()) {
      const piece = bytes.subarray(place, places[nth + 1]);
      await new Promise<void>((done) => socket.write(piece, () => setImmediate(done)));
    }
    expect(await answer).toMatch(/^HTTP\/1.1 201 /);
  });

  test("that stop half-way are no fault of ours, and change nothing", async () => {
    await start();
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    const head = `Host: localhost\r\nContent-Type: application/json\r\nContent-Length: ${utf8.length}`;
    socket.write(`POST /api/orders HTTP/1.1\r\n${head}\r\n\r\n${text.slice(0, 20)}`, () => socket.end());
    await expect.poll(() => gateway.logLines.join()).toContain('"aborted":true');
    expect(gateway.logLines.join()).not.toContain('"fault"');
    expect(await isEmpty()).toBe(true);
  });

  test.each(["utf-16le", "utf-7", "iso-8859-1", "utf-8; charset=utf-7"])(
    "that say they are %s are refused, whatever they are",
    async (charset) => {
      await start();
      expect(await postBytes(utf8, `application/json; charset=${charset}`)).toBe(415);
      expect(await isEmpty()).toBe(true);
    },
  );

  test("may not hide half a character in the JSON inside a string", async () => {
    const browser = await start();
    const contactAddress = orderBody().contactAddress.replace("Aberystwyth", "\\ud800");
    for (const headers of [{}, { "Idempotency-Key": "0f1e2d3c-0000-4000-8000-000000000001" }]) {
      expect((await browser.post("/api/orders", orderBody({ contactAddress }), headers)).status).toBe(400);
    }
    expect(await isEmpty()).toBe(true);
  });
});

describe("A request that names what its sender has", () => {
  test.each(["*", '"any"'])("is answered in full all the same: %s", async (tag) => {
    const browser = await start();
    const reply = await browser.get("/api/config", { "If-None-Match": tag });
    expect(reply.status).toBe(200);
    expect(reply.body).toHaveProperty("termsVersion");
  });
});

describe("The address of a route", () => {
  test.each(["/api/orders/", "/API/orders", "/api/orders?from=mail"])(
    "is known in another spelling: %s",
    async (path) => {
      const browser = await start();
      expect((await browser.post(path, orderBody())).status).toBe(201);
    },
  );
});

describe("An address that is no route", () => {
  test.each(["PUT", "POST", "DELETE", "PATCH"])("is a problem for %s too, never a page", async (method) => {
    await start();
    const reply = await fetch(`${gateway.url}/<script>`, { method });
    expect(reply.status).toBe(404);
    expect(reply.headers.get("Content-Type")).toContain("application/problem+json");
    expect(await reply.text()).not.toContain("script");
  });
});

describe("The list of orders", () => {
  const id = "0f1e2d3c-0000-4000-8000-000000000000";
  const cursor = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const at = "2026-11-21T09:00:00.000Z";
  test.each([
    [`after=${cursor("created", at, "not-an-id")}`, 422],
    [`after=${cursor("created", "2026-02-31T09:00:00.000Z", id)}`, 422],
    [`after=${cursor("created", "0000-01-01T09:00:00.000Z", id)}`, 422],
    [`after=${cursor("created", "2026-11-21T24:00:00.000Z", id)}`, 422],
    [`after=${cursor("created", at, id, id)}`, 422],
    [`after=${cursor("updated", at, id)}`, 422],
    [`after=${cursor("created", 4, id)}`, 422],
    ["after=bm8ganNvbg", 422],
    [`after=${cursor("created", at, id)}`, 200],
    [`before=${cursor("created", at, id)}`, 200],
    [`after=${cursor("total", 4500, id)}&sort=total`, 200],
    [`after=${cursor("total", 1e12, id)}&sort=total`, 422],
    [`after=${cursor("despatch", "9999-12-31", id)}&sort=despatch`, 200],
    [`after=${cursor("paid", "9999-12-31T00:00:00.000Z", id)}&sort=paid`, 200],
    ["createdFrom=2026-02-31", 422],
    ["createdFrom=2026-01-01", 200],
    ["createdFrom=2026-01-01&sort=total", 422],
    ["createdFrom=2026-01-01&createdTo=2026-01-31&sort=total", 200],
    ["paidFrom=2026-01-01&paidTo=2026-03-31", 422],
    ["paidFrom=2026-01-01&paidTo=2026-03-31&sort=paid", 200],
    ["status=Pending,Failed", 200],
    ["type=House", 422],
    ["queue=none", 422],
    ["duplicates=recent", 200],
    ["duplicates=all", 422],
    ["sort=name", 422],
    ["limit=0x10", 422],
    ["limit=1e2", 422],
    ["limit=20", 200],
    ["status=Pending&status=Failed", 422],
  ])("asked for by %s answers %i", async (query, status) => {
    const browser = await start();
    const headers = { Authorization: `Bearer ${await gateway.token("manager")}` };
    const reply = await browser.get(`/api/admin/orders?${query}`, headers);
    expect(reply.status).toBe(status);
    const [field = ""] = query.split("=");
    if (status === 422) expect(Object.keys(reply.body.errors)).toEqual([field]);
  });
});

describe("A flood of questions whether all is ready", () => {
  test("costs one look at a time", async () => {
    let looks = 0;
    let finish: () => void = () => undefined;
    const check = () => {
      looks++;
      return new Promise<undefined>((resolve) => {
        finish = () => resolve(undefined);
      });
    };
    await start({ readiness: [{ name: "database", check }] });
    // In one packet, so that all have been asked once the first look has begun.
    const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
    });
    socket.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(20));
    await expect.poll(() => looks).toBe(1);
    finish();
    await expect.poll(() => received.match(/200 OK/g)?.length).toBe(20);
    expect(looks).toBe(1);
    socket.destroy();
  });
});

describe("The sandbox's sign-in", () => {
  const signIn = JSON.stringify({ username: "mo", role: "manager" });
  const ask = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const all = { "Content-Type": "application/json", Host: "localhost:3000", ...headers };
      const options = { method: "POST", headers: all };
      const sent = httpRequest(`${gateway.url}/sandbox/identity/token`, options, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.once("error", reject);
      sent.end(signIn);
    });

  test.each<[string, number, Record<string, string>]>([
    ["this machine", 200, {}],
    ["this machine by its address", 200, { Host: "127.0.0.1:3000" }],
    ["a proxy", 403, { "X-Forwarded-For": "127.0.0.1" }],
    ["a proxy of the newer kind", 403, { Forwarded: "for=127.0.0.1" }],
    ["a proxy that names itself", 403, { Via: "1.1 proxy" }],
    ["a proxy that names its client", 403, { "X-Real-IP": "127.0.0.1" }],
    ["a proxy that names the site", 403, { "X-Forwarded-Host": "shop.example" }],
    ["a proxy that ends TLS", 403, { "X-Forwarded-Proto": "https" }],
    ["another name", 403, { Host: "evil.example" }],
    ["a name that hides another", 403, { Host: "evil.example@localhost:3000" }],
    ["no name at all", 403, { Host: "%" }],
    ["another site's page", 403, { Origin: "https://evil.example" }],
  ])("answers %s with %i", async (_, status, headers) => {
    await start({ sandboxRoutes: Router() });
    expect(await ask(headers)).toBe(status);
  });
});
