import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  type Span as SpanOfOtel,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { nameOfError } from "../../following/follower-faults.ts";
import type { Log } from "../../process/log.ts";
import { type TraceIds, type Tracing, traceIdsOf, type Work } from "./tracing.ts";

/** The current span and its request. */
type Active = { readonly span: SpanOfOtel; readonly correlationId: string | undefined };

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** By OpenTelemetry's names, as `traceSettings` reads them. */
type OtlpSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>> | undefined;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
};

/** Exports traces by OTLP over HTTP, as JSON. Unsent traces are dropped, and logged once. */
export function createOtlpTracing(
  settings: OtlpSettings,
  log: Pick<Log, "warn">,
  exportEveryMs = 2_000,
): Tracing {
  const ids = new GivenIds();
  const provider = openProvider(settings, ids, log, exportEveryMs);
  const tracer = provider.getTracer("certificates");
  const active = new AsyncLocalStorage<Active>();

  function start(work: Work): SpanOfOtel {
    const above = active.getStore();
    const { name, attributes = {} } = work;
    const options = { kind: kinds[work.kind], attributes };
    const correlationId = work.correlationId ?? above?.correlationId;
    if (above && above.correlationId === correlationId)
      return tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, above.span));
    if (correlationId === undefined) return tracer.startSpan(name, options, ROOT_CONTEXT);
    const given = traceIdsOf(correlationId);
    if (work.begins) return ids.using(given, () => tracer.startSpan(name, options, ROOT_CONTEXT));
    // Called by one request for another: a provider's webhook belongs to the order's trace.
    const links = above ? [{ context: above.span.spanContext() }] : [];
    return tracer.startSpan(name, { ...options, links }, below(given));
  }

  return {
    span: async (work, run) => {
      const span = start(work);
      const correlationId = work.correlationId ?? active.getStore()?.correlationId;
      try {
        return await active.run({ span, correlationId }, () =>
          run({ note: (attributes) => void span.setAttributes(attributes) }),
        );
      } catch (error) {
        // A code or a class, never the message, which may quote personal data.
        const fault = nameOfError(error) ?? "unknown";
        span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
        throw error;
      } finally {
        span.end();
      }
    },
    traceparent: () => {
      const spanContext = active.getStore()?.span.spanContext();
      if (!spanContext) return undefined;
      const { traceId, spanId, traceFlags } = spanContext;
      return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
    },
    // The failure was logged; it must not keep the product from stopping.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function openProvider(
  settings: OtlpSettings,
  idGenerator: IdGenerator,
  log: Pick<Log, "warn">,
  exportEveryMs: number,
): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: 5_000,
  });
  return new TracerProvider({
    idGenerator,
    // By trace id alone: all processes sample the same traces.
    sampler: new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG),
    resource: resourceFromAttributes({ "service.name": settings.OTEL_SERVICE_NAME }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: sayingOnce(exporter, log),
        scheduledDelayMillis: exportEveryMs,
        maxQueueSize: 8_192,
        maxExportBatchSize: 512,
        exportTimeoutMillis: 6_000,
      }),
    ],
  });
}

/** Parent context for spans below the first span of a trace. */
const below = ({ traceId, spanId }: TraceIds): Context =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true });

/** Random ids, except for spans with agreed ids. */
class GivenIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  #next: TraceIds | undefined;

  using<T>(ids: TraceIds, start: () => T): T {
    this.#next = ids;
    try {
      return start();
    } finally {
      this.#next = undefined;
    }
  }

  generateTraceId(): string {
    return this.#next?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.#next?.spanId ?? this.#random.generateSpanId();
  }
}

/** Logs an unreachable collector once, until it has accepted traces again. */
function sayingOnce(exporter: OTLPTraceExporter, log: Pick<Log, "warn">): SpanExporter {
  let said = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.error !== undefined;
        if (failed && !said)
          log.warn(
            { code: nameOfError(result.error) },
            "the trace collector accepts no traces: they are dropped",
          );
        said = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
