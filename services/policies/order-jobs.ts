import type { Order } from "../../domain/order/state.ts";
import { owed } from "../../domain/order/tasks/owed.ts";
import type { Duty, DutySettings } from "../../domain/order/tasks/task.ts";
import type { Pool } from "../../infra/postgres/pool.ts";

/** Something an order is owed. `lookAt` and `tries` are null while the list of duties does not hold it yet. */
export type OrderJob = {
  readonly duty: Duty;
  /** When it is next looked at, ISO 8601 in UTC. */
  readonly lookAt: string | null;
  /** How often it was put off. */
  readonly tries: number | null;
};

/**
 * What an order is owed: derived from the order itself, as the policies derive it; the list only tells how far they have come with it.
 */
export type OrderJobs = (order: Order) => Promise<OrderJob[]>;

type Progress = { name: string; lookAt: Date; tries: number };

export function createOrderJobs(parts: {
  pool: Pool;
  settings: () => DutySettings;
  now: () => Date;
}): OrderJobs {
  return async (order) => {
    const text = `select name, look_at as "lookAt", tries from duties where subject_id = $1`;
    const { rows } = await parts.pool.query<Progress>(text, [order.orderId]);
    const listed = new Map(rows.map((progress) => [progress.name, progress]));
    return owed(order, parts.now().toISOString(), parts.settings()).map((duty) => {
      const known = listed.get(duty.name);
      return { duty, lookAt: known?.lookAt.toISOString() ?? null, tries: known?.tries ?? null };
    });
  };
}
