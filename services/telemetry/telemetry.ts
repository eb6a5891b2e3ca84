import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Config } from "../../infra/config/config.ts";
import { createMeter, type Meter } from "../../infra/metrics/meter.ts";
import { type PlatformFamilies, platformFamilies } from "../../infra/metrics/platform-families.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import { currentCorrelation } from "../../infra/tracing/correlation.ts";
import { openTracing } from "../../infra/tracing/otlp-tracing.ts";
import type { Tracing } from "../../infra/tracing/tracing.ts";
import type { DutyWatch } from "../policies/tasks/task-watch.ts";
import { createProviderCalls, type ProviderCalls } from "./provider-calls.ts";
import { type ServiceFamilies, serviceFamilies } from "./service-families.ts";
import { watchDuties } from "./watch-tasks.ts";

/** What a process is watched by. */
export type Telemetry = {
  readonly meter: Meter;
  readonly platform: PlatformFamilies;
  readonly service: ServiceFamilies;
  readonly tracing: Tracing;
  readonly calls: ProviderCalls;
  readonly dutyWatch: DutyWatch;
  /** Headers for providers whose protocol is ours: the id that leads back from their log to ours, and their place in our trace. */
  readonly callHeaders: () => Readonly<Record<string, string>>;
};

/** Opens it; what is still to be sent goes out on `closing`. */
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
    dutyWatch: watchDuties({ families: service, tracing, log }),
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

/** Shows at each scrape who holds the connections of a pool. */
export function showPool({ meter, platform }: Pick<Telemetry, "meter" | "platform">, pool: Pool): void {
  meter.source("database connections", async () => {
    const { totalCount, idleCount, waitingCount } = pool;
    platform.databaseConnections.set({ state: "busy" }, totalCount - idleCount);
    platform.databaseConnections.set({ state: "idle" }, idleCount);
    platform.databaseConnections.set({ state: "waiting" }, waitingCount);
  });
}

const packageFile = z.object({ version: z.string() });

/** The version that this code calls itself, from its package.json. */
async function productVersion(): Promise<string> {
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  return packageFile.parse(JSON.parse(text)).version;
}
