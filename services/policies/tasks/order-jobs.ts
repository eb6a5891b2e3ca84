import type { Order } from "../../../domain/order/state.ts";
import { owed } from "../../../domain/order/tasks/owed.ts";
import type { Task, TaskSettings } from "../../../domain/order/tasks/task.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";

/** An order's task. `lookAt` and `tries` are null until the task list holds it. */
export type OrderJob = {
  readonly task: Task;
  /** Next check, ISO 8601 in UTC. */
  readonly lookAt: string | null;
  readonly tries: number | null;
};

/** An order's tasks, derived from the order as the policies derive them; the list only adds their progress. */
export type OrderJobs = (order: Order) => Promise<OrderJob[]>;

type Progress = { name: string; lookAt: Date; tries: number };

export function createOrderJobs(parts: {
  pool: Pool;
  settings: () => TaskSettings;
  now: () => Date;
}): OrderJobs {
  return async (order) => {
    const text = `select name, look_at as "lookAt", tries from duties where subject_id = $1`;
    const { rows } = await parts.pool.query<Progress>(text, [order.orderId]);
    const listed = new Map(rows.map((progress) => [progress.name, progress]));
    return owed(order, parts.now().toISOString(), parts.settings()).map((task) => {
      const known = listed.get(task.name);
      return { task, lookAt: known?.lookAt.toISOString() ?? null, tries: known?.tries ?? null };
    });
  };
}
