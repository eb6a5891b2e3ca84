import { randomUUID } from "node:crypto";
import { beginning, type EventStore } from "../../infra/event-store/event-store.ts";
import { createPostgresEventStore } from "../../infra/event-store/postgres/postgres-event-store.ts";
import { createPool } from "../../infra/postgres/pool.ts";
import { seededRandom } from "../../services/operations/seed/seeded-random.ts";
import {
  delayCommits,
  followNaively,
  type NaiveFollowing,
} from "../../testing/event-store/late-commits-fixture.ts";
import { anEvent, aStream } from "../../testing/event-store/store-fixture.ts";

type FollowingReport = {
  readonly written: number;
  readonly followers: readonly { readonly skipped: number; readonly misplaced: number }[];
  readonly naive: NaiveFollowing;
  readonly findings: readonly string[];
};

const writers = 16;
/** Commits wait in so many of the events' rows. */
const delayedShare = 0.02;
const mostAtOnce = 40;
const naiveRowsEach = 50;

/**
 * Sixteen writers, each with a store of its own, append events whose commits take randomly longer, while two followers
 * read along. Then each must have seen the log, event by event.
 */
export async function proveFollowing(
  connectionString: string,
  events: number,
  seed: number,
): Promise<FollowingReport> {
  await using closing = new AsyncDisposableStack();
  const pool = closing.adopt(createPool(connectionString, writers + 4), (open) => open.end());
  await delayCommits(pool, "events", delayedShare);
  const stores = Array.from({ length: writers }, () =>
    closing.adopt(createPostgresEventStore({ pool, connectionString }), (store) => store.close()),
  );
  const following = stores.slice(0, 2).map((store) => follow(store, events));
  await Promise.all(
    stores.map((store, nth) => {
      const own = Math.floor(events / writers) + (nth < events % writers ? 1 : 0);
      return write(store, own, seededRandom(seed + nth));
    }),
  );
  const { rows } = await pool.query<{ id: string }>({
    text: "select id from events order by position",
  });
  const written = rows.map(({ id }) => id);
  const followers = (await Promise.all(following)).map((seen) => {
    const all = new Set(seen);
    return {
      skipped: written.filter((id) => !all.has(id)).length,
      misplaced: seen.filter((id, at) => id !== written[at]).length,
    };
  });
  const naive = await followNaively(pool, writers, naiveRowsEach);
  return {
    written: written.length,
    followers,
    naive,
    findings: [
      ...(written.length === events ? [] : [`${written.length} of ${events} events are in the log.`]),
      ...followers.flatMap(({ skipped, misplaced }, nth) =>
        skipped + misplaced === 0
          ? []
          : [`Follower ${nth} skipped ${skipped} events, and saw ${misplaced} out of their place.`],
      ),
      ...(naive.seen < naive.written ? [] : ["Control: a naive follower skipped nothing either."]),
    ],
  };
}

/** The ids of the first so many events, as they come. */
async function follow(store: EventStore, count: number): Promise<string[]> {
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const events of store.follow({ after: beginning, signal: stop.signal })) {
    seen.push(...events.map(({ id }) => id));
    if (seen.length >= count) stop.abort();
  }
  return seen;
}

async function write(store: EventStore, count: number, random: () => number): Promise<void> {
  for (let left = count; left > 0; ) {
    const batch = Math.min(left, 1 + Math.floor(random() * mostAtOnce));
    const events = Array.from({ length: batch }, () => anEvent("Late", { of: randomUUID() }));
    await store.append({ stream: aStream(), expectedRevision: "none", events });
    left -= batch;
  }
}
