import type { DutySettings } from "../../domain/order/duty.ts";
import { orderIdOf } from "../../domain/order/events.ts";
import { ticketIdOf } from "../../domain/ticket/events.ts";
import type { EventStore, StoredEvent } from "../../infra/event-store/event-store.ts";
import { createFollower, type Follower } from "../../infra/following/follower.ts";
import { nameOfFault } from "../../infra/following/follower-faults.ts";
import type { FollowerWatch } from "../../infra/following/follower-watch.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { Log } from "../../infra/log.ts";
import type { Client, Pool } from "../../infra/postgres/pool.ts";
import { jobOf } from "./duty-jobs.ts";
import { dutiesFollower, listDuties } from "./duty-list.ts";
import { type DutyWatch, unwatchedDuties } from "./duty-watch.ts";
import { owedTo, type SubjectParts, subjectIfKnown } from "./subject.ts";

export type FollowDutiesParts = SubjectParts & {
  store: EventStore;
  pool: Pool;
  jobs: Jobs;
  settings: DutySettings;
  /** Duties due later than this are left to the sweep, so that a year's retention is not a year's job. */
  horizonMs: number;
  now: () => Date;
  newId: () => string;
  log: Log;
  watch?: FollowerWatch;
  dutyWatch?: DutyWatch;
};

/** After each event of an order or ticket: works out what it is owed now, lists it, and makes jobs of what is due soon. */
export function followDuties(parts: FollowDutiesParts): Follower {
  const { store, pool, newId, log, watch } = parts;
  return createFollower({
    ...dutiesFollower,
    store,
    pool,
    newId,
    log,
    ...(watch && { watch }),
    process: (client, events) => takeUp(parts, client, events),
  });
}

async function takeUp(
  parts: FollowDutiesParts,
  client: Client,
  events: readonly StoredEvent[],
): Promise<void> {
  const { jobs, settings, horizonMs, now, log, dutyWatch = unwatchedDuties } = parts;
  const subjectIds = new Set(
    events.map(({ stream }) => orderIdOf(stream) ?? ticketIdOf(stream)).filter((id) => id !== undefined),
  );
  const at = now();
  const soon = [];
  for (const subjectId of subjectIds) {
    const subject = await subjectIfKnown(parts, subjectId);
    if (!subject) throw new Error(`The log has an event of ${subjectId}, and the store has no such stream.`);
    const duties = owedTo(subject, at.toISOString(), settings);
    await dutyWatch.listing(subjectId, subject.cause?.correlationId ?? subjectId, () =>
      listDuties(client, subjectId, duties, at),
    );
    const due = duties.map(({ name, kind, dueAt }) => ({ subjectId, name, kind, dueAt: new Date(dueAt) }));
    soon.push(...due.filter(({ dueAt }) => dueAt.getTime() - at.getTime() <= horizonMs));
  }
  // Before the transaction commits: a job that comes too early reads the log, not the list. A queue that takes none must not
  // stop the follower for good: what is on the list, the sweep adds.
  await jobs
    .add(soon.map((duty) => jobOf(duty, at)))
    .catch((error: unknown) => log.warn({ code: nameOfFault(error) }, "the job queue took no duties"));
}
