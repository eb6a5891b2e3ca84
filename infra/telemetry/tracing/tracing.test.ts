import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { soon } from "../../../testing/setup/patience.ts";
import { openTracing } from "./open-tracing.ts";
import { traceIdsOf, untraced } from "./tracing.ts";

const quiet = { warn: () => undefined };
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  OTEL_EXPORTER_OTLP_HEADERS: undefined,
  OTEL_SERVICE_NAME: "certificates",
  OTEL_TRACES_SAMPLER_ARG: 1,
};
const request = "0f8fad5b-d9cb-469f-a165-70867728950e";

const sentSpan = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  status: z.object({ message: z.string().optional() }),
});
const sentMessage = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(sentSpan) })) })),
});

async function collector() {
  const sent: unknown[] = [];
  const server = createServer(async (incoming, answer) => {
    sent.push(await json(incoming));
    answer.end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.int() }).parse(server.address());
  const spans = () =>
    sent.flatMap((message) =>
      sentMessage
        .parse(message)
        .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
    );
  return { endpoint: `http://127.0.0.1:${port}`, spans, sent };
}

describe("traces without an endpoint", () => {
  it("are off: the work runs, and OpenTelemetry is not loaded", async () => {
    const tracing = await openTracing(settings, quiet);
    expect(tracing).toBe(untraced);
    expect(await tracing.span({ name: "work", kind: "internal" }, async () => 7)).toBe(7);
    expect(tracing.traceparent()).toBeUndefined();
  });
});

describe("traces with an endpoint", () => {
  it("put the consequences of a request under it, in another process and much later", async () => {
    const { endpoint, spans } = await collector();
    const [gateway, worker] = await Promise.all(
      [1, 2].map(() => openTracing({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, quiet)),
    );
    const given = traceIdsOf(request);
    await gateway?.span(
      { name: "request", kind: "server", correlationId: request, begins: true },
      async () => {
        expect(gateway.traceparent()).toBe(`00-${given.traceId}-${given.spanId}-01`);
      },
    );
    await worker?.span({ name: "job", kind: "internal", correlationId: request }, () =>
      worker.span({ name: "call", kind: "client" }, async () => undefined),
    );
    await Promise.all([gateway?.close(), worker?.close()]);
    const idOf = (name: string) => spans().find((span) => span.name === name)?.spanId;
    expect(
      spans().map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId || undefined]),
    ).toEqual(
      expect.arrayContaining([
        ["request", given.traceId, undefined],
        ["job", given.traceId, given.spanId],
        ["call", given.traceId, idOf("job")],
      ]),
    );
    expect(idOf("request")).toBe(given.spanId);
    expect(given.traceId).toBe("0f8fad5bd9cb469fa16570867728950e");
  });

  it("name an error by its class, never by its message", async () => {
    const { endpoint, spans, sent } = await collector();
    const tracing = await openTracing({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, quiet);
    const fault = new RangeError("Siân Rhys is not a number");
    await expect(tracing.span({ name: "work", kind: "internal" }, () => Promise.reject(fault))).rejects.toBe(
      fault,
    );
    await tracing.close();
    expect(spans().map(({ status }) => status.message)).toEqual(["RangeError"]);
    expect(JSON.stringify(sent)).not.toContain("Rhys");
  });

  it("are recorded for no request at a sampling rate of 0", async () => {
    const { endpoint, sent } = await collector();
    const wanted = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: 0 };
    const tracing = await openTracing(wanted, quiet);
    await tracing.span(
      { name: "request", kind: "server", correlationId: request, begins: true },
      async () => 1,
    );
    await tracing.span({ name: "job", kind: "internal", correlationId: request }, async () => 1);
    await tracing.close();
    expect(sent).toEqual([]);
  });

  it("cause no delay when the collector is unreachable, and log it once", async () => {
    const warn = vi.fn();
    const { createOtlpTracing } = await import("./otlp-tracing.ts");
    const nowhere = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const tracing = createOtlpTracing(nowhere, { warn }, 10);
    const work = () => tracing.span({ name: "work", kind: "internal" }, async () => 7);
    expect(await work()).toBe(7);
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), soon);
    expect(await work()).toBe(7);
    await tracing.close();
    expect(warn).toHaveBeenCalledOnce();
  });
});
