import type { EventStore } from "../../infra/event-store/event-store.ts";
import type { FollowerWatch } from "../../infra/following/follower-watch.ts";
import type { Jobs } from "../../infra/jobs/jobs.ts";
import type { KeyRing } from "../../infra/key-ring/key-ring.ts";
import { watchAppends } from "../../infra/metrics/watched-event-store.ts";
import { watchFollowers } from "../../infra/metrics/watched-followers.ts";
import { watchJobs } from "../../infra/metrics/watched-jobs.ts";
import { watchKeyRing } from "../../infra/metrics/watched-key-ring.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import { createVault } from "../vault/postgres-vault.ts";
import type { Vault } from "../vault/vault.ts";
import { countEvent } from "./count-events.ts";
import { showPool, type Telemetry } from "./telemetry.ts";
import { showOverdueDuties } from "./watch-tasks.ts";

type Watched = { pool: Pool; store: EventStore; keyRing: KeyRing; jobs: Jobs; now: () => Date };

/** The ground's parts, counted, timed and traced; the vault stands on the watched keys. */
export function watchGround(
  telemetry: Telemetry,
  { pool, store, keyRing, jobs, now }: Watched,
): Pick<Watched, "store" | "keyRing" | "jobs"> & { vault: Vault; watch: FollowerWatch } {
  const { meter, platform, service } = telemetry;
  const watchedKeys = watchKeyRing(keyRing, platform);
  showOverdueDuties(meter, service, pool, now);
  return {
    ...watchLog(telemetry, { pool, store, now }),
    keyRing: watchedKeys,
    vault: createVault({ pool, keyRing: watchedKeys, now }),
    jobs: watchJobs(jobs, { meter, families: platform, now }),
  };
}

/** The log and its followers, for processes that have no more of the ground than that. */
export function watchLog(
  telemetry: Telemetry,
  { pool, store, now }: Pick<Watched, "pool" | "store" | "now">,
): { store: EventStore; watch: FollowerWatch } {
  const { meter, platform, service, tracing } = telemetry;
  showPool(telemetry, pool);
  return {
    store: watchAppends(store, {
      families: platform,
      tracing,
      onAppended: (event) => countEvent(service, event),
    }),
    watch: watchFollowers({ meter, families: platform, tracing, store, pool, now }),
  };
}

/** Counts one batch of appends. */
export function countBatch(
  { platform }: Pick<Telemetry, "platform">,
  appends: number,
  seconds: number,
): void {
  platform.appendBatchSize.observe({}, appends);
  platform.appendBatchSeconds.observe({}, seconds);
}
