import { z } from "zod";
import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import type { Task, TaskSettings } from "../../../domain/order/tasks/task.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { Retries } from "./work-table.ts";

// What people read of the rows.

/** An order's task. `lookAt` and `tries` are of the order's row, and null until it has one. */
export type OrderJob = {
  readonly task: Task;
  /** Next look, ISO 8601 in UTC. */
  readonly lookAt: string | null;
  /** Attempts in a row after which it was still due. */
  readonly tries: number | null;
};

/** An order's tasks, derived from the order as the policies derive them; its row only adds their progress. */
export type OrderJobs = (order: Order) => Promise<OrderJob[]>;

export function createOrderJobs(parts: {
  pool: Pool;
  settings: () => TaskSettings;
  now: () => Date;
}): OrderJobs {
  return async (order) => {
    const text = `select due_at as "dueAt", retries from work where subject_id = $1`;
    const { rows } = await parts.pool.query<{ dueAt: Date; retries: Retries }>(text, [order.orderId]);
    const [row] = rows;
    return owed(order, parts.now().toISOString(), parts.settings()).map((task) => {
      if (!row) return { task, lookAt: null, tries: null };
      const { tries, notBeforeMs } = row.retries[task.name] ?? { tries: 0, notBeforeMs: row.dueAt.getTime() };
      const lookAtMs = Math.max(Date.parse(task.dueAt), notBeforeMs);
      return { task, lookAt: new Date(lookAtMs).toISOString(), tries };
    });
  };
}

const purgeRow = z
  .object({ subject_id: z.uuid(), name: z.string(), kind: z.string(), due_at: z.date(), tries: z.int() })
  .transform(({ subject_id, due_at, ...rest }) => ({
    ...rest,
    subjectId: subject_id,
    dueAt: due_at.toISOString(),
  }));

/** A purge due for an order or a ticket. `dueAt` is ISO 8601 in UTC; `tries` counts failed attempts in a row. */
export type OutstandingPurge = z.output<typeof purgeRow>;

export const outstandingPurges =
  (pool: Pool) =>
  async (limit: number): Promise<readonly OutstandingPurge[]> => {
    const { rows } = await pool.query(
      `with first as (select * from work where destroys_at is not null order by destroys_at, subject_id limit $1)
       select subject_id, task ->> 'name' as name, task ->> 'kind' as kind,
              (task ->> 'dueAt')::timestamptz as due_at,
              coalesce((retries -> (task ->> 'name') ->> 'tries')::int, 0) as tries
       from first, jsonb_array_elements(tasks) as task where task ->> 'kind' in ('purge', 'destroyRecord')
       order by due_at, subject_id, name limit $1`,
      [limit],
    );
    return z.array(purgeRow).parse(rows);
  };
