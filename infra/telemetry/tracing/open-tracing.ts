import { z } from "zod";
import { isDecodable } from "../../config/provider-shapes.ts";
import type { Log } from "../../process/log.ts";
import { type Tracing, untraced } from "./tracing.ts";

/** Where traces go, by OpenTelemetry's names. Without an endpoint there are none. */
export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((text) => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol), {
      error: "must be an address that starts with http:// or https://",
    })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(
      /^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/,
      "must be pairs of a name and a value, such as name=value,other=value",
    )
    .refine(isDecodable, "has a % that is not encoded: write it as %25")
    .transform((text) =>
      Object.fromEntries(
        text.split(",").map((pair) => {
          const [name = "", ...value] = pair.split("=");
          return [name, decodeURIComponent(value.join("="))];
        }),
      ),
    )
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default("certificates"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, "must be a number from 0 to 1")
    .transform(Number)
    .default(1),
};

export type TraceSettings = { [Name in keyof typeof traceSettings]: z.output<(typeof traceSettings)[Name]> };

/** Exports traces if an endpoint is set. Otherwise OpenTelemetry is not even loaded. */
export async function openTracing(settings: TraceSettings, log: Pick<Log, "warn">): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  if (OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return untraced;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing({ ...settings, OTEL_EXPORTER_OTLP_ENDPOINT }, log);
}
