import { mkdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { Router } from "express";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OrderLookup } from "../../projections/orders/order-lookup.ts";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import {
  startTestGateway,
  type TestGateway,
  type TestOptions,
} from "../../testing/gateway/gateway-fixture.ts";
import { orderBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { noOrders } from "../../testing/projections/read-model-fixture.ts";
import { temporaryFolder } from "../../testing/setup/temporary-folder.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";
import { stripeOrigins } from "./security-headers.ts";

const nothingThere: TestOptions["queries"] = noOrders;

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(options: Partial<TestOptions> = {}): Promise<TestBrowser> {
  gateway = await startTestGateway({
    store: createMemoryEventStore(),
    vault: createMemoryVault(),
    queries: nothingThere,
    waitFor: async () => true,
    ...options,
  });
  return new TestBrowser(gateway.url);
}

const isEmpty = async () => (await gateway.store.readAll("", 1)).length === 0;

/** A request whose Host header is chosen, which fetch does not allow. */
function rawPost(path: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(gateway.url + path, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("Every answer", () => {
  test.each(["/", "/api/config", "/api/nowhere", "/healthz"])(
    "of %s carries the security headers",
    async (path) => {
      const { headers } = await (await start()).get(path);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("font-src 'self';");
      expect(policy).toContain("frame-src http://localhost:3001;");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|data:|\*/);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Permissions-Policy")).toBe("camera=(), geolocation=(), microphone=()");
      expect(headers.get("X-Powered-By")).toBeNull();
      expect(headers.get("Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get("Strict-Transport-Security")).toBeNull();
    },
  );

  test("carries the same ones, whatever its kind, and whether it sets a cookie or is refused", async () => {
    const browser = await start({ waitFor: async () => false });
    const ofAnswers = await Promise.all([
      browser.get("/"),
      browser.get("/api/config"),
      browser.get("/api/config", { "Read-After": "1" }),
      browser.post("/api/orders", orderBody()),
      browser.post("/api/orders/lookup", { orderNumber: "0000-0000-00000" }),
      browser.get("/api/me", { Authorization: "Bearer unknown" }),
    ]);
    const [ofPage = [], ...ofOthers] = ofAnswers.map(({ headers }) =>
      [...headers].filter(([name]) =>
        /^(permissions|cross-origin|content-security|origin|referrer|x-)/.test(name),
      ),
    );
    expect(ofPage.length).toBeGreaterThanOrEqual(11);
    for (const headers of ofOthers) expect(headers).toEqual(ofPage);
    expect(ofAnswers.map(({ headers }) => headers.get("Stale"))).toContain("true");
    expect(ofAnswers.map(({ headers }) => headers.getSetCookie().length)).toContain(1);
    expect(new Set(ofAnswers.map(({ headers }) => headers.get("Request-Id"))).size).toBe(ofAnswers.length);
  });

  test("under https asks for https from then on, and allows the real provider's hosts alone", async () => {
    const browser = await start({ publicUrl: "https://certificates.example", foreignOrigins: stripeOrigins });
    const { headers } = await browser.get("/");
    expect(headers.get("Strict-Transport-Security")).toContain("max-age=31536000");
    expect(headers.get("Content-Security-Policy")).toContain(
      "script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
    );
  });

  test.each(["http://localhost:3000", "https://certificates.example"])(
    "that opens an order at %s sets a cookie scripts cannot read",
    async (publicUrl) => {
      const browser = await start({ publicUrl });
      const { headers, body } = await browser.post("/api/orders", orderBody());
      const [cookie = ""] = headers.getSetCookie();
      const secure = publicUrl.startsWith("https:");
      expect(cookie).toContain(`${secure ? "__Host-" : ""}order-${body.id}=`);
      expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax(; Secure)?$/);
      expect(cookie.includes("; Secure")).toBe(secure);
      expect(cookie).not.toContain("Domain");
    },
  );
});

describe("A request from another site", () => {
  test.each<[string, Record<string, string>, number]>([
    ["another origin", { Origin: "https://evil.example" }, 403],
    ["the origin null", { Origin: "null" }, 403],
    ["our name on another port", { Origin: "http://localhost:4000" }, 403],
    ["no origin, but from another site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["our origin", { Origin: "http://localhost:3000" }, 201],
    ["our origin by its loopback address", { Origin: "http://127.0.0.1:3000" }, 201],
    ["no origin, as programs send none", {}, 201],
  ])("with %s", async (_, headers, status) => {
    const browser = await start();
    const reply = await browser.post("/api/orders", orderBody(), headers);
    expect(reply.status).toBe(status);
    expect(await isEmpty()).toBe(status === 403);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "as %s, the types a form can send, is refused",
    async (type) => {
      const browser = await start();
      const reply = await browser.post("/api/orders", orderBody(), { "Content-Type": type });
      expect(reply.status).toBe(415);
      expect(await isEmpty()).toBe(true);
    },
  );
});

describe("A body", () => {
  test("that is too large is refused", async () => {
    const browser = await start();
    const reply = await browser.post("/api/orders", orderBody({ signature: "x".repeat(65 * 1024) }));
    expect(reply.status).toBe(413);
    expect(reply.body.code).toBe("body-too-large");
  });

  test("in a compression that is a bomb or unknown is refused", async () => {
    const browser = await start();
    const reply = await browser.post("/api/orders", orderBody(), { "Content-Encoding": "rot13" });
    expect(reply.status).toBe(415);
  });
});

describe("Too many requests", () => {
  test("are answered 429 with the seconds to wait, each kind of route by itself", async () => {
    const browser = await start({ limits: { lookups: 2 } });
    const ask = () => browser.post("/api/orders/lookup", { orderNumber: "0000-0000-00000" });
    expect([(await ask()).status, (await ask()).status]).toEqual([404, 404]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("too-many-requests");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await browser.get("/api/config")).status).toBe(200);
  });

  test("of another address do not count, where a proxy of ours names addresses", async () => {
    const browser = await start({ limits: { reads: 1 }, trustProxy: true });
    const from = (address: string) => browser.get("/api/config", { "X-Forwarded-For": address });
    expect((await from("192.0.2.1")).status).toBe(200);
    expect((await from("192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.2")).status).toBe(200);
  });

  test("of one IPv6 network count together", async () => {
    const browser = await start({ limits: { reads: 1 }, trustProxy: true });
    const from = (address: string) => browser.get("/api/config", { "X-Forwarded-For": address });
    expect((await from("2001:db8:1:1::1")).status).toBe(200);
    expect((await from("2001:db8:1:1:ffff::2")).status).toBe(429);
    expect((await from("2001:db8:1:2::1")).status).toBe(200);
  });

  test("of one address count together, whatever port or text the proxy adds", async () => {
    const browser = await start({ limits: { reads: 1 }, trustProxy: true });
    const from = (address: string) => browser.get("/api/config", { "X-Forwarded-For": address });
    expect((await from("192.0.2.1:50312")).status).toBe(200);
    expect((await from("192.0.2.1:50313")).status).toBe(429);
    expect((await from("unknown-1")).status).toBe(200);
    expect((await from("unknown-2")).status).toBe(429);
  });

  test("cannot be disguised by naming an address where there is no proxy", async () => {
    const browser = await start({ limits: { reads: 1 } });
    const from = (address: string) => browser.get("/api/config", { "X-Forwarded-For": address });
    expect((await from("192.0.2.1")).status).toBe(200);
    expect((await from("192.0.2.2")).status).toBe(429);
  });
});

describe("An address of the API", () => {
  test("that there is not is a problem, never a page", async () => {
    const { status, headers, body } = await (await start()).get("/api/nowhere");
    expect(status).toBe(404);
    expect(headers.get("Content-Type")).toContain("application/problem+json");
    expect(body).toMatchObject({ type: "about:blank", status: 404, code: "not-found" });
  });

  test("with another method names the one it takes", async () => {
    const { status, headers } = await (await start()).get("/api/create-payment-intent");
    expect([status, headers.get("Allow")]).toEqual([405, "POST"]);
  });

  test("that cannot be decoded is malformed", async () => {
    expect((await (await start()).get("/api/orders/lookup/%zz")).status).toBe(400);
  });
});

describe("A fault of our own", () => {
  test("is answered without a word of it, and logged by name and place", async () => {
    const browser = await start({
      queries: {
        ...nothingThere,
        lookup: async () => {
          throw new TypeError("sentinel: jo@post.example");
        },
      },
    });
    const reply = await browser.post("/api/orders/lookup", { orderNumber: "0000-0000-00000" });
    expect(reply.status).toBe(500);
    expect(reply.body.code).toBe("internal-error");
    expect(JSON.stringify(reply.body)).not.toContain("sentinel");
    const lines = gateway.logLines.join("");
    expect(lines).toContain("TypeError");
    expect(lines).toContain(reply.headers.get("Request-Id") ?? "no id");
    expect(lines).not.toContain("sentinel");
  });
});

describe("The log", () => {
  test("names a request by its route and never by what was asked", async () => {
    const browser = await start();
    await browser.get("/api/orders/lookup/7K3M-9QXT-2BWHD?key=sentinel");
    await browser.post("/api/orders", orderBody());
    await expect.poll(() => gateway.logLines).toHaveLength(2);
    const [line = ""] = gateway.logLines;
    expect(JSON.parse(line)).toMatchObject({
      method: "GET",
      route: "/api/orders/lookup/:orderNumber",
      status: 404,
      hint: "none",
    });
    const lines = gateway.logLines.join("");
    for (const asked of ["7K3M", "sentinel", "Rhys", "post.example"]) expect(lines).not.toContain(asked);
  });

  test("has what the browser called its request beside our own id, and takes nothing there but a UUID", async () => {
    const browser = await start();
    const theirs = "0f8fad5b-d9cb-469f-a165-70867728950e";
    const { headers } = await browser.get("/api/config", { "Client-Request-Id": theirs });
    await browser.get("/api/config", { "Client-Request-Id": "sian.rhys@post.example" });
    await browser.get("/api/config", { "Request-Id": theirs });
    await expect.poll(() => gateway.logLines).toHaveLength(3);
    const [first, ...others] = gateway.logLines.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ clientRequestId: theirs, requestId: headers.get("Request-Id") });
    expect(first.requestId).not.toBe(theirs);
    for (const line of others) {
      expect(line).not.toHaveProperty("clientRequestId");
      expect(JSON.stringify(line)).not.toMatch(/post\.example|70867728950e/);
    }
  });
});

describe("Reading one's own write", () => {
  test("waits for the position, and says when it waited in vain", async () => {
    const asked: [string, number][] = [];
    const browser = await start({
      waitFor: async (position, timeoutMs) => {
        asked.push([position, timeoutMs]);
        return position === "0001";
      },
    });
    const fresh = await browser.get("/api/config", { "Read-After": "0001" });
    expect(fresh.headers.get("Stale")).toBeNull();
    const stale = await browser.get("/api/config", { "Read-After": "0002" });
    expect(stale.headers.get("Stale")).toBe("true");
    await browser.get("/api/config", { "Read-After": "no position at all!" });
    await browser.post("/api/orders", orderBody(), { "Read-After": "0003" });
    expect(asked).toEqual([
      ["0001", 1000],
      ["0002", 1000],
    ]);
  });

  test("does not wait to be refused", async () => {
    const waitFor = vi.fn(async () => true);
    const browser = await start({ waitFor });
    const ask = (path: string, body: object) => browser.post(path, body, { "Read-After": "0001" });
    expect((await ask("/api/tickets/view", { x: [] })).status).toBe(422);
    expect((await ask("/api/admin/customers/search", { text: "Rhys" })).status).toBe(401);
    expect(waitFor).not.toHaveBeenCalled();
  });
});

describe("An order that was made a moment ago", () => {
  const order: OrderLookup = {
    orderId: "0f1e2d3c-0000-4000-8000-000000000000",
    orderNumber: "0000-0000-00000",
    reference: "REF-2026-7",
    status: "Pending",
    phase: "Opened",
    createdAt: "2026-11-21T09:00:00.000Z",
    updatedAt: "2026-11-21T09:00:00.000Z",
    totalPence: 4500,
    items: [],
    statusHistory: [],
    promise: null,
    receipt: null,
    cancellable: true,
    cancellationRequested: false,
    unreachedBy: null,
    certificateType: null,
    amendable: false,
    question: false,
    leftGroAt: null,
    arrivedAt: null,
    arrivalReportable: false,
    questionRef: null,
    contactRef: null,
    checkoutId: null,
  };

  test("is found, although the read model learns of it only now", async () => {
    let folded = false;
    const browser = await start({
      queries: { ...nothingThere, lookup: async () => (folded ? order : undefined) },
      waitFor: async () => {
        folded = true;
        return true;
      },
    });
    const reply = await browser.post("/api/orders/lookup", { orderNumber: order.orderNumber });
    expect([reply.status, reply.body.total]).toEqual([200, 45]);
  });

  test("is not waited for when the number is none, so that guessing costs us nothing", async () => {
    const waitFor = vi.fn(async () => true);
    const browser = await start({ waitFor });
    expect((await browser.post("/api/orders/lookup", { orderNumber: "0000-0000-00001" })).status).toBe(404);
    expect(waitFor).not.toHaveBeenCalled();
  });
});

describe("The web app", () => {
  function webFolder(): string {
    const folder = temporaryFolder("built");
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>app</title>");
    writeFileSync(join(folder, "favicon.svg"), "<svg/>");
    writeFileSync(join(folder, "assets", "app-abc123.js"), "export {};");
    return folder;
  }

  test("is served: hashed assets for ever, pages asked for anew, and only pages for unknown addresses", async () => {
    const folder = webFolder();
    const browser = await start({ webFolder: folder });
    const cacheOf = async (path: string) => {
      const { status, headers } = await browser.get(path, { Accept: "text/html" });
      return [status, headers.get("Cache-Control")];
    };
    expect(await cacheOf("/assets/app-abc123.js")).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(await cacheOf("/favicon.svg")).toEqual([200, "no-cache"]);
    expect(await cacheOf("/")).toEqual([200, "no-cache"]);
    expect(await cacheOf("/order-confirmation?orderNumber=7")).toEqual([200, "no-cache"]);
    expect(await cacheOf("/assets/gone-000000.js")).toEqual([404, "no-store"]);
    expect(await cacheOf("/favicon.png")).toEqual([404, "no-store"]);
    expect(await cacheOf("/sandbox/mail")).toEqual([404, "no-store"]);
  });

  test("never leaves its folder", async () => {
    const browser = await start();
    expect((await browser.get("/assets/..%2f..%2fetc%2fpasswd")).status).toBe(404);
  });
});

describe("Health", () => {
  test("of the process is there as long as it answers", async () => {
    expect((await (await start()).get("/healthz")).body).toEqual({ status: "ok" });
  });

  test("says ready only when every part is, and names what is not", async () => {
    let problem: string | undefined = "is stopped at position 7";
    const browser = await start({
      readiness: [
        { name: "orders", check: async () => problem },
        { name: "database", check: async () => undefined },
      ],
    });
    const red = await browser.get("/readyz");
    expect(red.status).toBe(503);
    expect(red.body.problems).toEqual([{ name: "orders", problem: "is stopped at position 7" }]);
    problem = undefined;
    expect((await browser.get("/readyz")).status).toBe(200);
  });

  test("takes no requests before it was ready once, and goes on when a part fails that all gateways share", async () => {
    const problems: Record<string, string | undefined> = { database: "starts", keys: undefined };
    const browser = await start({
      readiness: [
        { name: "database", shared: true, check: async () => problems.database },
        { name: "keys", check: async () => problems.keys },
        { name: "redis", degrades: true, check: async () => "does not answer" },
      ],
    });
    const statusOf = async (path: string) => (await browser.get(path)).status;
    expect(await statusOf("/readyz/traffic")).toBe(503);
    problems.database = undefined;
    expect(await statusOf("/readyz/traffic")).toBe(200);
    problems.database = "does not answer";
    expect([await statusOf("/readyz"), await statusOf("/readyz/traffic")]).toEqual([503, 200]);
    problems.keys = "KEY_DIR cannot be written to";
    expect(await statusOf("/readyz/traffic")).toBe(503);
    problems.keys = undefined;
    expect(await statusOf("/readyz/traffic")).toBe(200);
  });

  test("counts a check that throws as a problem, and keeps its words to itself", async () => {
    const check = async () => {
      throw new RangeError("postgres://user:secret@host");
    };
    const reply = await (await start({ readiness: [{ name: "database", check }] })).get("/readyz");
    expect(reply.body.problems).toEqual([{ name: "database", problem: "failed (RangeError)" }]);
  });
});

describe("Stopping", () => {
  test("finishes what was begun and takes nothing new", async () => {
    let finish: (caughtUp: boolean) => void = () => undefined;
    const waiting = vi.fn(() => new Promise<boolean>((resolve) => (finish = resolve)));
    const browser = await start({ waitFor: waiting });
    const begun = browser.get("/api/config", { "Read-After": "0001" });
    await expect.poll(() => waiting).toHaveBeenCalled();
    const closed = gateway.close();
    await expect(browser.get("/healthz")).rejects.toThrow();
    finish(true);
    expect((await begun).status).toBe(200);
    await closed;
  });
});

describe("The sandbox's sign-in", () => {
  const signIn = { username: "mo", role: "manager" };

  test("gives a token to this machine", async () => {
    const browser = await start({ sandboxRoutes: Router() });
    const headers = { "Content-Type": "application/json", Host: "localhost:3000" };
    expect(await rawPost("/sandbox/identity/token", headers, JSON.stringify(signIn))).toBe(200);
    expect((await browser.get("/sandbox/nowhere")).status).toBe(404);
  });

  test("is not there where the world is real", async () => {
    await start();
    const headers = { "Content-Type": "application/json", Host: "localhost:3000" };
    expect(await rawPost("/sandbox/identity/token", headers, JSON.stringify(signIn))).toBe(404);
  });
});
