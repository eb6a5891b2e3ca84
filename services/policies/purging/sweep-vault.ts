import { addDays, addSeconds, before, earlier } from "../../../domain/instant.ts";
import { type Held, heldOf } from "../../../domain/order/personal-data/held-data.ts";
import type { Order } from "../../../domain/order/state.ts";
import type { TaskSettings } from "../../../domain/order/tasks/task.ts";
import type { DataClass } from "../../../domain/order/vocabulary.ts";
import { heldTexts } from "../../../domain/ticket/held-texts.ts";
import { contactPurgedAt } from "../../../domain/ticket/owed.ts";
import { beginning, type EventStore } from "../../../infra/event-store/event-store.ts";
import { nameOfError } from "../../../infra/following/follower-faults.ts";
import { readFollower } from "../../../infra/following/lease.ts";
import { eventIfThere } from "../../../infra/log-binding/log-binding.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import type { BlindIndex, Unindexed } from "../../vault/blind-index.ts";
import type { NextLook, RecordSummary, Vault } from "../../vault/vault.ts";
import { indexContacts } from "../following/index-contacts.ts";
import { placeOf } from "../perform-task.ts";
import { isNamed, owedTo, type Subject, type SubjectParts, subjectIfKnown } from "../subject.ts";
import type { TaskDependencies } from "../task-dependencies.ts";
import { tasksFollower, type WorkTable } from "../work/work-table.ts";

const batchSize = 200;
/** Per round; the rest waits for the next. */
const mostBatches = 25;
/**
 * How long a sweep's claim keeps other sweeps away. Records that could not be checked come back then, and do not block
 * others.
 */
const claimSeconds = 300;

export type VaultSweepParts = Pick<TaskDependencies, "settings" | "now" | "log"> &
  SubjectParts &
  OrphanParts & {
    table: Pick<WorkTable, "remind" | "openPurges">;
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
  const { table, settings, now } = parts;
  const subject = await subjectIfKnown(parts, subjectId);
  const orphans = records.filter((record) => !subject || !isNamed(subject, record));
  // Records that are not yet certain orphans come back when the claim ends.
  await destroyProvenOrphans(parts, subjectId, orphans, followedUntil);
  if (!subject || orphans.length === records.length) return [];
  const at = now();
  await table.remind({ subjectId, tasks: owedTo(subject, at.toISOString(), settings) }, at);
  return records
    .filter((record) => !orphans.includes(record))
    .map((record) => ({
      recordId: record.recordId,
      ...nextLook(subject, record, at.toISOString(), settings),
    }));
}

/** When to check a record again, and the retention in days that this was calculated with. */
type Look = { readonly dueAt: string; readonly keptDays: number | null };

/** The task purges what is due; the sweep checks this much later that it happened. */
const patienceSeconds = 3_600;
/**
 * Days until the next check when the due date is unknown: an application is kept for days, an order's contact for
 * weeks.
 */
const undatedDays: Readonly<Record<DataClass, number>> = { application: 1, contact: 7 };

/**
 * When the sweep checks a record named by an event again: after its retention rule makes it due, not before. The task
 * list does the work; this catches tasks the list lost.
 */
function nextLook(
  subject: Subject,
  { recordId, dataClass }: Pick<RecordSummary, "recordId" | "dataClass">,
  now: string,
  settings: TaskSettings,
): Look {
  if (subject.kind === "order") {
    const { order } = subject;
    const { superseded, questions } = order.vault;
    // Each goes by itself, soon or when its question is closed.
    const isSingle = [...superseded, ...questions].some(({ ref }) => ref === recordId);
    return isSingle ? undated("application", now) : afterClass(order, dataClass, now, settings);
  }
  if (subject.kind === "draft") {
    const { end, expiresAt, linkRef } = subject.draft;
    // Address and key go as soon as the mail has left.
    if (recordId === linkRef) return undated("application", now);
    const held = { state: "due", until: end?.at ?? expiresAt, rule: end?.rule ?? "expired" } as const;
    return afterHeld(held, dataClass, now, settings);
  }
  const { ticket, order } = subject;
  const own = afterHeld(heldTexts(ticket, order, settings), "contact", now, settings);
  if (!order || contactPurgedAt(order) !== undefined) return own;
  // The ticket's texts go with its order's contact data if that is sooner.
  const ofOrder = afterClass(order, "contact", now, settings);
  return earlier(own.dueAt, ofOrder.dueAt) === own.dueAt ? own : ofOrder;
}

const afterClass = (order: Order, dataClass: DataClass, now: string, settings: TaskSettings): Look =>
  afterHeld(heldOf(order, dataClass, settings), dataClass, now, settings);

const undated = (dataClass: DataClass, now: string): Look => ({
  dueAt: addDays(now, undatedDays[dataClass]),
  keptDays: null,
});

function afterHeld(held: Held<string>, dataClass: DataClass, now: string, settings: TaskSettings): Look {
  if (held.state === "needed") return undated(dataClass, now);
  if (held.state !== "due") return undated("application", now);
  const dueAt = addSeconds(held.until, patienceSeconds);
  // Overdue: its purge is failing, and is retried far more often than this.
  if (!before(now, dueAt)) return undated("application", now);
  return { dueAt, keptDays: held.rule === "retention" ? settings.contactRetentionDays : null };
}

/**
 * A command seals input, then appends the event that names it: seconds later, or minutes on a suspended machine. The
 * clocks of two machines differ by less than an hour too.
 */
const namedWithinMs = 3_600_000;

type OrphanParts = Pick<TaskDependencies, "confirmLog" | "log"> & { vault: Pick<Vault, "destroy"> };

/**
 * Erases records that certainly no event will ever name: the log has been followed from its beginning to a moment by
 * which their event would have been appended.
 * @param until every event before this has been followed; undefined while unknown
 */
async function destroyProvenOrphans(
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
