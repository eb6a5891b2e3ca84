import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Config } from "../../infra/config/config.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import { createMeter, type Meter } from "../../infra/telemetry/metrics/meter.ts";
import { type PlatformFamilies, platformFamilies } from "../../infra/telemetry/metrics/platform-families.ts";
import { openTracing } from "../../infra/telemetry/tracing/otlp-tracing.ts";
import { currentCorrelation, type Tracing } from "../../infra/telemetry/tracing/tracing.ts";
import type { TaskWatch } from "../policies/tasks/task-watch.ts";
import { createProviderCalls, type ProviderCalls } from "./provider-calls.ts";
import { type ServiceFamilies, serviceFamilies } from "./service-families.ts";
import { watchTasks } from "./watch-tasks.ts";

export type Telemetry = {
  readonly meter: Meter;
  readonly platform: PlatformFamilies;
  readonly service: ServiceFamilies;
  readonly tracing: Tracing;
  readonly calls: ProviderCalls;
  readonly taskWatch: TaskWatch;
  /** Headers for providers with our own protocol: the correlation id and the trace context. */
  readonly callHeaders: () => Readonly<Record<string, string>>;
};

/** Pending spans are flushed on `closing`. */
export async function openTelemetry(
  config: Pick<Config, "tracing">,
  log: Log,
  now: () => Date,
  closing: AsyncDisposableStack,
): Promise<Telemetry> {
  const meter = createMeter();
  const platform = platformFamilies(meter);
  const service = serviceFamilies(meter);
  const tracing = await openTracing(config.tracing, log);
  closing.defer(() => tracing.close());
  platform.build.set({ version: await productVersion(), node: process.versions.node }, 1);
  return {
    meter,
    platform,
    service,
    tracing,
    calls: createProviderCalls({ families: service, tracing, log, now }),
    taskWatch: watchTasks({ families: service, tracing, log }),
    callHeaders: () => {
      const correlationId = currentCorrelation();
      const traceparent = tracing.traceparent();
      return {
        ...(correlationId !== undefined && { "correlation-id": correlationId }),
        ...(traceparent !== undefined && { traceparent }),
      };
    },
  };
}

/** Shows a pool's connections by state at each scrape. */
export function showPool({ meter, platform }: Pick<Telemetry, "meter" | "platform">, pool: Pool): void {
  meter.source("database connections", async () => {
    const { totalCount, idleCount, waitingCount } = pool;
    platform.databaseConnections.set({ state: "busy" }, totalCount - idleCount);
    platform.databaseConnections.set({ state: "idle" }, idleCount);
    platform.databaseConnections.set({ state: "waiting" }, waitingCount);
  });
}

const packageFile = z.object({ version: z.string() });

async function productVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return packageFile.parse(JSON.parse(text)).version;
}
