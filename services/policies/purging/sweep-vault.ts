import { addSeconds } from "../../../domain/instant.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import type { BlindIndex, Unindexed } from "../../vault/blind-index.ts";
import type { NextLook, RecordSummary, Vault } from "../../vault/vault.ts";
import { indexContacts } from "../index-contacts.ts";
import { nextLook } from "../next-due.ts";
import { placeOf } from "../perform-task.ts";
import { isNamed, owedTo, type SubjectParts, subjectIfKnown } from "../subject.ts";
import type { TaskDependencies } from "../task-dependencies.ts";
import { destroyProvenOrphans, type OrphanParts } from "./orphans.ts";

const batchSize = 200;
/** Per round; the rest waits for the next. */
const mostBatches = 25;
/**
 * How long a sweep's claim keeps other sweeps away. Records that could not be checked come back then, and do not block
 * others.
 */
const claimSeconds = 300;

export type VaultSweepParts = Pick<TaskDependencies, "list" | "settings" | "now" | "log"> &
  SubjectParts &
  OrphanParts & {
    vault: Vault;
    index: BlindIndex;
    /** Every event up to this moment has been followed; undefined while unknown. */
    followedUntil: () => Promise<Date | undefined>;
  };

/**
 * Checks due sealed records against the log. A record that no event names, and none can name any more, is erased
 * at once; the rest follow the tasks of their order or ticket. Missing tasks and missing index entries are restored,
 * and the record is due again when its rule says. Each sweep takes records that no other has claimed.
 */
export async function sweepVault(parts: VaultSweepParts, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const now = parts.now().toISOString();
    const due = await parts.vault.claimDue({
      now,
      keptDays: parts.settings.contactRetentionDays,
      until: addSeconds(now, claimSeconds),
      limit: batchSize,
    });
    // Taken before orders and tickets are read, so they include everything followed.
    const followedUntil = due.length > 0 ? await parts.followedUntil() : undefined;
    const looks: NextLook[] = [];
    for (const [subjectId, records] of Map.groupBy(due, ({ subject }) => subject)) {
      if (signal.aborted) break;
      looks.push(...(await lookOrLeave(parts, subjectId, records, followedUntil)));
    }
    const subjectIds = new Set(due.map(({ subject }) => subject));
    const unindexed = new Set<string>();
    await indexContacts(parts, [...subjectIds], async (record, error) => {
      unindexed.add(record.recordId);
      tellOfUnindexed(parts, record, error);
    });
    await parts.vault.lookAgain(looks.filter(({ recordId }) => !unindexed.has(recordId)));
    if (due.length < batchSize || signal.aborted) return;
  }
}

/** What cannot be checked stays claimed, and comes back when the claim ends. */
async function lookOrLeave(
  parts: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  followedUntil: Date | undefined,
): Promise<readonly NextLook[]> {
  try {
    return await look(parts, subjectId, records, followedUntil);
  } catch (error) {
    parts.log.error(
      { subjectId, code: nameOfError(error), place: placeOf(error) },
      "due sealed records could not be checked",
    );
    return [];
  }
}

function tellOfUnindexed({ log }: VaultSweepParts, { subjectId }: Unindexed, error: unknown): void {
  log.error({ subjectId, code: nameOfError(error), place: placeOf(error) }, "a contact could not be indexed");
}

/** @returns when to check the remaining records again */
async function look(
  parts: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  followedUntil: Date | undefined,
): Promise<readonly NextLook[]> {
  const { list, settings, now } = parts;
  const subject = await subjectIfKnown(parts, subjectId);
  const orphans = records.filter((record) => !subject || !isNamed(subject, record));
  // Records that are not yet certain orphans come back when the claim ends.
  await destroyProvenOrphans(parts, subjectId, orphans, followedUntil);
  if (!subject || orphans.length === records.length) return [];
  const at = now();
  await list.addMissing(subjectId, owedTo(subject, at.toISOString(), settings), at);
  return records
    .filter((record) => !orphans.includes(record))
    .map((record) => ({
      recordId: record.recordId,
      ...nextLook(subject, record, at.toISOString(), settings),
    }));
}
