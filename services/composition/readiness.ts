import type { Config } from "../../infra/config/config.ts";
import { OtherLogAnswers } from "../../infra/log-binding/guarded-event-store.ts";
import type { Pool } from "../../infra/postgres/pool.ts";
import type { Projections } from "../../projections/runner/projections.ts";
import type { ReadinessCheck } from "../gateway/health.ts";
import type { ParkedRecords } from "../operations/streams/retry-parked.ts";
import type { Policies } from "../policies/policies.ts";
import type { SettingsBook } from "../settings/settings.ts";

/** Each check returns undefined when ready, else the reason. A process runs those of its own parts. */

/** @param trouble why the database is unavailable, if known */
export const databaseReady = (pool: Pool, trouble: () => string | undefined): ReadinessCheck => ({
  name: "database",
  shared: true,
  check: async () => {
    const known = trouble();
    if (known !== undefined) return known;
    await pool.query("select 1");
    return undefined;
  },
});

/**
 * Whether the log answers, and is still the database's own. A log in Postgres is unavailable with the database, which
 * reports it.
 */
export const logReady = (
  confirmLog: () => Promise<void>,
  { EVENTSTORE_URL }: Pick<Config, "EVENTSTORE_URL">,
): ReadinessCheck => ({
  name: "event store",
  shared: true,
  check: async () => {
    try {
      await confirmLog();
      return undefined;
    } catch (error) {
      if (error instanceof OtherLogAnswers) return "the log does not belong to this database";
      if (EVENTSTORE_URL === undefined) return undefined;
      throw error;
    }
  },
});

/** Whether this process or a separate one folds them. */
export const projectionsReady = (projections: Pick<Projections, "ready">): ReadinessCheck => ({
  name: "projections",
  shared: true,
  check: async () => {
    const unready = (await projections.ready()).filter(({ state }) => state !== "ready");
    return unready.length === 0
      ? undefined
      : unready
          .map(({ name, state, reason }) => `${name} is ${state}${reason ? ` (${reason})` : ""}`)
          .join(", ");
  },
});

export const settingsReady = (settings: Pick<SettingsBook, "trouble">): ReadinessCheck => ({
  name: "settings",
  shared: true,
  check: async () => settings.trouble(),
});

export const recordsReady = ({ count }: Pick<ParkedRecords, "count">): ReadinessCheck => ({
  name: "parked records",
  degrades: true,
  check: async () => {
    const parked = await count();
    if (parked === 0) return undefined;
    return `${parked} ${parked === 1 ? "order or ticket waits" : "orders and tickets wait"} until repaired: npm run streams:retry -- --list`;
  },
});

/** Not ready until the backlog from the downtime is processed. */
export const policiesReady = (policies: Pick<Policies, "status" | "hasCaughtUp">): ReadinessCheck => ({
  name: "policies",
  shared: true,
  check: async () => {
    const { state, reason } = await policies.status();
    if (state === "stopped") return `stopped (${reason})`;
    return (await policies.hasCaughtUp()) ? undefined : "catching up";
  },
});

/** After a change of rules, tasks of older orders are derived in the background; orders are served meanwhile. */
export const olderOrdersReady = (policies: Pick<Policies, "isEverythingListed">): ReadinessCheck => ({
  name: "older orders",
  check: async () =>
    (await policies.isEverythingListed())
      ? undefined
      : "their tasks under the newest rules are still being derived",
});
