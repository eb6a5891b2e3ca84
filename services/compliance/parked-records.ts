import type { parkedAnswer } from "../../contract/compliance/audit.ts";
import * as audit from "../../contract/compliance/audit.ts";
import type { Presented } from "../../contract/request.ts";
import type { HandlerDependencies } from "../gateway/parts.ts";
import { staffRoute } from "../gateway/routing/route.ts";
import type { ParkedRecord } from "../operations/streams/retry-parked.ts";

/** More than this many at once are an incident rather than a list; the oldest are shown. */
const mostParked = 500;

async function parkedNow({ parkedRecords, queries }: HandlerDependencies) {
  const parked = await parkedRecords.list(mostParked);
  return presentParked(parked, await queries.numbersOf(parked.flatMap(({ subject }) => subject?.id ?? [])));
}

export const listParked = staffRoute(audit.listParked, (dependencies) => async () => ({
  body: await parkedNow(dependencies),
}));

/** Answers at once; streams that resume disappear from the list a moment later. */
export const retryParked = staffRoute(audit.retryParked, (dependencies) => async ({ by }) => {
  const asked = await dependencies.parkedRecords.retry();
  dependencies.deps.log.info({ asked, staffId: by.userId }, "parked records are to be tried again");
  return { body: await parkedNow(dependencies) };
});

/** Orders and tickets whose history needs repair, longest parked first. */
const presentParked = (
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
