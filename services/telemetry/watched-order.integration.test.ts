import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { traceIdsOf } from "../../infra/telemetry/tracing/tracing.ts";
import {
  type CollectedSpan,
  type Collector,
  readFigures,
  startCollector,
} from "../../testing/services/telemetry-fixture.ts";
import {
  type LogLine,
  placeWatchedOrder,
  startWatchedProduct,
  type WatchedOrder,
  type WatchedProduct,
} from "../../testing/services/watched-order-fixture.ts";
import { soon } from "../../testing/setup/patience.ts";

let collector: Collector;
let product: WatchedProduct;
let order: WatchedOrder;
let scraped: string;

const scrape = async () => (await fetch(`${product.operatorUrl}/metrics`)).text();

/**
 * A scrape that reached every source. A busy machine may miss one, which counts as unread; a broken one always does.
 */
async function scrapeWhole(): Promise<string> {
  const unreadIn = (text: string) => readFigures(text).sum("metrics_unread_total", {});
  let before = await scrape();
  return vi.waitFor(async () => {
    const [text, earlier] = [await scrape(), before];
    before = text;
    expect(unreadIn(text)).toBe(unreadIn(earlier));
    return text;
  }, soon);
}

beforeAll(async () => {
  collector = await startCollector();
  product = await startWatchedProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=certificates",
  });
  order = await placeWatchedOrder(product);
  scraped = await scrapeWhole();
});
afterAll(async () => {
  await product.dispose();
  await collector.close();
});

/** The order's personal data, in any form that may leak. */
const typed =
  /Rhys|Llywelyn|Prydderch|Mair|Aberystwyth|Heol|Bont|SY23|01970 ?000000|post\.example|4242 ?4242/i;

describe("The log of an order", () => {
  const linesOf = (id: string): LogLine[] =>
    product.lines.filter(({ correlationId, requestId }) => correlationId === id || requestId === id);

  it("links by one id the customer's request, jobs, providers and the purge of the data", () => {
    const { submit } = order.requestIds;
    const logged = linesOf(submit).map(({ msg, route, provider, operation, task }) =>
      [
        msg,
        route ??
          (provider ? `${provider} ${operation ?? ""}`.trim() : String(task).replace(/-[0-9a-f]{8}-.*/, "")),
      ].join(": "),
    );
    const steps = [
      "request: /api/orders/:id/submit",
      "a provider was called: mail send",
      "a task was done: mail-confirmation",
      "a provider was called: automation submit",
      "a task was done: submit-1",
      "a task was done: purge-application-1-1",
      "provider notice matched to its order: gro",
      "a task was done: fulfil",
    ];
    expect(logged.filter((step) => steps.includes(step))).toEqual(expect.arrayContaining(steps));
    expect(linesOf(submit)).toContainEqual(
      expect.objectContaining({ msg: "request", clientRequestId: order.clientRequestId }),
    );
  });

  it("links a payment provider's notice to the customer's newest preceding request", () => {
    const led = product.lines.filter(
      ({ msg, provider }) => msg === "provider notice matched to its order" && provider === "payments",
    );
    expect(led.length).toBeGreaterThan(0);
    for (const { correlationId, requestId } of led) {
      expect(order.allRequestIds).toContain(correlationId);
      expect(linesOf(String(requestId))).toContainEqual(
        expect.objectContaining({ msg: "request", route: "/api/webhooks/stripe" }),
      );
    }
  });

  it("uses a new id even if the browser gives one", () => {
    expect(order.requestIds.submit).not.toBe(order.clientRequestId);
    expect(product.lines.filter(({ correlationId }) => correlationId === order.clientRequestId)).toEqual([]);
  });

  it("holds no personal data, and neither do metrics or traces", async () => {
    expect(product.said()).not.toMatch(typed);
    expect(scraped).not.toMatch(typed);
    await vi.waitFor(() => expect(spansOf(order.requestIds.submit)).not.toEqual([]), soon);
    expect(collector.said()).not.toMatch(typed);
    // Control: the pattern finds the data.
    expect(JSON.stringify({ name: "Siân Rhys" })).toMatch(typed);
  });
});

