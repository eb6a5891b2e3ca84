import { z } from "zod";
import * as field from "../../../domain/fields.ts";
import type { ParkedRecord } from "../../operations/streams/parked-records.ts";
import type { Presented } from "../presented.ts";

const parkedShown = z.object({
  /** Null for a stream that is neither. */
  about: z.enum(["order", "ticket"]).nullable(),
  number: z.string().nullable(),
  stream: z.string(),
  /** What cannot go on with it. */
  follower: z.string(),
  reason: z.enum(["changed", "chain-broken", "unknown-type", "invalid-event", "fold-failed", "row-refused"]),
  revision: field.count,
  since: field.instant,
  tries: field.count,
  triedAt: field.instant.nullable(),
  /** It is about to be tried again. */
  isAsked: z.boolean(),
  tasksDue: field.count,
});

/** GET /api/admin/compliance/parked and POST /api/admin/compliance/parked/retry */
export const parkedAnswer = z.object({ parked: z.array(parkedShown) }).meta({ id: "ParkedRecords" });

/** Orders and tickets that wait until they are put right, the longest first. */
export const presentParked = (
  parked: readonly ParkedRecord[],
  numbers: ReadonlyMap<string, string>,
): Presented<typeof parkedAnswer> => ({
  parked: parked.map((record) => ({
    about: record.subject?.kind ?? null,
    number: numbers.get(record.subject?.id ?? "") ?? null,
    stream: record.stream,
    follower: record.name,
    reason: record.reason,
    revision: record.revision,
    since: record.since.toISOString(),
    tries: record.tries,
    triedAt: record.triedAt?.toISOString() ?? null,
    isAsked: record.isAsked,
    tasksDue: record.tasksDue,
  })),
});
