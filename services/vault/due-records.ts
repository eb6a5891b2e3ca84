import { z } from "zod";
import { addDays } from "../../domain/instant.ts";
import type { DueClaim, NextLook, RecordSummary } from "./vault.ts";
import { type Database, summariesIn, summaryColumns } from "./vault-rows.ts";

/** Scheduling of the sweep's checks. A check writes the row, so each happens only when something may have changed. */

/**
 * Claims records for one sweep: their due time moves to the end of the claim, and rows locked by another sweep are
 * skipped. Records with a longer retention than is now allowed are found by the setting stored with them; changing the
 * setting touches no other rows.
 */
export async function claimDue(database: Database, claim: DueClaim): Promise<RecordSummary[]> {
  const { now, until, limit } = claim;
  const claimed = await claimBefore(database, { until, limit, dueBy: now, reckonedWith: null });
  for (const { days, dueBy } of claimed.length < limit ? await keptLonger(database, claim) : []) {
    const left = limit - claimed.length;
    if (left === 0) break;
    claimed.push(...(await claimBefore(database, { until, limit: left, dueBy, reckonedWith: days })));
  }
  return claimed;
}

type Claim = Pick<DueClaim, "until" | "limit"> & {
  readonly dueBy: string;
  /** Only those calculated with this retention in days; null for all. */
  readonly reckonedWith: number | null;
};

async function claimBefore(
  database: Database,
  { until, limit, dueBy, reckonedWith }: Claim,
): Promise<RecordSummary[]> {
  const { name, kept, values } =
    reckonedWith === null
      ? { name: "vault-claim", kept: "", values: [] }
      : { name: "vault-claim-kept", kept: "kept_days = $4 and", values: [reckonedWith] };
  const result = await database.query({
    name,
    text: `with due as (
             select record_id from vault_records where ${kept} due_at <= $2 and destroyed_at is null
             order by due_at, record_id limit $3 for update skip locked)
           update vault_records set due_at = $1, kept_days = null
           where record_id in (select record_id from due) and destroyed_at is null
           returning ${summaryColumns}`,
    values: [until, dueBy, limit, ...values],
  });
  return summariesIn(result.rows);
}

const keptRow = z.object({ days: z.int().nullable() });

/** Stored retentions longer than the current setting, each with the time by which its records are due. */
async function keptLonger(
  database: Database,
  { now, keptDays }: DueClaim,
): Promise<{ days: number; dueBy: string }[]> {
  const longest = (than: string) =>
    `select max(kept_days) as days from vault_records where kept_days is not null and destroyed_at is null and ${than}`;
  const { rows } = await database.query({
    name: "vault-kept-longer",
    text: `with recursive longer (days) as (
             (${longest("kept_days > $1")})
             union all
             select (${longest("kept_days > $1 and kept_days < longer.days")}) from longer where longer.days is not null)
           select days from longer`,
    values: [keptDays],
  });
  return z
    .array(keptRow)
    .parse(rows)
    .flatMap(({ days }) => (days === null ? [] : [{ days, dueBy: addDays(now, days - keptDays) }]));
}

export async function setNextLooks(database: Database, looks: readonly NextLook[]): Promise<void> {
  if (looks.length === 0) return;
  await database.query({
    name: "vault-look-again",
    // In order: the blind index locks several records too.
    text: `with locked as (
             select record_id from vault_records where record_id = any($1::uuid[]) and destroyed_at is null
             order by record_id for no key update)
           update vault_records v set due_at = look.due_at, kept_days = look.kept_days
           from unnest($1::uuid[], $2::timestamptz[], $3::int[]) as look (record_id, due_at, kept_days)
           join locked using (record_id) where v.record_id = look.record_id`,
    values: [
      looks.map(({ recordId }) => recordId),
      looks.map(({ dueAt }) => dueAt),
      looks.map(({ keptDays }) => keptDays),
    ],
  });
}
