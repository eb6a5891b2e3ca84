import { orderIdOf } from "../../../domain/order/events.ts";
import { draftIdOf } from "../../../domain/saved-draft/events.ts";
import { ticketIdOf } from "../../../domain/ticket/events.ts";
import type { FollowerKey } from "../../../infra/following/lease.ts";
import { askForRetry, countParked, listParked } from "../../../infra/following/parked-streams.ts";
import type { Pool } from "../../../infra/postgres/pool.ts";
import { catalogue } from "../../../projections/catalogue.ts";
import { policyFollowers } from "../../policies/policies.ts";
import type { ParkedRecord, ParkedRecords } from "./retry-parked.ts";

/** Followers of this code that park streams they cannot process. */
export const parkingFollowers: readonly FollowerKey[] = [
  ...catalogue.map(({ name, version }) => ({ name, version })),
  ...policyFollowers,
];

export function createParkedRecords(pool: Pool): ParkedRecords {
  return {
    async list(limit) {
      const parked = await listParked(pool, parkingFollowers, limit);
      const found = parked.map((one) => ({ ...one, subject: subjectOf(one.stream) }));
      const due = await tasksDue(
        pool,
        found.flatMap(({ subject }) => subject?.id ?? []),
      );
      return found.map((one) => ({ ...one, tasksDue: due.get(one.subject?.id ?? "") ?? 0 }));
    },
    count: () => countParked(pool, parkingFollowers),
    retry: (stream) => askForRetry(pool, parkingFollowers, stream),
  };
}

function subjectOf(stream: string): ParkedRecord["subject"] {
  const orderId = orderIdOf(stream);
  if (orderId !== undefined) return { kind: "order", id: orderId };
  const ticketId = ticketIdOf(stream);
  if (ticketId !== undefined) return { kind: "ticket", id: ticketId };
  const draftId = draftIdOf(stream);
  return draftId === undefined ? null : { kind: "draft", id: draftId };
}

async function tasksDue(pool: Pool, subjectIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query<{ id: string; due: number }>(
    `select subject_id as id, count(*)::integer as due from work, jsonb_array_elements(tasks) as task
     where subject_id = any($1::uuid[]) and (task ->> 'dueAt')::timestamptz <= now() group by subject_id`,
    [subjectIds],
  );
  return new Map(rows.map(({ id, due }) => [id, due]));
}
