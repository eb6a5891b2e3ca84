import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { readFollower } from "../../../infra/following/lease.ts";
import { eventIfThere } from "../../../infra/log-binding/known-checkpoints.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { RecordSummary, Vault } from "../../vault/vault.ts";
import type { DutyParts } from "../task-dependencies.ts";
import { dutiesFollower } from "../tasks/task-list.ts";

/**
 * A command seals what was typed, then appends the event that names it: seconds later, or minutes on a machine that was suspended. The
 * clocks of two machines are not an hour apart either.
 */
const namedWithinMs = 3_600_000;

export type OrphanParts = Pick<DutyParts, "confirmLog" | "log"> & { vault: Pick<Vault, "destroy"> };

/**
 * Destroys those of the records that no event names of which it is certain that none ever will: the log has been followed from its
 * beginning to a moment at which their event would long have been there.
 * @param until every event up to then has been followed; undefined while that cannot be said
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
  log.info({ subjectId, records: proven.length }, "records that no event names were destroyed");
}

/**
 * Until when the log has been followed, each event of it: now, where the follower of duties stands at its end. Undefined before it has
 * begun, while it is stopped, and where its event is not in this log.
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
    const at = now(); // Before the end is read: what comes later is not said to be followed.
    const head = await store.head();
    const follower = await readFollower(pool, dutiesFollower());
    if (follower?.state !== "running") return undefined;
    const { position, eventId } = follower;
    if (position === beginning) return head === beginning ? at : undefined;
    const last = await eventIfThere(store, position);
    if (last?.id !== eventId) return undefined;
    return position >= head ? at : new Date(last.recordedAt);
  };
}
