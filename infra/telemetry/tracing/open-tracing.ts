import type { Log } from "../../process/log.ts";
import { type TraceSettings, type Tracing, untraced } from "./tracing.ts";

/** Exports traces if an endpoint is set. Otherwise OpenTelemetry is not even loaded. */
export async function openTracing(settings: TraceSettings, log: Pick<Log, "warn">): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return untraced;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT }, log);
}
