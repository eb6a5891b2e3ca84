import {
  type AppendRequest,
  CompanionExists,
  type EventStore,
  type NewEvent,
  OutcomeUnknown,
  StoreBusy,
  WrongExpectedRevision,
} from "../../event-store/event-store.ts";
import type { FollowerWatch } from "../../following/follower-turn.ts";
import type { FollowerKey } from "../../following/lease.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { KeyRing } from "../../key-ring/key-ring.ts";
import type { Pool } from "../../postgres/pool.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Meter } from "./meter.ts";
import type { PlatformFamilies } from "./platform-families.ts";

type AppendWatch = {
  readonly families: Pick<PlatformFamilies, "appendSeconds" | "appendsInFlight" | "eventsAppended">;
  readonly tracing: Tracing;
  /** Called for each event written by this process. */
  readonly onAppended?: (event: NewEvent) => void;
};

/** Counts, times and traces the appends of an event store. */
export function watchAppends(store: EventStore, { families, tracing, onAppended }: AppendWatch): EventStore {
  const { appendSeconds, appendsInFlight, eventsAppended } = families;
  return {
    append: (request) =>
      tracing.span({ name: "append", kind: "internal", attributes: factsOf(request) }, async (span) => {
        const startedAt = performance.now();
        const ended = (outcome: string) => {
          appendSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000);
          span.note({ outcome });
        };
        appendsInFlight.add({}, 1);
        try {
          const appended = await store.append(request);
          ended("written");
          for (const event of request.events) {
            eventsAppended.add({ type: event.type });
            onAppended?.(event);
          }
          return appended;
        } catch (error) {
          ended(outcomeOf(error));
          throw error;
        } finally {
          appendsInFlight.add({}, -1);
        }
      }),
    readStream: (stream, from) => store.readStream(stream, from),
    readAll: (after, limit) => store.readAll(after, limit),
    eventAt: (position) => store.eventAt(position),
    follow: (options) => store.follow(options),
    head: () => store.head(),
    logId: () => store.logId(),
    close: () => store.close(),
  };
}

const factsOf = ({ stream, events }: AppendRequest) => ({
  stream,
  events: events.length,
  types: events.map(({ type }) => type).join(" "),
});

function outcomeOf(error: unknown): "conflict" | "busy" | "unknown" | "failed" {
  if (error instanceof WrongExpectedRevision || error instanceof CompanionExists) return "conflict";
  if (error instanceof StoreBusy) return "busy";
  return error instanceof OutcomeUnknown ? "unknown" : "failed";
}

/** Counts and times jobs, and exports the state of the queue at each scrape. */
export function watchJobs(
  jobs: Jobs,
  { meter, families, now }: { meter: Meter; families: PlatformFamilies; now: () => Date },
): Jobs {
  meter.source("jobs", async () => {
    const { waiting, active, oldestWaiting } = await jobs.standing();
    families.jobs.set({ state: "waiting" }, waiting);
    families.jobs.set({ state: "active" }, active);
    const ageMs = oldestWaiting ? now().getTime() - oldestWaiting.getTime() : 0;
    families.oldestJobSeconds.set({}, Math.max(0, ageMs) / 1000);
  });
  return {
    add: async (id) => {
      await jobs.add(id);
      families.jobsAdded.add({});
    },
    work: (look) =>
      jobs.work(async () => {
        const startedAt = performance.now();
        const ended = (outcome: "done" | "failed") =>
          families.jobSeconds.observe({ outcome }, (performance.now() - startedAt) / 1000);
        await look().then(
          () => ended("done"),
          (error: unknown) => {
            ended("failed");
            throw error;
          },
        );
      }),
    standing: () => jobs.standing(),
    wipe: () => jobs.wipe(),
    close: () => jobs.close(),
  };
}

