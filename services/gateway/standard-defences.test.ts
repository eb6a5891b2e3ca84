import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { createMemoryEventStore } from "../../testing/event-store/memory-event-store.ts";
import { startTestGateway, type TestGateway } from "../../testing/gateway/gateway-fixture.ts";
import { orderBody } from "../../testing/gateway/request-bodies-fixture.ts";
import { TestBrowser } from "../../testing/gateway/test-browser.ts";
import { noOrders } from "../../testing/projections/read-model-fixture.ts";
import { createMemoryVault } from "../../testing/vault/memory-vault.ts";

// Defences that docs/security-asvs.md names and that no other test shows.

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(): Promise<TestBrowser> {
  gateway = await startTestGateway({
    store: createMemoryEventStore(),
    vault: createMemoryVault(),
    queries: noOrders,
    waitFor: async () => true,
  });
  return new TestBrowser(gateway.url);
}

/** The answer to bytes that no HTTP client would send. */
async function answerTo(request: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  socket.write(request);
  return text(socket);
}

describe("A page of another site", () => {
  test.each(["https://elsewhere.example", "null", "http://localhost:3000"])(
    "may read no answer: %s is allowed nothing",
    async (origin) => {
      const browser = await start();
      for (const path of ["/api/config", "/api/me", "/"]) {
        const { headers } = await browser.get(path, { Origin: origin });
        expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
      }
      const asked = await fetch(`${gateway.url}/api/orders`, {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
      expect([...asked.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    },
  );
});

test("The content policy begins with nothing", async () => {
  const { headers } = await (await start()).get("/");
  const policy = headers.get("Content-Security-Policy") ?? "";
  for (const directive of [
    "default-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ])
    expect(policy).toContain(directive);
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
});

describe("A message", () => {
  const ended = "Connection: close\r\n\r\n";

  test("of the method TRACE is not sent back", async () => {
    await start();
    const answer = await answerTo(`TRACE / HTTP/1.1\r\nHost: a\r\nX-Secret: sentinel\r\n${ended}`);
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(answer).not.toContain("sentinel");
  });

  test.each([
    ["two kinds of length", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n"],
    ["an unknown coding", "Transfer-Encoding: chunked, identity\r\n"],
    ["a folded header", "X-Folded: a\r\n b\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n"],
  ])("with %s is refused, and what follows it is no request", async (_what, headers) => {
    await start();
    const hidden = "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    const answer = await answerTo(
      `POST /api/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n${hidden}`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });
});

test("Fields that a request does not have are dropped", async () => {
  const browser = await start();
  const body = { ...orderBody(), status: "Submitted", phase: "Submitted", paidPence: 4500, isAdmin: true };
  expect((await browser.post("/api/orders", body)).status).toBe(201);
  const [created] = await gateway.store.readAll("", 10);
  expect(JSON.stringify(created)).not.toMatch(/Submitted|paidPence|isAdmin/);
});
