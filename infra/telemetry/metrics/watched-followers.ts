import type { EventStore } from "../../event-store/event-store.ts";
import type { FollowerWatch } from "../../following/follower-turn.ts";
import type { FollowerKey } from "../../following/lease.ts";
import type { Pool } from "../../postgres/pool.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Meter } from "./meter.ts";
import type { PlatformFamilies } from "./platform-families.ts";

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
