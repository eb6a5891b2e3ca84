import { Refused } from "../../domain/decider.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Log } from "../../infra/process/log.ts";
import type { Meter } from "../../infra/telemetry/metrics/meter.ts";
import { correlated, type Tracing } from "../../infra/telemetry/tracing/tracing.ts";
import type { TaskWatch } from "../policies/tasks/task-watch.ts";
import type { ServiceFamilies } from "./service-families.ts";

type TasksWatched = {
  readonly families: Pick<ServiceFamilies, "taskSeconds" | "purgesLate">;
  readonly tracing: Tracing;
  readonly log: Pick<Log, "info">;
};

export function watchTasks({ families, tracing, log }: TasksWatched): TaskWatch {
  return {
    late: (purges) => families.purgesLate.set({}, purges),
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
 * Shows overdue tasks at each scrape. Postponed tasks are checked again within minutes, so the index bounds the search.
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
      text: `select kind, count(*)::int as tasks, extract(epoch from $1 - min(due_at))::float8 as seconds
             from duties where due_at <= $1 and look_at <= $1::timestamptz + interval '10 minutes' group by kind`,
      values: [now()],
    });
    tasksOverdue.replace(rows.map(({ kind, tasks }) => ({ labels: { kind }, value: tasks })));
    oldestTaskSeconds.replace(rows.map(({ kind, seconds }) => ({ labels: { kind }, value: seconds })));
  });
}
