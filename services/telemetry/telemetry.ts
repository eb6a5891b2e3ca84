import { readFile } from "node:fs/promises";
import { z } from "zod";
import { Refused } from "../../domain/decider.ts";
import type { Config } from "../../infra/config/config.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import { createMeter, type Meter } from "../../infra/telemetry/metrics/meter.ts";
import { type PlatformFamilies, platformFamilies } from "../../infra/telemetry/metrics/platform-families.ts";
import { openTracing } from "../../infra/telemetry/tracing/open-tracing.ts";
import { correlated, currentCorrelation, type Tracing } from "../../infra/telemetry/tracing/tracing.ts";
import type { TaskWatch } from "../policies/task-dependencies.ts";
import type { MailWatch } from "../providers/mail-in/mail-in.ts";
import { createProviderCalls, type ProviderCalls } from "./provider-calls.ts";
import { type ServiceFamilies, serviceFamilies } from "./service-families.ts";

export type Telemetry = {
  readonly meter: Meter;
  readonly platform: PlatformFamilies;
  readonly service: ServiceFamilies;
  readonly tracing: Tracing;
  readonly calls: ProviderCalls;
  readonly taskWatch: TaskWatch;
  readonly mailWatch: MailWatch;
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
    mailWatch: {
      taken: () => {
        service.mailsIn.add({ outcome: "taken" });
        service.lastMailIn.set({}, now().getTime() / 1000);
      },
      refused: (outcome) => service.mailsIn.add({ outcome }),
      read: (wasRead) => service.mailboxAway.set({}, wasRead ? 0 : 1),
    },
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

type TasksWatched = {
  readonly families: Pick<ServiceFamilies, "taskSeconds" | "purgesLate" | "takenLate">;
  readonly tracing: Tracing;
  readonly log: Pick<Log, "info">;
};

function watchTasks({ families, tracing, log }: TasksWatched): TaskWatch {
  return {
    late: (purges) => families.purgesLate.set({}, purges),
    takenLate: (subjects) => families.takenLate.add({}, subjects),
    listing: (subjectId, correlationId, work) =>
      correlated(correlationId, () =>
        tracing.span(
          { name: "policy tasks", kind: "internal", correlationId, attributes: { subjectId } },
          work,
        ),
      ),
    doing: ({ subjectId, name, kind, correlationId }, work) =>
      correlated(correlationId, () =>
        tracing.span(
          { name: `job ${kind}`, kind: "internal", correlationId, attributes: { subjectId, task: name } },
          async (span) => {
            const startedAt = performance.now();
            const ended = (outcome: string) => {
              const ms = performance.now() - startedAt;
              families.taskSeconds.observe({ kind, outcome }, ms / 1000);
              span.note({ outcome });
              return Math.round(ms);
            };
            try {
              const outcome = await work();
              const ms = ended(outcome === "later" ? "later" : "done");
              log.info({ subjectId, task: name, outcome, ms }, "a task was done");
              return outcome;
            } catch (error) {
              ended(error instanceof Refused ? "refused" : "failed");
              throw error;
            }
          },
        ),
      ),
  };
}

type Overdue = { kind: string; tasks: number; seconds: number };

/**
 * Shows overdue tasks at each scrape. What failed is looked at again within minutes, so the index bounds the search.
 */
export function showOverdueTasks(
  meter: Meter,
  { tasksOverdue, oldestTaskSeconds }: Pick<ServiceFamilies, "tasksOverdue" | "oldestTaskSeconds">,
  pool: Pool,
  now: () => Date,
): void {
  meter.source("tasks", async () => {
    const { rows } = await pool.query<Overdue>({
      name: "overdue-tasks",
      text: `select task ->> 'kind' as kind, count(*)::int as tasks,
               extract(epoch from $1 - min((task ->> 'dueAt')::timestamptz))::float8 as seconds
             from work, jsonb_array_elements(tasks) as task
             where due_at <= $1::timestamptz + interval '10 minutes' and (task ->> 'dueAt')::timestamptz <= $1 group by 1`,
      values: [now()],
    });
    tasksOverdue.replace(rows.map(({ kind, tasks }) => ({ labels: { kind }, value: tasks })));
    oldestTaskSeconds.replace(rows.map(({ kind, seconds }) => ({ labels: { kind }, value: seconds })));
  });
}
