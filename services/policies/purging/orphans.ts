import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { readFollower } from "../../../infra/following/lease.ts";
import { eventIfThere } from "../../../infra/log-binding/log-binding.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { RecordSummary, Vault } from "../../vault/vault.ts";
import type { TaskDependencies } from "../task-dependencies.ts";
import { tasksFollower } from "../tasks/task-list.ts";

/**
 * A command seals input, then appends the event that names it: seconds later, or minutes on a suspended machine. The
 * clocks of two machines differ by less than an hour too.
 */
const namedWithinMs = 3_600_000;

export type OrphanParts = Pick<TaskDependencies, "confirmLog" | "log"> & { vault: Pick<Vault, "destroy"> };

/**
 * Erases records that certainly no event will ever name: the log has been followed from its beginning to a moment by
 * which their event would have been appended.
 * @param until every event before this has been followed; undefined while unknown
 */
export async function destroyProvenOrphans(
  { vault, confirmLog, log }: OrphanParts,
  subjectId: string,
  orphans: readonly RecordSummary[],
  until: Date | undefined,
): Promise<void> {
  const proven = orphans.filter(
    ({ sealedAt }) => until !== undefined && Date.parse(sealedAt) + namedWithinMs <= until.getTime(),
  );
  if (proven.length === 0) return;
  await confirmLog();
  await vault.destroy(proven.map(({ recordId }) => recordId));
  log.info({ subjectId, records: proven.length }, "records that no event names were erased");
}

/**
 * The moment up to which every event has been followed: now, if the task follower is at the end of the log. Undefined
 * before it starts, while it is stopped, and if its event is not in this log.
 */
export function createFollowedUntil({
  pool,
  store,
  now,
}: {
  pool: Pool;
  store: Pick<EventStore, "head" | "eventAt">;
  now: () => Date;
}): () => Promise<Date | undefined> {
  return async () => {
    const at = now(); // Taken before the end is read, so later events are not counted.
    const head = await store.head();
    const follower = await readFollower(pool, tasksFollower());
    if (follower?.state !== "running") return undefined;
    const { position, eventId } = follower;
    if (position === beginning) return head === beginning ? at : undefined;
    const last = await eventIfThere(store, position);
    if (last?.id !== eventId) return undefined;
    return position >= head ? at : new Date(last.recordedAt);
  };
}
