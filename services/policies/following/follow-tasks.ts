import { orderIdOf } from "../../../domain/order/events.ts";
import type { TaskSettings } from "../../../domain/order/tasks/task.ts";
import { ticketStream } from "../../../domain/ticket/events.ts";
import type { StoredEvent } from "../../../infra/event-store/event-store.ts";
import { StreamUnreadable, whileReading } from "../../../infra/event-store/stream-unreadable.ts";
import type { OnEnd } from "../../../infra/following/parked-retry.ts";
import type { Subscribing } from "../../../infra/following/subscription/subscribing.ts";
import type { Log } from "../../../infra/process/log.ts";
import { type AnyTask, owedTo, type SubjectParts, subjectIdOf, subjectIfKnown } from "../subject.ts";
import { type TaskWatch, unwatchedTasks } from "../task-dependencies.ts";
import type { Engine } from "../work/engine.ts";
import {
  type Claim,
  type Derived,
  type Deriving,
  deriveRows,
  followersOf,
  taskRules,
  tasksFollower,
} from "../work/work-table.ts";

export type FollowTasksDependencies = SubjectParts & {
  settings: TaskSettings;
  now: () => Date;
  log: Log;
  taskWatch?: TaskWatch;
  engine: Pick<Engine, "batch">;
  /** Overrides the rules version, for tests of a deploy. */
  rules?: number;
};

/** After each event of an order, ticket or draft: derives what it is owed, and takes it if that is due soon. */
export function tasksPolicy(parts: FollowTasksDependencies): Subscribing {
  return {
    ...tasksFollower(parts.rules),
    process: (client, events, onEnd) => {
      const rows: Rows = {
        followersOf: (orderIds) => followersOf(client, orderIds),
        derive: (deriving) => deriveRows(client, deriving),
      };
      return takeUp(parts, rows, events, onEnd);
    },
  };
}

/** The rows as the transaction of a batch sees them. */
export type Rows = {
  followersOf(orderIds: readonly string[]): Promise<readonly string[]>;
  derive(deriving: Deriving): Promise<readonly Claim[]>;
};

/** What one batch of events means for the rows. */
export async function takeUp(
  parts: FollowTasksDependencies,
  rows: Rows,
  events: readonly StoredEvent[],
  onEnd: OnEnd,
): Promise<void> {
  const { now, engine, rules = taskRules } = parts;
  const at = now();
  const derived: Derived[] = [];
  // Newer events come last.
  for (const [stream, revision] of new Map(events.map((event) => [event.stream, event.revision]))) {
    const subjectId = subjectIdOf(stream);
    if (subjectId !== undefined) derived.push(await derive(parts, subjectId, stream, at, revision));
  }
  for (const ticketId of await rows.followersOf(ordersPurgedBy(events))) {
    if (derived.some(({ subjectId }) => subjectId === ticketId)) continue;
    const ofTicket = await unlessUnreadable(
      parts,
      ticketId,
      derive(parts, ticketId, ticketStream(ticketId), at),
    );
    if (ofTicket) derived.push(ofTicket);
  }
  const batch = engine.batch(derived, at);
  let claims: readonly Claim[] = [];
  onEnd((isCommitted) => batch.ended(isCommitted ? claims : []));
  claims = await rows.derive({ ...batch, derived, now: at, rules });
}

/**
 * Does not read again what this process has seen up to `since`: the stream is verified before anything is performed.
 * @throws StreamUnreadable
 */
async function derive(
  parts: FollowTasksDependencies,
  subjectId: string,
  stream: string,
  at: Date,
  since?: number,
): Promise<Derived> {
  const { settings, taskWatch = unwatchedTasks } = parts;
  const subject = await subjectIfKnown(parts, subjectId, since);
  if (!subject)
    throw new StreamUnreadable(stream, "chain-broken", `${stream} has events but no first event.`);
  let tasks: readonly AnyTask[] = [];
  await taskWatch.listing(subjectId, subject.cause?.correlationId ?? subjectId, async () => {
    tasks = whileReading(stream, () => owedTo(subject, at.toISOString(), settings));
  });
  return { subjectId, tasks };
}

const ordersPurgedBy = (events: readonly StoredEvent[]): string[] =>
  events
    .filter(({ type }) => type === "ContactDataPurged")
    .map(({ stream }) => orderIdOf(stream))
    .filter((orderId) => orderId !== undefined);

/** An unreadable ticket must not park the order it is linked to: it waits for its own events. */
async function unlessUnreadable(
  { log }: Pick<FollowTasksDependencies, "log">,
  ticketId: string,
  deriving: Promise<Derived>,
): Promise<Derived | undefined> {
  return deriving.catch((error: unknown) => {
    if (!(error instanceof StreamUnreadable)) throw error;
    log.error(
      { subjectId: ticketId, reason: error.reason },
      "a ticket could not be read when its order's data was purged",
    );
    return undefined;
  });
}
