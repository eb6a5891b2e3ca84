import { addSeconds, secondsPerDay } from "../../domain/instant.ts";
import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { BlindIndex } from "../vault/blind-index.ts";
import type { RecordSummary, Vault } from "../vault/vault.ts";
import type { DutyParts } from "./errand.ts";
import { placeOf } from "./error-place.ts";
import { indexContacts } from "./index-contacts.ts";
import { destroyProvenOrphans, type OrphanParts } from "./orphans.ts";
import { isNamed, owedTo, type SubjectParts, subjectIfKnown } from "./subject.ts";

const batchSize = 200;
/** Of one round; what is left waits for the next. */
const mostBatches = 25;
/** A record that could not be looked at must not stand in the way of the others. */
const retrySeconds = 300;

export type VaultSweepParts = Pick<DutyParts, "list" | "settings" | "now" | "log"> &
  SubjectParts &
  OrphanParts & {
    vault: Vault;
    index: BlindIndex;
    /** Every event of the log up to this moment has been followed; undefined while that cannot be said. */
    followedUntil: () => Promise<Date | undefined>;
  };

/**
 * Looks at every sealed record that is due and asks the log about it: what no event names, and none can name any more, is destroyed
 * here and now; for the rest the duties of the order or ticket decide. They are put on the list should they be missing there, the person into the blind index should
 * they be missing there, and a day later it is looked at again.
 */
export async function sweepVault(parts: VaultSweepParts, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < mostBatches; batch++) {
    const due = await parts.vault.due(parts.now(), batchSize);
    // Before orders and tickets are read: what is known to be followed, they then hold.
    const until = due.length > 0 ? await parts.followedUntil() : undefined;
    for (const [subjectId, records] of Map.groupBy(due, ({ subject }) => subject)) {
      if (signal.aborted) return;
      await lookOrPutOff(parts, subjectId, records, until);
    }
    const subjectIds = new Set(due.map(({ subject }) => subject));
    await indexContacts(parts, [...subjectIds], (subjectId, error) => putOff(parts, subjectId, error));
    if (due.length < batchSize) return;
  }
}

async function lookOrPutOff(
  parts: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  until: Date | undefined,
): Promise<void> {
  try {
    await look(parts, subjectId, records, until);
  } catch (error) {
    parts.log.error(
      { subjectId, code: nameOfFault(error), place: placeOf(error) },
      "sealed records that are due could not be looked at",
    );
    await postpone(parts, subjectId, records, retrySeconds);
  }
}

async function putOff(parts: VaultSweepParts, subjectId: string, error: unknown): Promise<void> {
  parts.log.error(
    { subjectId, code: nameOfFault(error), place: placeOf(error) },
    "a contact could not be indexed",
  );
  await parts.vault.postpone(subjectId, "contact", addSeconds(parts.now().toISOString(), retrySeconds));
}

async function look(
  parts: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  until: Date | undefined,
): Promise<void> {
  const { list, settings, now } = parts;
  const subject = await subjectIfKnown(parts, subjectId);
  const orphans = records.filter((record) => !subject || !isNamed(subject, record));
  const unproven = await destroyProvenOrphans(parts, subjectId, orphans, until);
  if (!subject || orphans.length === records.length)
    return unproven.length > 0 ? postpone(parts, subjectId, unproven, retrySeconds) : undefined;
  await list.addMissing(subjectId, owedTo(subject, now().toISOString(), settings), now());
  await postpone(parts, subjectId, records, unproven.length > 0 ? retrySeconds : secondsPerDay);
}

async function postpone(
  { vault, now }: VaultSweepParts,
  subjectId: string,
  records: readonly RecordSummary[],
  seconds: number,
): Promise<void> {
  const dueAt = addSeconds(now().toISOString(), seconds);
  for (const dataClass of new Set(records.map((record) => record.dataClass))) {
    await vault.postpone(subjectId, dataClass, dueAt);
  }
}
