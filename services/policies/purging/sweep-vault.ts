import { addSeconds } from "../../../domain/instant.ts";
import { nameOfFault } from "../../../infra/following/follower-faults.ts";
import type { BlindIndex, Unindexed } from "../../vault/blind-index.ts";
import type { NextLook, RecordSummary, Vault } from "../../vault/vault.ts";
import { indexContacts } from "../index-contacts.ts";
import { nextLook } from "../next-due.ts";
import { placeOf } from "../perform-task.ts";
import { isNamed, owedTo, type SubjectParts, subjectIfKnown } from "../subject.ts";
import type { DutyParts } from "../task-dependencies.ts";
import { destroyProvenOrphans, type OrphanParts } from "./orphans.ts";

const batchSize = 200;
/** Of one round; what is left waits for the next. */
const mostBatches = 25;
/** So long what one sweep has taken is no other's. A record that could not be looked at comes back then, and stands in no other's way. */
const claimSeconds = 300;

export type VaultSweepParts = Pick<DutyParts, "list" | "settings" | "now" | "log"> &
  SubjectParts &
  OrphanParts & {
    vault: Vault;
    index: BlindIndex;
    /** Every event of the log up to this moment has been followed; undefined while that cannot be said. */
    followedUntil: () => Promise<Date | undefined>;
  };

/**
/**
 * Looks at sealed records that are due, each sweep at those that no other has taken, and asks the log about them: what no event names, and none
 * can name any more, is destroyed here and now; for the rest the duties of the order or ticket decide. They are put on the list should they be
 * missing there, the person into the blind index should they be missing there, and the record is due again once its rule has made it so.
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
    // Before orders and tickets are read: what is known to be followed, they then hold.
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

/** What cannot be looked at is left as it was taken, and comes back when the claim ends. */
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
      { subjectId, code: nameOfFault(error), place: placeOf(error) },
      "sealed records that are due could not be looked at",
    );
    return [];
  }
}

function tellOfUnindexed({ log }: VaultSweepParts, { subjectId }: Unindexed, error: unknown): void {
  log.error({ subjectId, code: nameOfFault(error), place: placeOf(error) }, "a contact could not be indexed");
}

/** Answers when those of the records that stay are to be looked at again. */
async function look(
  parts: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  followedUntil: Date | undefined,
): Promise<readonly NextLook[]> {
  const { list, settings, now } = parts;
  const subject = await subjectIfKnown(parts, subjectId);
  const orphans = records.filter((record) => !subject || !isNamed(subject, record));
  // Those of which it is not certain yet come back when the claim ends.
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
