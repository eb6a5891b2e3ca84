import type { DutySettings } from "../../domain/order/duty.ts";
import { orderIdOf } from "../../domain/order/events.ts";
import { owed } from "../../domain/order/owed.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { createFollower, type Follower } from "../../infra/following/follower.ts";
import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { Log } from "../../infra/log.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import type { Orders } from "../commands/orders.ts";
import { jobOf } from "./duty-jobs.ts";
import { listDuties } from "./duty-list.ts";

/** Raise it when `owed` learns something new: every order is then looked at again. */
const version = 1;

export type FollowOrdersParts = {
  store: EventStore;
  pool: Pool;
  orders: Orders;
  jobs: Jobs;
  settings: DutySettings;
  /** Duties due later than this are left to the sweep, so that a year's retention is not a year's job. */
  horizonMs: number;
  now: () => Date;
  newId: () => string;
  log: Log;
};

/** After each event of an order: works out what the order is owed now, lists it, and makes jobs of what is due soon. */
export function followOrders(parts: FollowOrdersParts): Follower {
  const { store, pool, newId, log } = parts;
  return createFollower({
    name: "duties",
    version,
    store,
    pool,
    newId,
    log,
    process: (client, events) => takeUp(parts, client, events),
  });
}

async function takeUp(
  parts: FollowOrdersParts,
  client: Client,
  events: readonly StoredEvent[],
): Promise<void> {
  const { orders, jobs, settings, horizonMs, now, log } = parts;
  const orderIds = new Set(
    events.map(({ stream }) => orderIdOf(stream)).filter((orderId) => orderId !== undefined),
  );
  const at = now();
  const soon = [];
  for (const orderId of orderIds) {
    const { order } = await orders.load(orderId);
    const duties = owed(order, at.toISOString(), settings);
    await listDuties(client, orderId, duties, at);
    const due = duties.map(({ name, dueAt }) => ({ orderId, name, dueAt: new Date(dueAt) }));
    soon.push(...due.filter(({ dueAt }) => dueAt.getTime() - at.getTime() <= horizonMs));
  }
  // Before the transaction commits: a job that comes too early reads the log, not the list. A queue that takes none must not
  // stop the follower for good: what is on the list, the sweep adds.
  await jobs
    .add(soon.map((duty) => jobOf(duty, at)))
    .catch((error: unknown) => log.warn({ code: nameOfFault(error) }, "the job queue took no duties"));
}
