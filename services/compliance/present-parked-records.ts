import type { parkedAnswer } from "../../contract/compliance/audit.ts";
import type { Presented } from "../gateway/routing/presented.ts";
import type { ParkedRecord } from "../operations/streams/parked-records.ts";

/** Orders and tickets whose history needs repair, longest parked first. */
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
