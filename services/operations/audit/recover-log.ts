import type { AuditProgress } from "../../../infra/audit/audit-progress.ts";
import type { AuditedTree } from "../../../infra/audit/audited-tree.ts";
import { BookBroken, type CheckpointBook } from "../../../infra/audit/checkpoint-book.ts";
import { acceptLog, recordAcceptance } from "../../../infra/audit/log-acceptance.ts";
import type { EventStore } from "../../../infra/event-store/event-store.ts";
import { refuseWhileFollowed } from "../../../infra/following/lease.ts";
import {
  acceptBinding,
  compareLog,
  forgetCheckpoints,
  isInLog,
  lostFollowers,
  type ReadSignedEvent,
} from "../../../infra/log-binding/log-binding.ts";
import { mismatchError } from "../../../infra/log-binding/log-mismatch.ts";
import { type Client, inTransaction, type Pool } from "../../../infra/postgres/pool.ts";
import type { CheckpointFile } from "../../../infra/transparency/checkpoint-file.ts";
import { forgetPublished } from "../../../infra/transparency/checkpoint-signer.ts";
import { NoteRefused } from "../../../infra/transparency/formats/signed-note.ts";
import { treeFollower } from "../../../infra/transparency/tree-follower.ts";
import { dropVersion } from "../../../projections/runner/version-uses.ts";

type AcceptParts = {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly inDatabase: boolean;
  /** The transparency log's leaves. */
  readonly tree: Pick<AuditedTree, "detailsOf">;
  /** The newest event that was signed. */
  readonly signed: ReadSignedEvent;
  /** What was signed. */
  readonly checkpoint: Pick<CheckpointFile, "supersede">;
  readonly book: Pick<CheckpointBook, "supersede">;
  readonly progress: Pick<AuditProgress, "forget">;
  /** As typed by the operator. */
  readonly mark: string;
  readonly now: () => Date;
  readonly newId: () => string;
};

/** Tables that policies derive from the log, by follower name. */
const derivedTables: ReadonlyMap<string, string> = new Map([
  ["work", "work"],
  ["open-payments", "open_payments"],
  ["overdue-orders", "overdue_orders"],
]);

/**
 * Accepts log and database as they are after a restore of one of them: puts aside what was signed of another history,
 * binds the database to the log, and appends the acceptance to it. Data derived from events missing in the log is
 * dropped, and derived again at the next start. Can be repeated after a crash.
 * @throws OperatorError for another log, a broken one or another mark, or if the product runs while data must be
 * dropped
 */
export async function acceptRestoredLog(parts: AcceptParts): Promise<void> {
  const { pool, store, inDatabase, tree, progress, mark, now, newId } = parts;
  const { mismatch, isBound, logId } = await compareLog({ ...parts, warn: () => undefined });
  if (mismatch?.kind === "other-log") throw mismatchError(mismatch, inDatabase);
  if (mismatch) await refuseWhileFollowed(pool);
  const at = now();
  const accepted = await acceptLog({ store, tree, mark });
  // A log without events that it had leads to another tree. In the other cases it becomes the same again.
  const isShorter = mismatch?.kind === "checkpoint-missing" || (await lacksSigned(parts));
  if (isShorter) {
    await parts.checkpoint.supersede(at);
    await parts.book.supersede(at);
  }
  // The next audit reads the log from its first event.
  await progress.forget();
  const lost = mismatch ? await lostFollowers(pool, store) : [];
  await inTransaction(pool, async (client) => {
    if (lost.length > 0) {
      await client.query("lock table followers in exclusive mode");
      await refuseWhileFollowed(client);
      await forgetCheckpoints(client, lost);
      for (const follower of lost) await dropDerived(client, follower);
    }
    if (isShorter) await forgetPublished(client);
    const begunAt = mismatch?.kind === "never-followed" ? at : null;
    if (mismatch || isBound) await acceptBinding(client, { logId, events: accepted.events, begunAt });
  });
  await recordAcceptance({ store, accepted, at: at.toISOString(), id: newId() });
}

/** Whether what was signed last is not in the log, or cannot be read. */
async function lacksSigned({ signed, store }: Pick<AcceptParts, "signed" | "store">): Promise<boolean> {
  try {
    const last = await signed();
    if (!last) return false;
    return last.logId !== (await store.logId()) || !(await isInLog(store, last));
  } catch (error) {
    if (error instanceof NoteRefused || error instanceof BookBroken) return true;
    throw error;
  }
}

async function dropDerived(client: Client, follower: { name: string; version: number }): Promise<void> {
  await dropVersion(client, follower);
  const table = derivedTables.get(follower.name);
  if (table !== undefined) await client.query(`delete from ${table}`);
}

/**
 * Empties the transparency log's tree: the product rebuilds it from the log, and signs it only if it is the one that
 * was signed before.
 * @throws OperatorError while the product runs
 */
export async function emptyTree(pool: Pool): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("lock table followers in exclusive mode");
    await refuseWhileFollowed(client);
    await forgetCheckpoints(client, [{ name: treeFollower, version: 1 }]);
  });
}