describe("The metrics after an order", () => {
  const sum = (name: string, labels: Record<string, string> = {}) => readFigures(scraped).sum(name, labels);

  it.each<[string, Record<string, string>, number]>([
    ["http_request_seconds_count", { route: "/api/orders/:id/submit", method: "POST", status: "200" }, 1],
    ["http_request_seconds_count", { route: "/api/webhooks/gro", status: "200" }, 1],
    ["append_seconds_count", { outcome: "written" }, 10],
    ["append_batch_size_count", {}, 10],
    ["events_appended_total", { type: "OrderCreated" }, 1],
    ["events_appended_total", { type: "OrderFulfilled" }, 1],
    ["follower_events_total", { follower: "orders" }, 10],
    ["follower_batch_seconds_count", { follower: "work" }, 1],
    ["task_seconds_count", { kind: "purge", outcome: "done" }, 1],
    ["task_seconds_count", { kind: "mail", outcome: "done" }, 3],
    ["purge_seconds_count", {}, 1],
    ["purge_seconds_bucket", { le: "120" }, 1],
    ["provider_call_seconds_count", { provider: "payments", operation: "createIntent", outcome: "done" }, 1],
    ["provider_call_seconds_count", { provider: "automation", operation: "submit", outcome: "done" }, 1],
    ["provider_call_seconds_count", { provider: "mail", operation: "send", outcome: "done" }, 3],
    ["provider_notices_total", { provider: "payments", outcome: "taken" }, 1],
    ["provider_notices_total", { provider: "automation", outcome: "taken" }, 1],
    ["key_ring_seconds_count", { operation: "zero", outcome: "done" }, 1],
    ["key_ring_seconds_count", { operation: "take", outcome: "done" }, 2],
    ["database_connections", {}, 1],
    ["build_info", {}, 1],
    ["process_resident_memory_bytes", {}, 10_000_000],
  ])("count %s of %o at least %i", (name, labels, least) => {
    expect(sum(name, labels)).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ["follower_stopped", {}],
    ["purges_late", {}],
    ["purges_failed_total", {}],
    ["provider_down", {}],
    ["audit_alarm", {}],
    ["mails_undeliverable_total", {}],
    ["http_refused_by_limit_total", {}],
  ])("raise no alarm by %s", (name, labels) => {
    expect(sum(name, labels)).toBe(0);
  });

  it("show every follower running, and none far behind", () => {
    const { all } = readFigures(scraped);
    const up = all("follower_up");
    expect(up.map(({ labels }) => labels.follower)).toEqual(
      expect.arrayContaining(["access-log", "contacts", "work", "orders", "ticket-lookup", "transparency"]),
    );
    expect(up.every(({ value }) => value === 1)).toBe(true);
    expect(all("follower_behind_seconds").every(({ value }) => value < 30)).toBe(true);
    expect(all("follower_fence").every(({ value }) => value >= 1)).toBe(true);
  });

  it("are not served on the public port, and unknown addresses there are not counted by address", async () => {
    const answer = await fetch(`${product.url}/metrics`);
    expect(await answer.text()).not.toContain("certificates_");
    const address = `/api/nowhere/${order.orderId}?name=Rhys`;
    await fetch(`${product.url}${address}`, { method: "PROPFIND" });
    const again = await scrape();
    const { all } = readFigures(again);
    expect(all("http_request_seconds_count").map(({ labels }) => labels)).toContainEqual({
      method: "(other)",
      route: "(none)",
      status: "404",
    });
    expect(again).not.toMatch(/nowhere|PROPFIND|Rhys|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});

const spansOf = (correlationId: string): CollectedSpan[] =>
  collector.spans.filter(({ traceId }) => traceId === traceIdsOf(correlationId).traceId);

describe("The trace of a request", () => {
  const nameOf = (spans: readonly CollectedSpan[], id: string | undefined) =>
    spans.find(({ spanId }) => spanId === id)?.name;

  it("joins request, command, append, policy, job and providers, in any order", async () => {
    const wanted = [
      ["command RequestSubmission", "request"],
      ["append", "command RequestSubmission"],
      ["policy tasks", "request"],
      ["job mail", "request"],
      ["mail send", "job mail"],
      ["job submit", "request"],
      ["automation submit", "job submit"],
      ["command StartSubmission", "job submit"],
      ["job purge", "request"],
      ["command PurgeSensitiveData", "job purge"],
      ["command RecordDispatch", "request"],
      ["job fulfil", "request"],
    ];
    await vi.waitFor(() => {
      const spans = spansOf(order.requestIds.submit);
      expect(spans.map(({ name, parentSpanId }) => [name, nameOf(spans, parentSpanId)])).toEqual(
        expect.arrayContaining(wanted),
      );
    }, soon);
  });

  it("begins with the request, whose id is the trace's", () => {
    const { submit } = order.requestIds;
    const root = spansOf(submit).filter(({ parentSpanId }) => !parentSpanId);
    expect(root.map(({ name, attributes }) => [name, attributes["http.route"]])).toEqual([
      ["request", "/api/orders/:id/submit"],
    ]);
    expect(root[0]?.traceId).toBe(submit.replaceAll("-", ""));
  });

  it("links a provider's notice to the provider's own request", () => {
    const [logged] = spansOf(order.requestIds.submit).filter(({ name }) => name === "command RecordDispatch");
    const from = collector.spans.find(({ spanId }) => spanId === logged?.links[0]?.spanId);
    expect([from?.name, from?.attributes["http.route"]]).toEqual(["request", "/api/webhooks/gro"]);
  });

  it("is sent to the collector with its attributes", () => {
    expect(collector.headers[0]).toMatchObject({ path: "/v1/traces", "x-tenant": "certificates" });
  });
});