/** Counts and times key operations. Reading an erased key counts as failed. */
export function watchKeyRing(
  keyRing: KeyRing,
  { keyRingSeconds }: Pick<PlatformFamilies, "keyRingSeconds">,
): KeyRing {
  const timed = async <T>(
    operation: "take" | "read" | "zero" | "probe",
    work: () => Promise<T>,
  ): Promise<T> => {
    const startedAt = performance.now();
    const ended = (outcome: "done" | "failed") =>
      keyRingSeconds.observe({ operation, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const result = await work();
      ended("done");
      return result;
    } catch (error) {
      ended("failed");
      throw error;
    }
  };
  return {
    take: () => timed("take", () => keyRing.take()),
    read: (slot) => timed("read", () => keyRing.read(slot)),
    zero: (slots) => timed("zero", () => keyRing.zero(slots)),
    probe: (slot) => timed("probe", () => keyRing.probe(slot)),
    markInUse: (slots) => keyRing.markInUse(slots),
    settle: (slots) => keyRing.settle(slots),
    unsettled: (before, since) => keyRing.unsettled(before, since),
    compact: () => keyRing.compact(),
    close: () => keyRing.close(),
  };
}

type FollowersWatched = {
  readonly meter: Meter;
  readonly families: PlatformFamilies;
  readonly tracing: Tracing;
  readonly store: Pick<EventStore, "readAll">;
  readonly pool: Pool;
  readonly now: () => Date;
};

type Standing = {
  name: string;
  version: number;
  position: string;
  stopped: boolean;
  held: boolean;
  fence: number;
  parked: number;
  apart: boolean;
};

/**
 * Counts the work of followers in this process, and exports their state at each scrape, whichever process holds them.
 */
export function watchFollowers(parts: FollowersWatched): FollowerWatch {
  const { meter, families, tracing } = parts;
  const known = new Map<string, FollowerKey>();
  meter.source("followers", async () => show(parts, await standings(parts, [...known.values()])));
  return {
    made: (key) => void known.set(`${key.name} ${key.version}`, key),
    batch: (key, events, work) =>
      tracing.span(
        { name: "follow", kind: "internal", attributes: { follower: key.name, events: events.length } },
        async () => {
          const startedAt = performance.now();
          await work();
          const follower = key.name;
          families.followerBatchSeconds.observe({ follower }, (performance.now() - startedAt) / 1000);
          families.followerEvents.add({ follower }, events.length);
        },
      ),
  };
}

type Shown = Standing & { behindSeconds: number };

async function standings(
  { pool, store, now }: FollowersWatched,
  keys: readonly FollowerKey[],
): Promise<Shown[]> {
  const { rows } = await pool.query<Standing>({
    name: "standing-of-followers",
    text: `select name, version, position, state = 'stopped' as stopped, fence,
             subscription is null as apart, coalesce(lease_until > clock_timestamp(), false) as held,
             (select count(*)::int from parked_streams where (name, version) = (followers.name, followers.version)) as parked
           from follower_checkpoints as followers join unnest($1::text[], $2::int[]) as known (name, version) using (name, version)`,
    values: [keys.map(({ name }) => name), keys.map(({ version }) => version)],
  });
  const at = now().getTime();
  // Members of a subscription are at the same position.
  const next = new Map(
    [...new Set(rows.map(({ position }) => position))].map((place) => [place, store.readAll(place, 1)]),
  );
  return Promise.all(
    rows.map(async (standing) => {
      const [oldest] = (await next.get(standing.position)) ?? [];
      return {
        ...standing,
        behindSeconds: oldest ? Math.max(0, at - Date.parse(oldest.recordedAt)) / 1000 : 0,
      };
    }),
  );
}

function show({ families }: FollowersWatched, all: readonly Shown[]): void {
  const of = (value: (standing: Shown) => number) =>
    all.map((standing) => ({
      labels: { follower: standing.name, version: String(standing.version) },
      value: value(standing),
    }));
  families.followerBehindSeconds.replace(of(({ behindSeconds }) => behindSeconds));
  families.followerUp.replace(of(({ held }) => Number(held)));
  families.followerStopped.replace(of(({ stopped }) => Number(stopped)));
  families.streamsParked.replace(of(({ parked }) => parked));
  families.followerFence.replace(of(({ fence }) => fence));
  families.followerApart.replace(of(({ apart }) => Number(apart)));
}
